import type { AuditEntry } from '../../durable/audit/audit-entry.ts'
import { openPermissionFile, type PermissionFile } from '../../durable/permission-file.ts'
import { createPermissions } from '../../tool/permission/create-permissions.ts'
import type { Need, PermissionRule, Permissions, RuleScope } from '../../tool/permission/permission.ts'

export interface ChatPermissionsOptions {
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
export class ChatPermissions implements Pick<Permissions, 'check'> {
  private readonly session: Permissions
  private readonly kept: PermissionFile
  private readonly record: ChatPermissionsOptions['record']

  constructor({ file, allow, deny, record }: ChatPermissionsOptions) {
    this.kept = openPermissionFile(file)
    this.session = createPermissions()
    for (const scope of allow) this.session.grant(scope)
    for (const scope of deny) this.session.deny(scope)
    this.record = record
  }

  check(needs: readonly Need[]): ReturnType<Permissions['check']> {
    return createPermissions([...this.session.rules, ...this.kept.rules]).check(needs)
  }

  get rules(): readonly ListedRule[] {
    return [
      ...this.kept.rules.map((rule) => ({ ...rule, kept: true })),
      // Both count from r1 on; people must be able to tell them apart.
      ...this.session.rules.map((rule) => ({ ...rule, id: `s${rule.id.slice(1)}`, kept: false })),
    ]
  }

  async grant(scope: RuleScope): Promise<PermissionRule> {
    const rule = await this.kept.grant(scope)
    await this.record({ type: 'permission-grant', rule: { ...rule } })
    return rule
  }

  async deny(scope: RuleScope): Promise<PermissionRule> {
    const rule = await this.kept.deny(scope)
    await this.record({ type: 'permission-deny', rule: { ...rule } })
    return rule
  }

  async revoke(id: string): Promise<PermissionRule | undefined> {
    const rule = id.startsWith('s') ? this.session.revoke(`r${id.slice(1)}`) : await this.kept.revoke(id)
    if (rule) await this.record({ type: 'permission-revoke', rule: { ...rule } })
    return rule
  }
}
