/** What a call needs: a capability, and where. Without a place it may be anywhere. */
export interface Need {
  /** `fs.read`, `fs.write`; for a tool that says nothing of itself, its name. Reading does not imply writing. */
  readonly capability: string
  /** A file or folder, from the root on. */
  readonly path?: string | undefined
  /** All that is in the folder, too: a rule that denies some of it is against it. */
  readonly tree?: boolean | undefined
  readonly host?: string | undefined
}

/** What a rule is about: all of a capability; a folder and what is in it; a host, `*.example.com` for those below it. */
export interface RuleScope extends Omit<Need, 'tree'> {
  /** From then on the rule is as if it were not there. */
  readonly expires?: Date | string | undefined
}

/** A rule, as plain data. */
export interface PermissionRule extends Omit<Need, 'tree'> {
  readonly id: string
  readonly effect: 'grant' | 'deny'
  /** ISO 8601. */
  readonly expires?: string | undefined
}

/** What the rules say about a call. `unset`: nothing, which is no permission, but somebody may be asked. */
export type Ruling =
  | { readonly kind: 'granted' }
  | { readonly kind: 'denied'; readonly need: Need; readonly rule?: PermissionRule }
  | { readonly kind: 'unset'; readonly need: Need }

/**
 * Who may do what, and where. What no rule grants is not permitted, and a rule that denies counts more than any that
 * grants.
 */
export interface Permissions {
  /** Those that hold now. */
  readonly rules: readonly PermissionRule[]
  /** Granted is only what is granted as a whole: each of the needs. */
  check(needs: readonly Need[]): Ruling
  /** In place of any rule with just this scope. */
  grant(scope: RuleScope): PermissionRule
  /** In place of any rule with just this scope. */
  deny(scope: RuleScope): PermissionRule
  /** The rule that is no more; `undefined` if there was none with this id. */
  revoke(id: string): PermissionRule | undefined
}
