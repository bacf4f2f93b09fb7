import type { Read } from '../core/read.ts'
import type { SectionLike } from '../text/format.ts'

/** A section of a reply that knows what stands in it: how to ask for it, and how to read it. */
export interface Section<T = unknown> extends SectionLike {
  readonly name: string
  /** What the model shall write into this section. */
  readonly prompt: string
  /** Reads the content of the section. `offset`: where it begins in the reply, so that spans point there. */
  read(content: string, offset?: number): Read<T>
}

/** A section that ends a loop: its value is the answer. */
export interface Termination<T = unknown> extends Section<T> {
  readonly terminates: true
}
