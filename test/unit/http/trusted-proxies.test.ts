/** Whose word about the caller's address is taken: that of trusted proxies, from the nearest on. */
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../cli/load-config.ts'
import { callerAddress } from '../../../host/trusted-proxies/index.ts'
import { isProxyEntry } from '../../../kernel/net/trusted-proxies.ts'

const PROXY = '10.0.0.5'
const UNKNOWN = 'unknown'
const behind = callerAddress([PROXY, '2001:db8:ffff::/48', 'loopback'])

function caller(peer: string, headers: Record<string, string> = {}): string {
  return behind(peer, new Headers(headers))
}

describe('the caller', () => {
  it('is the peer where no proxy is trusted, whatever the headers say', () => {
    const nobody = callerAddress([])
    const headers = new Headers({ 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' })
    expect(nobody(PROXY, headers)).toBe(PROXY)
    expect(nobody('::ffff:198.51.100.1', headers)).toBe('198.51.100.1')
  })

  it('is the peer when that is no trusted proxy', () => {
    expect(caller('198.51.100.1', { 'x-forwarded-for': '192.0.2.1' })).toBe('198.51.100.1')
    expect(caller('198.51.100.1', { forwarded: 'for=192.0.2.1' })).toBe('198.51.100.1')
    expect(caller('10.0.0.6', { 'x-forwarded-for': '192.0.2.1' })).toBe('10.0.0.6')
  })

  it.each([
    ['one address', '192.0.2.1', '192.0.2.1'],
    ['what the caller made up before it', '127.0.0.1, 203.0.113.7, 192.0.2.1', '192.0.2.1'],
    ['a chain of trusted proxies', '6.6.6.6, 192.0.2.1, 2001:db8:ffff::9, 127.0.0.1', '192.0.2.1'],
    ['a port', '192.0.2.1:4711', '192.0.2.1'],
    ['IPv6', '2001:DB8::1', '2001:db8::1'],
    ['IPv6 with a port', '[2001:db8::1]:4711', '2001:db8::1'],
    ['IPv4 in IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
    ['a trusted proxy written as IPv6', '192.0.2.1, ::ffff:10.0.0.5', '192.0.2.1'],
    ['trusted addresses only', '127.0.0.1, 10.0.0.5', '127.0.0.1'],
    ['nothing', '', UNKNOWN],
    ['a word', 'unknown', UNKNOWN],
    ['garbage behind the address', '192.0.2.1, <script>', UNKNOWN],
    ['garbage before it', '<script>, 192.0.2.1', '192.0.2.1'],
    ['garbage before a trusted hop', 'nonsense, 127.0.0.1', UNKNOWN],
    ['no address but digits', '300.1.2.3', UNKNOWN],
    ['an empty hop at the end', '192.0.2.1,', UNKNOWN],
    ['an open bracket', '[2001:db8::1', UNKNOWN],
  ])('from X-Forwarded-For with %s', (_, header, expected) => {
    expect(caller(PROXY, { 'x-forwarded-for': header })).toBe(expected)
    expect(caller(`::ffff:${PROXY}`, { 'x-forwarded-for': header })).toBe(expected)
  })

  it.each([
    ['one element', 'for=192.0.2.1;proto=https;by=10.0.0.5', '192.0.2.1'],
    ['quotes and a port', 'by=_x;For="192.0.2.1:80"', '192.0.2.1'],
    ['IPv6', 'for="[2001:db8::1]:4711"', '2001:db8::1'],
    ['what the caller made up before it', 'for=6.6.6.6, for=192.0.2.1', '192.0.2.1'],
    ['a comma within quotes', 'for="6.6.6.6, for=7.7.7.7", for=192.0.2.1', '192.0.2.1'],
    ['an open quote of the caller', 'for="6.6.6.6, for=192.0.2.1', UNKNOWN],
    ['a quote that swallows the real one', 'for="x, for="[2001:db8::1]"', UNKNOWN],
    ['an escaped quote', 'for="x\\", for=192.0.2.1', UNKNOWN],
    ['a hidden caller', 'for=_hidden', UNKNOWN],
    ['an element without for', 'for=6.6.6.6, proto=https', UNKNOWN],
    ['a chain of trusted proxies', 'for=192.0.2.1, for="[2001:db8:ffff::9]"', '192.0.2.1'],
    ['nothing', '', UNKNOWN],
  ])('from Forwarded with %s', (_, header, expected) => {
    expect(caller(PROXY, { forwarded: header })).toBe(expected)
  })

  it('is nobody known where two headers name different callers: one of them is made up', () => {
    const both = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    expect(caller(PROXY, both)).toBe('192.0.2.1')
    expect(caller(PROXY, { ...both, forwarded: 'for=6.6.6.6' })).toBe(UNKNOWN)
  })
})

describe('TRUSTED_PROXIES', () => {
  it.each(['loopback', 'private', '10.0.0.5', '10.0.0.0/8', '::1', 'fd00::/8'])(
    'takes %s',
    (entry) => {
      expect(isProxyEntry(entry)).toBe(true)
    },
  )

  it.each([
    'proxy.example.com',
    '10.0.0.5:80',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    'all',
    'toString',
  ])('does not take %s', (entry) => {
    expect(isProxyEntry(entry)).toBe(false)
    expect(loadConfig({ TRUSTED_PROXIES: `loopback,${entry}` })).toMatchObject({
      ok: false,
      problems: [{ name: 'TRUSTED_PROXIES' }],
    })
  })

  it('is shown by coinop config', () => {
    const loaded = loadConfig({ TRUSTED_PROXIES: ' loopback, 10.0.0.5 ' })
    expect(loaded).toMatchObject({ ok: true, config: { trustedProxies: ['loopback', '10.0.0.5'] } })
    expect(loaded.ok && loaded.lines.map(({ name }) => name)).toContain('TRUSTED_PROXIES')
  })
})
