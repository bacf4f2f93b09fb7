import type { TagGrammar } from './tag-grammar.ts'

/** What a mark may be: some are several things, and what stands around them tells which. */
export interface Role {
  /** Opens a place for calls. */
  open?: boolean
  /** It is an ordinary tag: what follows must have the form of a call, or it is text. */
  loose?: boolean
  /** White space before it belongs to it. */
  spaceBefore?: boolean
  /** So does the name of a tool. */
  nameBefore?: boolean
  /** The id of a call may stand behind its name. */
  lateId?: boolean
  /** A name without arguments may follow. */
  pairs?: boolean
  callsWhileReasoning?: boolean
  /** Closes a place for calls, or a call. */
  close?: boolean
  /** Closes a place that ordinary tags open: within a value it is text. */
  looseClose?: boolean
  /** Is never content. */
  token?: boolean
  /** Stands between the name of a call, its id and its arguments. */
  separator?: boolean
  reasoningOpen?: boolean
  reasoningClose?: boolean
  /** Closes reasoning: where calls stand it means nothing. */
  stray?: boolean
  /** The opening of reasoning is prose: it counts at the beginning only. */
  prose?: boolean
  /** One line break behind it belongs to it. */
  lineBreak?: boolean
  /** Stands around the answer. */
  answer?: boolean
  /** Begins the header of a message. */
  header?: boolean
  fence?: boolean
  /** Begins a quotation, and what ends it: calls within it are only shown. */
  quotes?: string
  /** Ends one. */
  unquotes?: boolean
  /** A value or a list may be a call without any mark. */
  bare?: 'json' | 'list'
  /** The name of a tool, on a line of its own. */
  line?: boolean
  /** The tag of an argument: behind a call, where it belongs to none, it is no content. */
  parameter?: boolean
  /** The beginning of the tag of a call. */
  tags?: TagGrammar[]
}
