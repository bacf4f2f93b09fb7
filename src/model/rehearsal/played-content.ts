import type { LanguageModelV4Reasoning, LanguageModelV4Text, LanguageModelV4ToolCall } from '@ai-sdk/provider'

/** What a reply is made of. */
export type PlayedContent = LanguageModelV4Text | LanguageModelV4Reasoning | LanguageModelV4ToolCall
