import type { Card } from './card.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where everything stands. Nothing overlaps but what lies within a frame. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly title: Label
  readonly cards: readonly (Card & Box)[]
  readonly frames: readonly Frame[]
  readonly arrows: readonly Arrow[]
  readonly loops: readonly Loop[]
  readonly lines: readonly SideLine[]
  readonly labels: readonly Label[]
}

/** Around the steps of a RUN, or around agents that work at the same time. */
export interface Frame extends Box {
  readonly kind: 'run' | 'agents'
  readonly text: Label
}

export interface Label extends Box {
  readonly text: string
  /** That of the line it belongs to. */
  readonly color?: number
}

/** From one to the next, downwards. */
export interface Arrow {
  readonly x: number
  readonly from: number
  readonly to: number
}

/** What is repeated: from one place out to `x`, up, and back in at another. */
export interface Loop {
  readonly x: number
  readonly from: Port
  readonly to: Port
}

/** Where a line leaves a box, or comes to it. */
export interface Port {
  readonly x: number
  readonly y: number
}

/** The value of a variable that goes further than to the next: out of a box, down beside everything, in where it is used. */
export interface SideLine {
  /** Of its way down. */
  readonly x: number
  readonly from: Port
  readonly to: readonly Port[]
  /** Which of the colours it has, so that lines beside each other differ. */
  readonly color: number
}
