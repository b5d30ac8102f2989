/** How receipts are named, written and read, without a gateway. */
import { describe, expect, it } from 'vitest'
import type { ReceiptFacts } from '../../../../kernel/rails/contract.ts'
import { didDocumentOf, didPlaceOf, documentUrlOf } from '../../../../plugins/receipts/did.ts'
import {
  JwsSigner,
  keyOf,
  JwsReceiptSigner,
  type Payload,
} from '../../../../plugins/receipts/signer.ts'
import { readReceipt, verifiedBy } from '../../../../plugins/receipts/verify.ts'
import { walletsOf } from '../../../../plugins/receipts/wallets.ts'
import { RECEIPTS_KEY } from '../../../../plugins/receipts/variables.ts'

const DID = 'did:web:api.example.com'
const key = keyOf(new Uint8Array(32).fill(7))
const other = keyOf(new Uint8Array(32).fill(8))
const facts: ReceiptFacts = {
  rail: 'credits',
  chargedAtomic: 10_000n,
  keyId: 'key_1',
  accountId: 'acc_1',
  via: 'key',
  payment: null,
  transaction: null,
  ledgerId: 'entry_1',
  requestId: 'request_1',
  resourceUrl: 'https://api.example.com/v1/a',
  transport: 'http',
  body: new TextEncoder().encode('{}'),
}
function signer(owners: readonly string[] = []) {
  let asked = 0
  const accounts = {
    owners: async () => {
      asked++
      return owners.map((subject) => ({ subject, addedAt: new Date(0) }))
    },
  }
  const receipts = new JwsReceiptSigner({
    jws: new JwsSigner(DID, key),
    network: () => 'eip155:8453',
    walletOf: walletsOf(accounts),
    now: () => new Date(1_800_000_000_999),
  })
  const payload = async (more: Partial<ReceiptFacts> = {}) =>
    readReceipt((await receipts.sign({ ...facts, ...more })).text)!.payload
  return { receipts, payload, asked: () => asked }
}

describe('the name of a gateway', () => {
  it.each([
    ['https://api.example.com', 'did:web:api.example.com', '/.well-known/did.json'],
    ['http://localhost:8402', 'did:web:localhost%3A8402', '/.well-known/did.json'],
    ['https://example.com/apis/one', 'did:web:example.com:apis:one', '/did.json'],
    ['https://example.com/@team/a+b', 'did:web:example.com:@team:a+b', '/did.json'],
    ['http://[::1]:8402', 'did:web:%5B%3A%3A1%5D%3A8402', '/.well-known/did.json'],
  ])('%s is %s', (publicUrl, did, path) => {
    expect(didPlaceOf(publicUrl)).toEqual({ did, path })
    expect(documentUrlOf(`${did}#receipts-1`)).toBe(`${publicUrl}${path}`)
  })

  it.each([
    'did:key:z6Mk#z6Mk',
    'did:web:',
    'did:web:a.example',
    'https://a.example',
    '',
    'did:web:%E0%A4%A#k',
    'did:web:localhost%3A1%40a.example#k',
    'did:web:a.example%2Fx%3F#k',
    'did:web:a.example%3A99999#k',
    'did:web:a.example:x?y#k',
  ])('%j leads to no document', (text) => {
    expect(documentUrlOf(text)).toBeNull()
  })
})

describe('keys', () => {
  it('are named by themselves, so that the others of the list may go', () => {
    expect(key.fragment).toBe(keyOf(new Uint8Array(32).fill(7)).fragment)
    expect(key.fragment).not.toBe(other.fragment)
    expect(key.fragment).toMatch(/^receipts-\d{1,10}$/)
  })

  it('are published without their secret', () => {
    const document = didDocumentOf(DID, [key, other])
    const [first] = document.verificationMethod
    expect(Object.keys(first!.publicKeyJwk).sort()).toEqual(['alg', 'crv', 'kty', 'x'])
    expect(document.assertionMethod).toEqual([key, other].map((one) => `${DID}#${one.fragment}`))
  })

  it('are seeds of 32 bytes in base64', () => {
    const seed = Buffer.alloc(32, 1).toString('base64')
    expect(RECEIPTS_KEY.parse(`${seed}, ${seed}`)).toEqual({ ok: true, value: [seed, seed] })
    for (const bad of ['abc', Buffer.alloc(31).toString('base64'), `${seed},x`])
      expect(RECEIPTS_KEY.parse(bad).ok, bad).toBe(false)
  })
})

