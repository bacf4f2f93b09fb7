export { type Damage, type Damaged, damage, damages } from './damage.ts'
export { formatConformance } from './format-conformance.ts'
export { splits } from './splits.ts'
