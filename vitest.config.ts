import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    setupFiles: ['tests/setup.ts'],
    // One core is kept free otherwise: of two, that is half.
    maxWorkers: '100%',
    // For a machine that is busy with other things: what hangs still ends.
    testTimeout: 30_000,
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/index.ts'],
      reporter: ['text-summary', 'json-summary'],
      // A floor against untested files, not a target: the fixtures are what shows that reading works.
      thresholds: { lines: 85 },
    },
  },
})
