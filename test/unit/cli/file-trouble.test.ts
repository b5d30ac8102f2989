/** Which folders are told to refuse what a gateway has to write. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closedFiles, fileFix, refusesWriting } from '../../../cli/file-trouble.ts'

it('a folder can be written where it, or the one above it, can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-file-trouble-'))
  try {
    writeFileSync(join(folder, 'file'), '')
    expect(refusesWriting(folder)).toBe(false)
    expect(refusesWriting(join(folder, 'a', 'b'))).toBe(false)
    expect(refusesWriting(join(folder, 'file', 'a'))).toBe(true)
    expect(closedFiles([join(folder, 'file'), join(folder, 'none')])).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.each([
  ['EROFS', 'Mount its file system for writing, or set DATA_DIR to another folder.'],
  ['ENOSPC', 'Free some space there, or set DATA_DIR to another folder.'],
  ['ENOENT', null],
])('of a file with %s', (code, fix) => {
  expect(fileFix(Object.assign(new Error(), { code, path: '/data' }))).toBe(fix)
  expect(fileFix(Object.assign(new Error(), { code }))).toBeNull()
})

it('a folder for temporary files that is missing or closed is to be another', () => {
  const fixOf = (code: string, ...names: string[]) =>
    fileFix(Object.assign(new Error(), { code, path: join(tmpdir(), ...names) }))
  const fix = 'Set TMPDIR to a folder that this user may write to.'
  expect([fixOf('ENOENT'), fixOf('EACCES', 'coinop-job-1-XXXXXX')]).toEqual([fix, fix])
  expect(fixOf('EACCES', 'data')).toContain('chown')
  expect(fixOf('ENOENT', 'data')).toBeNull()
})
