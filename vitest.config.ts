import { spawnSync } from 'node:child_process'
import { defineConfig } from 'vitest/config'
import { ShortOnesLast } from './test/support/order.ts'

// Our code and pdf.js need Bun; plain `npx vitest run` re-runs itself on it and keeps the exit code.
if (!process.versions.bun) {
  const args = ['--bun', 'node_modules/vitest/vitest.mjs', ...process.argv.slice(2)]
  process.exit(spawnSync('node_modules/.bin/bun', args, { stdio: 'inherit' }).status ?? 1)
}

export default defineConfig({
  test: {
    // `forks` fails on Bun (child.channel is undefined there).
    pool: 'threads',
    // One of them often waits: three keep two cores busy.
    maxWorkers: 3,
    // A worker for each file would load the program again 420 times, for a second or more of CPU each.
    // So a file cleans up what it changes: timers, mocks, variables of the environment.
    isolate: false,
    sequence: { sequencer: ShortOnesLast },
    include: ['test/{unit,integration,contract,property,e2e,simulator,fuzz,attacks}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/fuzz.ts'],
    // Several times what the heaviest test takes on a machine that does much else.
    testTimeout: 480_000,
    hookTimeout: 480_000,
  },
})
