import type { Model } from '../../model/model.ts'

// The provider package is known to src/model alone, so its other types are taken from the model's.

/** Any model of the AI SDK. */
export type LanguageModel = Model
/** What it is asked: the prompt, the tools, the form of the answer. */
export type CallOptions = Parameters<LanguageModel['doStream']>[0]

export type Prompt = CallOptions['prompt']
type MessageOf<Role extends Prompt[number]['role']> = Extract<Prompt[number], { role: Role }>
export type UserPart = MessageOf<'user'>['content'][number]
export type FilePart = Extract<UserPart, { type: 'file' }>
export type AssistantPart = MessageOf<'assistant'>['content'][number]
export type ToolResultPart = Extract<MessageOf<'tool'>['content'][number], { type: 'tool-result' }>
export type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>

type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
export type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never
export type Finish = Extract<StreamPart, { type: 'finish' }>

/** The models that are served. */
export interface ServedModels {
  /** The names that are listed; others may be understood too. */
  readonly names: readonly string[]
  /** The model of this name; nothing if there is none. */
  modelOf(name: string): LanguageModel | undefined
}
