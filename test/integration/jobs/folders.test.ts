import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeJobFolder, sweepJobFolders } from '../../../host/document-jobs/folders.ts'

test('folders of dead gateways are removed once old; those of living ones never', async () => {
  const dead = Bun.spawn(['true'])
  await dead.exited
  const left = mkdtempSync(join(tmpdir(), `coinop-job-${dead.pid}-`))
  writeFileSync(join(left, 'document.pdf'), 'x')
  const own = makeJobFolder()
  const living = mkdtempSync(join(tmpdir(), `coinop-job-${process.ppid}-`))
  const foreign = mkdtempSync(join(tmpdir(), 'coinop-jobs-x-'))
  try {
    expect(basename(own)).toMatch(new RegExp(`^coinop-job-${process.pid}-`))
    sweepJobFolders()
    expect(existsSync(left)).toBe(true)
    expect(sweepJobFolders(Date.now() + 2 * 3_600_000)).toBeGreaterThanOrEqual(1)
    expect([left, own, living, foreign].map((folder) => existsSync(folder))).toEqual([
      false,
      true,
      true,
      true,
    ])
  } finally {
    for (const folder of [left, own, living, foreign])
      rmSync(folder, { recursive: true, force: true })
  }
})

test('of a dead gateway whose process ids are ours, they go at the next start', async () => {
  const make = `import { makeJobFolder } from './host/document-jobs/folders.ts'; console.log(makeJobFolder())`
  const dead = Bun.spawnSync([process.execPath, '-e', make], { env: process.env })
  const left = dead.stdout.toString().trim()
  expect([dead.exitCode, existsSync(left)]).toEqual([0, true])
  sweepJobFolders()
  // Elsewhere than on Linux nobody can tell whose it is.
  expect(existsSync(left)).toBe(process.platform !== 'linux')
  rmSync(left, { recursive: true, force: true })
})
