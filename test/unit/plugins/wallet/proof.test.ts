/** Proofs as they come in, and the table of what they must be. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { encodeSIWxHeader, createSIWxPayload } from '@x402/extensions/sign-in-with-x'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import '../../../support/fuzz.ts'
import { CHECKS, wrongIn, type Expected } from '../../../../plugins/wallet/checks.ts'
import { isOwnNonce, makeNonce } from '../../../../plugins/wallet/nonce.ts'
import { chainsOf, signInOffer } from '../../../../plugins/wallet/offer.ts'
import { decodeProof, type Proof } from '../../../../plugins/wallet/proof.ts'
import { signerOf } from '../../../../plugins/wallet/signer.ts'
import { encodeBase58 } from '../../../../plugins/shared/signing/base58.ts'
import { isTextSignedBy } from '../../../../plugins/shared/signing/ed25519.ts'
import type { SignInOffer } from '../../../../plugins/shared/signing/sign-in-offer.ts'

const buyer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const settings = { domain: 'api.example.com', key: new Uint8Array(32).fill(7), ttlMs: 300_000 }
const uri = 'https://api.example.com/v1/paid/hash?x=1'
const chains = chainsOf([
  { kind: 'evm', network: 'eip155:8453' },
  { kind: 'solana', network: SOLANA },
  { kind: 'evm', network: 'eip155:8453' },
  { kind: 'evm', network: 'eip155:1' },
])
const expected: Expected = { ...settings, uri, chains, nowMs: NOW + 1000 }
const offer = (): SignInOffer => signInOffer(settings, uri, chains, NOW)

/** What an unmodified client sends for the offer. */
async function headerOf({ info, supportedChains }: SignInOffer, chain = 0): Promise<string> {
  const resources = [...info.resources]
  const whole = { ...info, resources, ...supportedChains[chain]! }
  return encodeSIWxHeader(await createSIWxPayload(whole, buyer, uri))
}
async function proofOf(made = offer(), chain = 0): Promise<Proof> {
  const proof = decodeProof(await headerOf(made, chain))
  if (typeof proof === 'string') throw new Error(proof)
  return proof
}

describe('a proof of an unmodified client', () => {
  it('passes every check and names its wallet', async () => {
    const proof = await proofOf()
    expect(wrongIn(proof, expected)).toBeNull()
    expect(await signerOf(proof)).toEqual({
      kind: 'wallet',
      subject: `eip155:${buyer.address.toLowerCase()}`,
    })
  })

  it('is of the same owner on every EVM chain', async () => {
    const proof = await proofOf(offer(), 2)
    expect(proof.chainId).toBe('eip155:1')
    expect(wrongIn(proof, expected)).toBeNull()
    expect(await signerOf(proof)).toMatchObject({
      subject: `eip155:${buyer.address.toLowerCase()}`,
    })
  })

  it('of a Solana wallet as well', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const address = encodeBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const made = offer()
    const signer = {
      publicKey: address,
      signMessage: async (text: Uint8Array) => new Uint8Array(sign(null, text, privateKey)),
    }
    const whole = { ...made.info, resources: [...made.info.resources], ...chains[1]! }
    const proof = decodeProof(
      encodeSIWxHeader(await createSIWxPayload(whole, signer, uri)),
    ) as Proof
    expect(wrongIn(proof, expected)).toBeNull()
    expect(await signerOf(proof)).toEqual({ kind: 'wallet', subject: `solana:${address}` })
    const forged = encodeBase58(new Uint8Array(64).fill(9))
    expect(await signerOf({ ...proof, signature: forged })).toEqual({ kind: 'nobody' })
  })
})

describe('the table', () => {
  /** One change each, and the check that stops it. */
  const rows: [name: string, change: Partial<Proof>, reason: string][] = [
    ['another domain', { domain: 'evil.example' }, 'siwx_domain_mismatch'],
    ['another port', { domain: 'api.example.com:8443' }, 'siwx_domain_mismatch'],
    ['another path', { uri: 'https://api.example.com/v1/paid/echo' }, 'siwx_uri_mismatch'],
    ['another query', { uri: 'https://api.example.com/v1/paid/hash?x=2' }, 'siwx_uri_mismatch'],
    ['plain http', { uri: 'http://api.example.com/v1/paid/hash?x=1' }, 'siwx_uri_mismatch'],
    ['a chain that is not offered', { chainId: 'eip155:10' }, 'siwx_unsupported_chain'],
    ['no chain at all', { chainId: 'eip155:' }, 'siwx_unsupported_chain'],
    ['the type of another chain', { type: 'ed25519' }, 'siwx_unsupported_chain'],
    ['from the future', { issuedAt: '2026-11-22T12:00:03.000Z' }, 'siwx_issued_at'],
    ['too old', { issuedAt: '2026-11-22T11:55:01.000Z' }, 'siwx_issued_at'],
    ['no date', { issuedAt: 'yesterday' }, 'siwx_issued_at'],
    ['a date without a zone', { issuedAt: '2026-11-22T12:00:00.000' }, 'siwx_issued_at'],
    ['no expiration', { expirationTime: null }, 'siwx_expired'],
    ['expired', { expirationTime: '2026-11-22T12:00:01.000Z' }, 'siwx_expired'],
    ['expiring never', { expirationTime: '+275760-09-13T00:00:00.000Z' }, 'siwx_expired'],
    ['not valid yet', { notBefore: '2026-11-22T12:01:00.000Z' }, 'siwx_not_before'],
    ['another version', { version: '2' }, 'siwx_edited'],
    ['another statement', { statement: 'Give me everything' }, 'siwx_edited'],
    ['no statement', { statement: null }, 'siwx_edited'],
    ['more resources', { resources: [uri, 'https://evil.example/'] }, 'siwx_edited'],
    ['no resources', { resources: [] }, 'siwx_edited'],
    ['a request id', { requestId: 'mine' }, 'siwx_edited'],
    ['an earlier date', { issuedAt: '2026-11-22T11:59:00.000Z' }, 'siwx_nonce'],
    ['a later expiration', { expirationTime: '2026-11-22T13:00:00.000Z' }, 'siwx_nonce'],
    ['a nonce of its own', { nonce: '0'.repeat(32) }, 'siwx_nonce'],
    ['a nonce in capitals', { nonce: 'ABCDEF0123456789ABCDEF0123456789' }, 'siwx_nonce'],
    ['a short nonce', { nonce: '12345678' }, 'siwx_nonce'],
  ]
  it.each(rows)('refuses %s', async (_, change, reason) => {
    expect(wrongIn({ ...(await proofOf()), ...change }, expected)?.reason).toBe(reason)
  })

  it('has a row of this test for every check', () => {
    const covered = new Set(rows.map(([, , reason]) => reason))
    for (const { reason } of CHECKS) expect(covered).toContain(reason)
  })

  it('a nonce is for its place, its dates and its gateway alone', () => {
    const scope = { uri, issuedAt: 'a', expirationTime: 'b' }
    const nonce = makeNonce(settings.key, scope)
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(isOwnNonce(settings.key, nonce, scope)).toBe(true)
    expect(isOwnNonce(new Uint8Array(32), nonce, scope)).toBe(false)
    for (const change of [{ uri: uri + '1' }, { issuedAt: '' }, { expirationTime: 'c' }])
      expect(isOwnNonce(settings.key, nonce, { ...scope, ...change })).toBe(false)
    expect(isOwnNonce(settings.key, nonce, { ...scope, issuedAt: 'a"', expirationTime: '' })).toBe(
      false,
    )
    expect(new Set(Array.from({ length: 1000 }, () => makeNonce(settings.key, scope))).size).toBe(
      1000,
    )
  })
})

