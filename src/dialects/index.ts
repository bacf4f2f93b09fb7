export type { CallForm, Dialect } from './dialect.ts'
export { dialects } from './dialects.ts'
export type { ReasoningMode } from './read/grammar.ts'
export type { CallToWrite } from './write/write-calls.ts'
