import type { KnipConfig } from 'knip'
import { entries } from './scripts/entries.ts'

export default {
  entry: [...entries.map(({ source }) => source), 'src/cli/main.ts', 'scripts/*.ts', 'examples/**/*.ts'],
  project: ['src/**/*.ts', 'tests/**/*.ts', 'scripts/*.ts', 'examples/**/*.ts'],
  // started as commands by tests/package.test.ts; needed by the types of @ai-sdk/provider, which does not bring it
  ignoreDependencies: ['publint', '@arethetypeswrong/cli', '@types/json-schema'],
} satisfies KnipConfig
