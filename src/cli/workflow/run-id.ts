import { randomBytes } from 'node:crypto'

/** Short, so that people can type it; runs are looked up by any beginning of it that is the only one. */
export const newRunId = (): string => randomBytes(4).toString('hex')
