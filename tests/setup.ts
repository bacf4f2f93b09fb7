// Properties try the same values in every run, so that a failure is a change of ours and not of luck. Another
// PROPERTY_SEED tries others.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
