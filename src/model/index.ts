export { LegibleError } from '../core/legible-error.ts'
export { type LoadModelOptions, loadModel, type ModelSource } from './load-model.ts'
export { type LegibleOptions, legible } from './middleware/legible.ts'
