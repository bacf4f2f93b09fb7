export { type Damage, type Damaged, damage, damages } from '../model/rehearsal/damage.ts'
export { exampleMarker } from '../model/rehearsal/fill-template.ts'
export { type RehearsalDamage, rehearsalDamages } from '../model/rehearsal/rehearsal-damages.ts'
export { type RehearsalOptions, rehearsalModel } from '../model/rehearsal/rehearsal-model.ts'
export {
  type Script,
  type ScriptedError,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedPart,
  type ScriptedReply,
  scriptedModel,
} from '../model/rehearsal/scripted-model.ts'
export { formatConformance } from './format-conformance.ts'
export { splits } from './splits.ts'