describe('a signature', () => {
  it.each<[string, (proof: Proof) => Partial<Proof>]>([
    ['another address', () => ({ address: other.address })],
    ['another chain than was signed', () => ({ chainId: 'eip155:1' })],
    ['an edited member', () => ({ nonce: 'f'.repeat(32) })],
    ['junk as signature', () => ({ signature: `0x${'ab'.repeat(65)}` })],
    ['the signature cut short', ({ signature }) => ({ signature: signature.slice(0, -2) })],
  ])('of %s is no key’s', async (_, change) => {
    const proof = await proofOf()
    const signer = await signerOf({ ...proof, ...change(proof) })
    expect(signer.kind).toBe('contract?')
    // A contract is an owner on its own chain only.
    expect(signer).toMatchObject({ subject: expect.stringMatching(/^eip155:\d+:0x[0-9a-f]{40}$/) })
  })

  it.each<[string, Partial<Proof>]>([
    ['no address', { address: 'nobody' }],
    ['no hex', { signature: 'signed' }],
    ['a line feed in the statement', { statement: 'a\nURI: https://evil.example/' }],
    ['a line feed in the address', { address: `${buyer.address}\n` }],
    ['another kind of chain', { chainId: 'cosmos:1' }],
  ])('with %s is nobody’s', async (_, change) => {
    expect(await signerOf({ ...(await proofOf()), ...change })).toEqual({ kind: 'nobody' })
  })

  it('under a Solana key of small order is nobody’s, whatever is signed', () => {
    const identity = new Uint8Array(32)
    identity[0] = 1
    const forged = new Uint8Array(64)
    forged[0] = 1
    expect(isTextSignedBy(encodeBase58(identity), 'any text', encodeBase58(forged))).toBe(false)
    identity[31] = 0x80
    expect(isTextSignedBy(encodeBase58(identity), 'any text', encodeBase58(forged))).toBe(false)
  })
})

describe('a header of anybody', () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  it('is read as far as it is a proof', async () => {
    const proof = await proofOf()
    const junk = [
      '',
      ' ',
      '%%%',
      'abc',
      'e30',
      'e30=\n',
      base64(null),
      base64([]),
      base64('text'),
      base64({}),
      base64({ ...proof, nonce: 5 }),
      base64({ ...proof, signature: undefined }),
      base64({ ...proof, resources: 'x' }),
      base64({ ...proof, resources: [1] }),
      base64({ ...proof, resources: Array(17).fill('x') }),
      base64({ ...proof, statement: {} }),
      base64({ ...proof, statement: 'x'.repeat(4000) }),
      Buffer.from([0xff, 0xfe]).toString('base64'),
      base64(proof).replaceAll('=', '').replaceAll('+', '-') + '_',
    ]
    for (const one of junk) expect([one, typeof decodeProof(one)]).toEqual([one, 'string'])
    expect(decodeProof(base64({ ...proof, unknown: 'member' }))).toEqual(proof)
  })

  it('never throws, and passes nothing that was not offered', async () => {
    const proof = await proofOf()
    const members = fc.constantFrom(...(Object.keys(proof) as (keyof Proof)[]))
    const value = fc.oneof(fc.string(), fc.constant(null), fc.array(fc.string()), fc.integer())
    await fc.assert(
      fc.asyncProperty(members, value, async (name, drawn) => {
        const read = decodeProof(base64({ ...proof, [name]: drawn }))
        if (typeof read === 'string') return
        if (JSON.stringify(read) === JSON.stringify(proof)) return
        const isPassed = wrongIn(read, expected) === null
        if (isPassed) expect((await signerOf(read)).kind).not.toBe('wallet')
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.base64String(), (text, encoded) => {
        decodeProof(text)
        decodeProof(encoded)
      }),
      { numRuns: 3000 },
    )
  })
})
