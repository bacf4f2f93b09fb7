import type { Need } from '../../tool/permission/permission.ts'

/** A call as the model wrote it. */
export interface AuditedCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** Plain data: what is permitted, and to whom. */
export type AuditedRule = Readonly<Record<string, unknown>>

/** What happened. Secrets in it are taken out when it is recorded. */
export type AuditEntry =
  | {
      readonly type: 'session-start'
      readonly command: string
      readonly model: string
      readonly root: string
    }
  | { readonly type: 'session-end'; readonly reason: string }
  | {
      readonly type: 'call-start'
      readonly call: AuditedCall
      readonly needs: readonly Need[]
      readonly permittedBy: 'rule' | 'person' | 'program'
    }
  | {
      readonly type: 'call-end'
      readonly call: Pick<AuditedCall, 'id' | 'name'>
      readonly ok: boolean
      readonly code?: string
      readonly milliseconds: number
      /** Never what it was: how much, and what it can be recognised by. */
      readonly result?: { readonly bytes: number; readonly sha256: string }
    }
  | {
      readonly type: 'call-refused'
      readonly call: AuditedCall
      readonly code: string
      readonly reason: string
    }
  | {
      readonly type: 'permission-grant' | 'permission-deny' | 'permission-revoke'
      readonly rule: AuditedRule
    }

/** What the log tells of itself: it was found torn, or without its head, and went on. */
export type MendedEntry =
  | {
      readonly type: 'log-mended'
      readonly found: 'torn'
      readonly bytes: number
      readonly kept: boolean
    }
  | { readonly type: 'log-mended'; readonly found: 'head_missing' }
