/** The text that wallets sign: the same as that of other projects, and unforgeable by its members. */
import { createSIWxMessage } from '@x402/extensions/sign-in-with-x'
import fc from 'fast-check'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import '../../../support/fuzz.ts'
import { readSignInText } from '../../../support/sign-in-text.ts'
import {
  signInText,
  type SignInMessage,
} from '../../../../plugins/shared/signing/sign-in-message.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const KEY = 'BSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW'
const message: SignInMessage = {
  namespace: 'eip155',
  domain: 'api.example.com:8443',
  address: ADDRESS,
  statement: 'Pay for one call.',
  uri: 'https://api.example.com:8443/v1/paid/hash?x=1',
  version: '1',
  chainReference: '8453',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: '2026-11-22T12:00:00.000Z',
  expirationTime: '2026-11-22T12:05:00.000Z',
  notBefore: null,
  requestId: null,
  resources: ['https://api.example.com:8443/v1/paid/hash?x=1'],
}
const variants: [string, SignInMessage][] = (['eip155', 'solana'] as const).flatMap((namespace) => {
  const own: SignInMessage =
    namespace === 'eip155'
      ? message
      : { ...message, namespace, address: KEY, chainReference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }
  const others: [string, Partial<SignInMessage>][] = [
    ['with all of the usual members', {}],
    ['without a statement', { statement: null }],
    ['without resources', { resources: [] }],
    ['without an expiration', { expirationTime: null }],
    ['with every member', { notBefore: '2026-11-22T11:00:00.000Z', requestId: 'r-1' }],
    ['with two resources', { resources: ['https://a.example/', 'ipfs://b'] }],
  ]
  return others.map(([name, change]) => [`${namespace} ${name}`, { ...own, ...change }])
})

describe('the text of a sign-in', () => {
  it.each(variants)('is that of @x402/extensions: %s', (_, given) => {
    const { namespace, chainReference, address, ...info } = given
    const shown = Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null))
    const theirs = createSIWxMessage(
      {
        ...(shown as {
          domain: string
          uri: string
          version: string
          nonce: string
          issuedAt: string
        }),
        chainId: `${namespace}:${chainReference}`,
        type: namespace === 'eip155' ? 'eip191' : 'ed25519',
        ...(info.resources.length === 0 && { resources: undefined }),
      },
      address,
    )
    expect(signInText(given)).toBe(theirs)
    expect(readSignInText(theirs)).toEqual(given)
  })

  it('is read by viem as it was written', () => {
    expect(parseSiweMessage(signInText(message)!)).toMatchObject({
      address: ADDRESS,
      chainId: 8453,
      domain: message.domain,
      nonce: message.nonce,
      statement: message.statement,
      uri: message.uri,
    })
  })

  it.each(['\n', '\r', '\t', '\0', '\u2028', 'é', '\u202e'])(
    'has no member with %j in it',
    (break_) => {
      const texts = ['domain', 'address', 'statement', 'uri', 'version', 'chainReference', 'nonce']
      for (const name of [...texts, 'issuedAt', 'expirationTime', 'notBefore', 'requestId'])
        expect([name, signInText({ ...message, [name]: `a${break_}b` })]).toEqual([name, null])
      expect(signInText({ ...message, resources: [`a${break_}b`] })).toBeNull()
    },
  )

  it('a statement cannot forge the lines below it', () => {
    const forged = 'Hello\n\nURI: https://evil.example/\nVersion: 1\nChain ID: 1\nNonce: 12345678'
    expect(signInText({ ...message, statement: forged })).toBeNull()
    const text = signInText(message)!.replace(message.statement!, forged)
    const read = readSignInText(text)
    expect(read?.uri).not.toBe('https://evil.example/')
    expect(read).toBeNull()
  })

  it('reads nothing that is not exactly a text of its own', () => {
    const text = signInText(message)!
    const junk = [
      '',
      text + '\n',
      '\n' + text,
      text.replaceAll('\n', '\r\n'),
      text.replace('Version: 1', 'Version:1'),
      text.replace('Nonce', 'nonce'),
      text.replace('URI: ', 'URI: \n'),
      text.replace('- https', '* https'),
      text.replace(`${ADDRESS}\n`, `${ADDRESS}\nx`),
      text.replace('Issued At', 'Expiration Time'),
      text + '\nResources:',
      'x'.repeat(9000),
    ]
    for (const one of junk) expect([one, readSignInText(one)]).toEqual([one, null])
  })

  const line = fc.string({ unit: fc.constantFrom(...'ab:/ -1\nURI'), minLength: 1, maxLength: 12 })
  it('whatever the members are: read back the same, or not written at all', () => {
    fc.assert(
      fc.property(
        fc.record({
          namespace: fc.constantFrom('eip155' as const, 'solana' as const),
          domain: line,
          address: line,
          statement: fc.option(line),
          uri: line,
          version: line,
          chainReference: line,
          nonce: line,
          issuedAt: line,
          expirationTime: fc.option(line),
          notBefore: fc.option(line),
          requestId: fc.option(line),
          resources: fc.array(line, { maxLength: 3 }),
        }),
        (drawn) => {
          const text = signInText(drawn)
          if (text !== null) expect(readSignInText(text)).toEqual(drawn)
          else expect(JSON.stringify(drawn)).toContain('\\n')
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('never throws on a text of anybody', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...signInText(message)!.split('\n'), '', 'x', '- ')),
        (lines) => {
          const text = lines.join('\n')
          const read = readSignInText(text)
          if (read) expect(signInText(read)).toBe(text)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
