// Builds dist/ from nothing, so that a file that was renamed or removed is not published by accident.
// Also runs as `prepare`: after `npm ci`, and before packing.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}/dist`, { recursive: true, force: true })
try {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
} catch {
  process.exit(1) // tsc has said why
}
if (existsSync(`${root}/dist/cli/main.js`)) chmodSync(`${root}/dist/cli/main.js`, 0o755)