describe('a receipt', () => {
  it('is read by the key it names, and by no other', async () => {
    const { receipts } = signer()
    const read = readReceipt((await receipts.sign(facts)).text)!
    const check = (keys: Parameters<typeof didDocumentOf>[1], body: string | null = '{}') =>
      verifiedBy(
        read,
        JSON.stringify(didDocumentOf(DID, keys)),
        body === null ? null : new TextEncoder().encode(body),
      ).problem
    expect(check([other, key])).toBeNull()
    expect(check([key], null)).toBeNull()
    expect(check([key], '{} ')).toBe('it is of another body')
    expect(check([other])).toMatch(/lists no key/)
    const renamed = { ...other, fragment: key.fragment }
    expect(check([renamed])).toBe('the signature is wrong')
  })

  it('is no offer, which the same key signs and nobody has paid', () => {
    const { resourceUrl } = facts
    const offer = {
      version: 1,
      resourceUrl,
      scheme: 'exact',
      network: 'n',
      amount: '1',
      payTo: 'p',
    }
    const document = JSON.stringify(didDocumentOf(DID, [key]))
    const problemOf = (payload: Payload, did = DID) =>
      verifiedBy(readReceipt(new JwsSigner(did, key).sign(payload))!, document, null).problem
    expect(problemOf(offer)).toMatch(/says of no payment/)
    expect(problemOf({ ...offer, payer: 'p' })).toMatch(/says of no payment/)
    expect(problemOf({ ...offer, payer: 'p', issuedAt: 1 })).toBeNull()
  })

  it.each([
    [DID, 'https://api.example.com/v1/a', null],
    [DID, 'mcp://tool/a', null],
    [DID, 'https://bank.example/v1/a', /not of the gateway/],
    [DID, 'https://api.example.com.bank.example/v1/a', /not of the gateway/],
    [DID, 'http://api.example.com/v1/a', null],
    [DID, 'https://api.example.com@bank.example/v1/a', /not of the gateway/],
    [DID, 'a', /not of the gateway/],
    ['did:web:example.com:one', 'https://example.com/one/v1/a', null],
    ['did:web:example.com:one', 'https://example.com/two/v1/a', /not of the gateway/],
    ['did:web:example.com:one', 'https://example.com/one/../two', /not of the gateway/],
    ['did:key:z6Mk', 'https://example.com/a', null],
  ])('of the key of %s for %s', (did, resourceUrl, problem) => {
    const text = new JwsSigner(did, key).sign({
      issuedAt: 1,
      network: 'n',
      payer: 'p',
      resourceUrl,
    })
    const document = JSON.stringify(didDocumentOf(did, [key]))
    const found = verifiedBy(readReceipt(text)!, document, null).problem
    if (problem === null) expect(found).toBeNull()
    else expect(found).toMatch(problem)
  })

  it('is valid by no key of another length', async () => {
    const { receipts } = signer()
    const read = readReceipt((await receipts.sign(facts)).text)!
    const document = JSON.stringify(didDocumentOf(DID, [key])).replace(key.publicJwk.x, 'AAAA')
    expect(verifiedBy(read, document, null).problem).toMatch(/lists no key/)
  })

  it.each(['', 'a.b.c', 'a.b', '..', `${'e30.'.repeat(2)}AA`, '🙂.🙂.🙂'])('%j is none', (text) => {
    expect(readReceipt(text)).toBeNull()
  })

  it('signed by another algorithm, or none, is none', () => {
    const head = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    for (const header of [{ alg: 'none', kid: 'k' }, { alg: 'HS256', kid: 'k' }, { alg: 'EdDSA' }])
      expect(readReceipt(`${head(header)}.e30.AA`)).toBeNull()
  })

  it.each(['', 'null', '[]', '{}', '{"verificationMethod":[null],"assertionMethod":["k"]}'])(
    'is valid by no document %j',
    async (document) => {
      const { receipts } = signer()
      const read = readReceipt((await receipts.sign(facts)).text)!
      expect(verifiedBy(read, document, null).problem).toMatch(/lists no key/)
    },
  )

  it('of credits names the key, or the wallet that the account belongs to', async () => {
    const address = '0x0000000000000000000000000000000000000001'
    const byWallet = signer(['email:a@b.example', `eip155:${address}`])
    expect(await byWallet.payload()).toMatchObject({ payer: 'key:key_1', issuedAt: 1_800_000_000 })
    expect(byWallet.asked()).toBe(0)
    for (let time = 0; time < 2; time++)
      expect(await byWallet.payload({ via: 'wallet' })).toMatchObject({ payer: address })
    expect(byWallet.asked()).toBe(1)
    const onOneChain = signer([`eip155:8453:${address}`])
    expect(await onOneChain.payload({ via: 'wallet' })).toMatchObject({ payer: address })
    expect(await signer([]).payload({ via: 'oauth' })).toMatchObject({ payer: 'key:key_1' })
  })

  it('of a payment names what was paid', async () => {
    const payment = { scheme: 'exact', network: 'n:1', asset: '0xa', payer: '0xb', amount: '9' }
    expect(await signer().payload({ payment, transaction: '0xt' })).toMatchObject({
      ...payment,
      transaction: '0xt',
    })
  })

  it('of a very long address leaves the query out', async () => {
    const { payload, receipts } = signer()
    const resourceUrl = `https://api.example.com/v1/a?q=${'x'.repeat(2000)}`
    expect(await payload({ resourceUrl })).toMatchObject({
      resourceUrl: 'https://api.example.com/v1/a',
    })
    const endless = `https://api.example.com/${'x'.repeat(2000)}`
    expect(() => receipts.sign({ ...facts, resourceUrl: endless })).toThrow(/characters/)
  })

  it('is found again in the headers of a kept answer', async () => {
    const { receipts } = signer()
    const signed = await receipts.sign(facts)
    const sent = () => facts.body
    expect(receipts.keptIn({ ...signed.headers, other: '1' }, sent)).toEqual(signed)
    expect(receipts.keptIn({ other: '1' }, sent)).toBeNull()
  })

  it('is not that of another body', async () => {
    const { receipts } = signer()
    const { headers } = await receipts.sign(facts)
    expect(receipts.keptIn(headers, () => Uint8Array.from([...facts.body, 0]))).toBeNull()
    expect(() => receipts.keptIn({ 'coinop-receipt': 'junk' }, () => facts.body)).toThrow()
  })
})
