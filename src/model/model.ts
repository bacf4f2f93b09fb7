/** What loops run on: any model of the AI SDK, in its newest form. `loadModel` makes one of older forms and of names. */
export type { LanguageModelV4 as Model } from '@ai-sdk/provider'
