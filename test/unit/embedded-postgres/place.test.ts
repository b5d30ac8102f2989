import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { preparePlace } from '../../../host/embedded-postgres/place.ts'
import { StorageError } from '../../../kernel/storage/errors.ts'

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
