import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptSecret } from '../../../host/secrets/kept-secret.ts'
import { VaultError } from '../../../kernel/auth/secrets.ts'
import { createVault, loadMasterKey } from '../../../host/secrets/vault.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'coinop-vault-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('vault', () => {
  it('opens what it sealed, and seals the same text differently each time', async () => {
    const vault = createVault(Buffer.alloc(32, 7))
    const [first, second] = [await vault.seal('grün ✓'), await vault.seal('grün ✓')]
    expect(first).not.toBe(second)
    expect(first).not.toContain('grün')
    expect(await vault.open(first)).toBe('grün ✓')
    expect(await vault.open(await vault.seal(''))).toBe('')
  })

  it('names both master keys when the text was sealed under another one', async () => {
    const sealed = await createVault(Buffer.alloc(32, 1)).seal('secret')
    const opening = createVault(Buffer.alloc(32, 2)).open(sealed)
    await expect(opening).rejects.toThrow(
      /sealed under master key [0-9a-f]{8}, but this gateway has master key [0-9a-f]{8}/,
    )
    await expect(opening).rejects.toBeInstanceOf(VaultError)
  })

  it('refuses an altered text, a cut one and one that was never sealed', async () => {
    const vault = createVault(Buffer.alloc(32, 1))
    const sealed = await vault.seal('secret')
    const last = sealed.at(-1) === 'A' ? 'Q' : 'A'
    for (const bad of [`${sealed.slice(0, -1)}${last}`, sealed.slice(0, 20), 'plain', '']) {
      await expect(vault.open(bad)).rejects.toBeInstanceOf(VaultError)
    }
  })

  it('derives the same secret for the same use, and another one for another use or master key', () => {
    const hex = (master: number, info: string, bytes = 32) =>
      Buffer.from(createVault(Buffer.alloc(32, master)).derive(info, bytes)).toString('hex')
    // openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:07… -kdfopt info:"a use v1" HKDF
    expect(hex(7, 'a use v1')).toBe(
      '954be3c8b92ea69bab40d047fb51759f53621a9e6ff8275cf9ce3f871df7d33d',
    )
    expect(hex(7, 'a use v1', 8)).toBe('954be3c8b92ea69b')
    expect(hex(7, 'another use v1')).not.toBe(hex(7, 'a use v1'))
    expect(hex(8, 'a use v1')).not.toBe(hex(7, 'a use v1'))
  })
})

describe('master key', () => {
  it('comes from the environment, or is made once with mode 0600', () => {
    const given = Buffer.alloc(32, 9)
    expect(loadMasterKey(given.toString('base64'), dataDir)).toEqual(given)
    expect(readdirSync(dataDir)).toEqual([])
    const made = loadMasterKey(null, join(dataDir, 'new', 'folder'))
    expect(made).toHaveLength(32)
    expect(loadMasterKey(null, join(dataDir, 'new', 'folder'))).toEqual(made)
    const mode = statSync(join(dataDir, 'new', 'folder', 'master-key')).mode
    expect(mode & 0o777).toBe(0o600)
    expect(readdirSync(join(dataDir, 'new', 'folder'))).toEqual(['master-key'])
  })

  it('refuses a key of another size', () => {
    expect(() => loadMasterKey('c2hvcnQ=', dataDir)).toThrow('COINOP_MASTER_KEY must hold 32 bytes')
  })
})

describe('kept secret', () => {
  it('says who made it', () => {
    expect(keptSecret(dataDir, 'x', () => 'one')).toMatchObject({ text: 'one', made: true })
    expect(keptSecret(dataDir, 'x', () => 'two')).toMatchObject({ text: 'one', made: false })
  })

  it('keeps the text of another process that was faster', () => {
    const slow = keptSecret(dataDir, 'x', () => {
      keptSecret(dataDir, 'x', () => 'fast')
      return 'slow'
    })
    expect(slow).toMatchObject({ text: 'fast', made: false })
  })
})
