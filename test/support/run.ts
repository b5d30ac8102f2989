/**
 * What `npm test` runs: vitest under Bun with its own output, then the parts that were skipped, then
 * one line that tells how it went. A run without a single executed test fails.
 */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { leftovers, removeKilledRuns, RUN_FOLDER } from './leftovers.ts'
import { SKIPS_FILE } from './skips.ts'

interface Report {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

const root = resolve(import.meta.dirname, '../..')
removeKilledRuns()
const scratch = mkdtempSync(join(tmpdir(), `${RUN_FOLDER}${process.pid}-`))
const reportFile = join(scratch, 'report.json')
const skipsFile = join(scratch, 'skips')
/** The tests' own, so that what they leave there can be told and goes. */
const temporary = join(scratch, 'tmp')
mkdirSync(temporary)
// The databases of root run as another user, who must be able to pass and to write.
chmodSync(scratch, 0o755)
chmodSync(temporary, 0o1777)

const status = await runVitest()
const report = existsSync(reportFile)
  ? (JSON.parse(readFileSync(reportFile, 'utf8')) as Report)
  : null
const skips = existsSync(skipsFile) ? readFileSync(skipsFile, 'utf8').trim().split('\n') : []
for (const left of await leftovers(temporary)) console.log(`LEFT ${left}`)
rmSync(scratch, { recursive: true, force: true })
process.exitCode = conclude(status, report, skips)

function runVitest(): Promise<number> {
  const bun = process.versions['bun'] ? process.execPath : join(root, 'node_modules/.bin/bun')
  const given = process.argv.slice(2)
  const reporters = given.some((argument) => argument.startsWith('--reporter'))
    ? ['--reporter=json']
    : ['--reporter=default', '--reporter=json']
  const child = spawn(
    bun,
    [
      '--bun',
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...reporters,
      `--outputFile.json=${reportFile}`,
      ...given,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        // Memory is used again at once here: giving it back meanwhile took a tenth of a run.
        MIMALLOC_PURGE_DELAY: '-1',
        ...process.env,
        TMPDIR: temporary,
        [SKIPS_FILE]: skipsFile,
      },
    },
  )
  // Ctrl-C reaches vitest too, which ends its servers; we wait for it.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => done(code ?? 1))
  })
}

/** Prints the end of the run and returns the exit code. */
function conclude(status: number, report: Report | null, skips: readonly string[]): number {
  const passed = report?.numPassedTests ?? 0
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
  let failed = (report?.testResults ?? []).reduce((sum, file) => sum + failures(file), 0)
  if (status !== 0 && failed === 0) {
    console.error(`vitest ended with status ${status} outside of the tests.`)
    failed = 1
  } else if (passed + failed === 0) {
    console.error('No test ran.')
    failed = 1
  }
  for (const skip of new Set(skips)) console.log(`SKIPPED ${skip}`)
  if (skipped > 0) console.log(`${skipped} skipped`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? Math.max(status, 1) : 0
}

/** A file that failed outside of its tests (import, hooks) counts as one failure. */
function failures(file: Report['testResults'][number]): number {
  const failed = file.assertionResults.filter((result) => result.status === 'failed').length
  return failed === 0 && file.status === 'failed' ? 1 : failed
}
