import type { AuditEntry } from '../../durable/audit/audit-entry.ts'
import { openPermissionFile, type PermissionFile } from '../../durable/permission-file.ts'
import { createPermissions } from '../../tool/permission/create-permissions.ts'
import type { Need, PermissionRule, Permissions, RuleScope } from '../../tool/permission/permission.ts'

export interface FolderPermissionsOptions {
  readonly file: string
  /** For this session alone. */
  readonly allow: readonly RuleScope[]
  readonly deny: readonly RuleScope[]
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** A rule, and whether it is kept when the session ends. */
export interface ListedRule extends PermissionRule {
  readonly kept: boolean
}

/** What the tools of a chat may do: what is kept for the folder, and what holds for the session. */
export class FolderPermissions implements Pick<Permissions, 'check'> {
  private readonly session: Permissions
  private readonly kept: PermissionFile
  private readonly record: FolderPermissionsOptions['record']

  constructor({ file, allow, deny, record }: FolderPermissionsOptions) {
    this.kept = openPermissionFile(file)
    this.session = createPermissions()
    for (const scope of allow) this.session.grant(scope)
    for (const scope of deny) this.session.deny(scope)
    this.record = record
  }

  check(needs: readonly Need[]): ReturnType<Permissions['check']> {
    try {
      return createPermissions([...this.session.rules, ...this.kept.rules]).check(needs)
    } catch {
      // The file was damaged meanwhile: what it denied is not known, so nothing is permitted.
      return { kind: 'denied', need: needs[0] ?? { capability: '' } }
    }
  }

  get rules(): readonly ListedRule[] {
    return [
      ...this.kept.rules.map((rule) => ({ ...rule, kept: true })),
      // Both count from r1 on; people must be able to tell them apart.
      ...this.session.rules.map((rule) => ({ ...rule, id: `s${rule.id.slice(1)}`, kept: false })),
    ]
  }

  grant(scope: RuleScope): Promise<PermissionRule> {
    return this.add('grant', scope)
  }

  deny(scope: RuleScope): Promise<PermissionRule> {
    return this.add('deny', scope)
  }

  /** A rule that cannot be recorded is taken back. */
  private async add(effect: 'grant' | 'deny', scope: RuleScope): Promise<PermissionRule> {
    const rule = await this.kept[effect](scope)
    try {
      await this.record({ type: `permission-${effect}`, rule: { ...rule } })
      return rule
    } catch (error) {
      await this.kept.revoke(rule.id)
      throw error
    }
  }

  /** Recorded first: a rule that is gone without a trace would be worse than one that stays. */
  async revoke(id: string): Promise<PermissionRule | undefined> {
    const rule = this.rules.find((one) => one.id === id)
    if (!rule) return undefined
    await this.record({ type: 'permission-revoke', rule: { ...rule } })
    return rule.kept ? this.kept.revoke(id) : this.session.revoke(`r${id.slice(1)}`)
  }
}
