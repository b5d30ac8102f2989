import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { preparePlace } from '../../../host/embedded-postgres/place.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

afterEach(() => vi.unstubAllEnvs())

it('a socket finds a short path where those of DATA_DIR and TMPDIR are too long', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coinop-place-'))
  let socketDir = ''
  try {
    const long = join(scratch, 'x'.repeat(100))
    mkdirSync(long)
    vi.stubEnv('TMPDIR', long)
    socketDir = preparePlace(join(long, 'data')).socketDir
    expect(dirname(socketDir)).toBe('/tmp')
  } finally {
    if (socketDir !== '') rmSync(socketDir, { recursive: true })
    rmSync(scratch, { recursive: true, force: true })
  }
})

it('a DATA_DIR that cannot be made is named, with what to do', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coinop-place-'))
  try {
    writeFileSync(join(scratch, 'file'), '')
    const refused = (() => {
      try {
        return preparePlace(join(scratch, 'file', 'data'))
      } catch (error) {
        return error
      }
    })()
    expect(refused).toBeInstanceOf(StorageError)
    expect((refused as StorageError).message).toContain(`DATA_DIR ${join(scratch, 'file', 'data')}`)
    expect((refused as StorageError).fix).toContain('DATABASE_URL')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})
