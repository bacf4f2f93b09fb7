import { createLiveView } from './live-view.ts'
import { createPlainView } from './plain-view.ts'
import type { RunView, RunViewOptions } from './run-view.ts'

export type { RunView, RunViewOptions }

export const createRunView = (options: RunViewOptions): RunView =>
  options.live ? createLiveView(options) : createPlainView(options)
