import { describe, expect, test } from 'vitest'
import { allowList } from '../../../host/outbound/allow-list.ts'
import { isAllowEntry } from '../../../kernel/net/allow-list.ts'
import type { PinnedAddress } from '../../../kernel/net/contract.ts'
import { checkTarget } from '../../../host/outbound/target.ts'
import type { Resolver } from '../../../host/outbound/options.ts'

const none = allowList([])
const at = (...addresses: string[]): PinnedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const answers =
  (...addresses: string[]): Resolver =>
  async () =>
    at(...addresses)
/** For targets that must be decided before any name is looked up. */
const unused: Resolver = async (host) => {
  throw new Error(`looked up ${host}`)
}

const verdict = async (url: string, resolver: Resolver = unused, allow = none) => {
  const checked = await checkTarget(url, { allow, resolver })
  return checked.ok ? 'ok' : checked.reason
}

describe('refused without a look-up', () => {
  test.each([
    // Loopback and friends in the spellings that the URL standard reads as IPv4.
    'http://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0x7F.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0177.1/',
    'http://00000177.0.0.1/',
    'http://127.0.0.1./',
    'http://127.00.00.01/',
    'http://0/',
    'http://0.0.0.0/',
    'http://0x0/',
    'http://1/',
    'http://10.0.0.1/',
    'http://167772161/',
    'http://012.1/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://192.168.257/',
    'http://3232235777/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://168.63.129.16/',
    'http://255.255.255.255/',
    'http://4294967295/',
    'http://224.0.0.1/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/',
    'http://127%2E0%2E0%2E1/',
    '  http://127.0.0.1/  ',
    'http:\\\\127.0.0.1\\x',
    'http:127.0.0.1',
    'http:/127.0.0.1',
    'http:////127.0.0.1',
    'ht\ntp://127.0\t.0.1/',
    'HTTP://127.0.0.1/',
    // IPv6.
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000::0001]:80/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::FFFF:10.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    // Names that mean this machine, this network or nothing.
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://localhost:3000/',
    'http://loc%61lhost/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'http://a.localhost/',
    'http://a.b.localhost./',
    'http://localhost.localdomain/',
    'http://printer.local/',
    'http://printer.LOCAL./',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://metadata.google.internal./',
    'http://host.docker.internal/',
    'http://gateway.docker.internal:8080/',
    'http://vault.corp/',
    'http://nas.home/',
    'http://nas.home.arpa/',
    'http://router.lan/',
    'http://db.intranet/',
    'http://db.private/',
    'http://x.test/',
    'http://x.invalid/',
    'http://x.example/',
    'http://abc.onion/',
    'http://x.alt/',
    'http://1.0.0.127.in-addr.arpa/',
    'http://metadata/',
    'http://instance-data/latest/',
    'http://kubernetes/',
    'http://kubernetes.default.svc.cluster.local/',
    'http://postgres:8000/',
    'http://redis/',
    // Userinfo, schemes, ports.
    'http://user@93.184.215.14/',
    'http://user:pass@93.184.215.14/',
    'http://:pass@93.184.215.14/',
    'http://93.184.215.14@127.0.0.1/',
    'http://1.1.1.1 @127.0.0.1/',
    'http://example.com%2F@127.0.0.1/',
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    'ftp://93.184.215.14/',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'dict://127.0.0.1:11211/stat',
    'data:text/plain,hello',
    'blob:http://93.184.215.14/1',
    'javascript:alert(1)',
    's3://bucket/key',
    'ws://93.184.215.14/',
    'wss://93.184.215.14/',
    'about:blank',
    'jar:http://127.0.0.1!/',
    'http://93.184.215.14:22/',
    'http://93.184.215.14:25/',
    'http://93.184.215.14:53/',
    'http://93.184.215.14:110/',
    'http://93.184.215.14:0/',
    'https://93.184.215.14:6667/',
    'https://93.184.215.14:5060/',
  ])('%j', async (url) => {
    expect(await verdict(url)).toBe('ssrf')
  })

  test.each([
    '',
    'x',
    '/relative',
    '//example.com/',
    'http://',
    'http:///',
    'http://?',
    'http://256.1.1.1/',
    'http://1.2.3.4.5/',
    'http://0x100000000/',
    'http://127.0.0.1:99999/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1/',
    'http://::1/',
    'http://[1:2:3]/',
    'http://exa mple.com/',
    'http://a..example.com/',
    'http://.example.com/',
    'http://example.com../',
    `http://${'a'.repeat(64)}.com/`,
    `http://${'a.'.repeat(127)}com/`,
    `http://example.com/${'a'.repeat(9000)}`,
    'http://xn--a/',
    'http://exam\u0000ple.com/',
  ])('%j does not parse', async (url) => {
    expect(await verdict(url)).toBe('invalid_url')
  })
})

describe('a public literal needs no look-up', () => {
  test.each([
    ['http://93.184.215.14/', '93.184.215.14', 80],
    ['http://1572394766/', '93.184.215.14', 80],
    ['https://8.8.8.8:8443/x?y#z', '8.8.8.8', 8443],
    ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111', 443],
    ['http://[2606:4700:4700:0:0:0:0:1111]:8080/', '2606:4700:4700::1111', 8080],
  ])('%s', async (url, address, port) => {
    const checked = await checkTarget(url, { allow: none, resolver: unused })
    expect(checked).toMatchObject({ ok: true, port, host: address, addresses: at(address) })
  })
})

describe('a name', () => {
  test('is looked up once, without its trailing dot', async () => {
    const asked: string[] = []
    const resolver: Resolver = async (host) => {
      asked.push(host)
      return at('93.184.215.14', '2606:4700::1')
    }
    const checked = await checkTarget('https://WWW.Example.COM./a', { allow: none, resolver })
    expect(asked).toEqual(['www.example.com'])
    expect(checked).toMatchObject({ ok: true, addresses: at('93.184.215.14', '2606:4700::1') })
  })

  test.each([
    [['127.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['10.0.0.1', '93.184.215.14']],
    [['93.184.215.14', '::1']],
    [['93.184.215.14', 'fd00::1']],
    [['2606:4700::1', '::ffff:169.254.169.254']],
    [['64:ff9b::a9fe:a9fe']],
    [['0.0.0.0']],
    [['169.254.169.254']],
    [['fe80::1%eth0']],
    [['not an address']],
  ])('that resolves to %j is refused', async (addresses) => {
    expect(await verdict('http://rebind.example.com/', answers(...addresses))).toBe('ssrf')
  })

  test('that is refused does not tell what it resolved to', async () => {
    const checked = await checkTarget('http://db.example.com/', {
      allow: none,
      resolver: answers('10.11.12.13'),
    })
    expect(JSON.stringify(checked)).not.toContain('10.11')
  })

  test('without an address, or a failing resolver, is dns', async () => {
    expect(await verdict('http://nx.example.com/', answers())).toBe('dns')
    expect(await verdict('http://nx.example.com/', unused)).toBe('dns')
  })

  test('whose look-up hangs ends with the signal', async () => {
    const resolver: Resolver = () => new Promise(() => {})
    const checked = await checkTarget('http://slow.example.com/', {
      allow: none,
      resolver,
      signal: AbortSignal.timeout(10),
    })
    expect(checked).toMatchObject({ ok: false, reason: 'aborted' })
  })

  test('before a backslash is the host, not what follows it', async () => {
    const resolver: Resolver = async (host) => (host === 'a.example.com' ? at('8.8.8.8') : [])
    expect(await verdict('http://a.example.com\\@127.0.0.1:x/', resolver)).toBe('ok')
  })

  test('in other scripts is looked up in its ASCII form', async () => {
    const resolver: Resolver = async (host) =>
      host === 'xn--bcher-kva.example.com' ? at('93.184.215.14') : []
    expect(await verdict('http://bücher.example.com/', resolver)).toBe('ok')
  })
})

describe('a port where other services listen', () => {
  const ports = [
    138, 445, 873, 1080, 1433, 1521, 1883, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5432,
    5672, 5900, 5901, 5984, 5985, 6001, 6063, 6379, 6443, 7687, 8009, 8500, 9042, 9092, 9200, 9300,
    9418, 10_250, 10_255, 11_211, 15_672, 27_017,
  ]
  const anyPort = true

  test.each(ports)('%i is refused on a public host', async (port) => {
    expect(await verdict(`http://93.184.215.14:${port}/`)).toBe('ssrf')
    expect(await verdict(`http://db.example.com:${port}/`)).toBe('ssrf')
    const private_ = allowList(['10.0.0.0/8'])
    expect(await verdict(`http://93.184.215.14:${port}/`, unused, private_)).toBe('ssrf')
    const mixed = answers('10.0.0.1', '93.184.215.14')
    expect(await verdict(`http://db.example.com:${port}/`, mixed, private_)).toBe('ssrf')
  })

  test('is open where the operator allows the target or named it', async () => {
    const named = allowList(['db.example.com:9200', '10.0.0.0/8'])
    const resolver = answers('93.184.215.14')
    expect(await verdict('http://db.example.com:9200/', resolver, named)).toBe('ok')
    expect(await verdict('http://db.example.com:9300/', resolver, named)).toBe('ssrf')
    expect(await verdict('http://10.0.0.1:9200/', unused, named)).toBe('ok')
    expect(await verdict('http://x.example.com:9200/', answers('10.0.0.1'), named)).toBe('ok')
    const policy = { allow: none, resolver, anyPort }
    expect(await checkTarget('http://db.example.com:9200/', policy)).toMatchObject({ ok: true })
    expect(await checkTarget('http://db.example.com:25/', policy)).toMatchObject({ ok: false })
    expect(await checkTarget('http://10.0.0.1:9200/', policy)).toMatchObject({ ok: false })
  })

  test.each([80, 81, 443, 3000, 4020, 5000, 8000, 8080, 8081, 8443, 8888, 9000, 9443])(
    '%i is a port of the web',
    async (port) => {
      expect(await verdict(`http://93.184.215.14:${port}/`)).toBe('ok')
    },
  )
})

describe('the allow-list', () => {
  test('by host and port allows exactly that, whatever the port or address', async () => {
    const allow = allowList(['127.0.0.1:9000', 'Localhost:25', '[::1]:80', 'db.corp:8080'])
    expect(await verdict('http://127.0.0.1:9000/', unused, allow)).toBe('ok')
    expect(await verdict('http://2130706433:9000/', unused, allow)).toBe('ok')
    expect(await verdict('http://127.0.0.1:9001/', unused, allow)).toBe('ssrf')
    expect(await verdict('http://127.0.0.2:9000/', unused, allow)).toBe('ssrf')
    expect(await verdict('http://localhost:25/', answers('127.0.0.1'), allow)).toBe('ok')
    expect(await verdict('http://[::1]/', unused, allow)).toBe('ok')
    expect(await verdict('http://db.corp:8080/', answers('10.0.0.1'), allow)).toBe('ok')
    expect(await verdict('http://other.corp:8080/', answers('10.0.0.1'), allow)).toBe('ssrf')
    expect(await verdict('http://u@127.0.0.1:9000/', unused, allow)).toBe('ssrf')
    expect(await verdict('ftp://127.0.0.1:9000/', unused, allow)).toBe('ssrf')
  })

  test('by range allows its addresses, literal or resolved, and no others', async () => {
    const allow = allowList(['10.1.0.0/16', 'fd00::/8', '192.168.7.7'])
    expect(await verdict('http://10.1.2.3/', unused, allow)).toBe('ok')
    expect(await verdict('http://10.2.2.3/', unused, allow)).toBe('ssrf')
    expect(await verdict('http://192.168.7.7/', unused, allow)).toBe('ok')
    expect(await verdict('http://[fd12::1]/', unused, allow)).toBe('ok')
    expect(await verdict('http://api.example.com/', answers('10.1.0.9'), allow)).toBe('ok')
    expect(await verdict('http://api.example.com/', answers('10.1.0.9', '10.2.0.9'), allow)).toBe(
      'ssrf',
    )
    expect(await verdict('http://redis/', answers('10.1.0.9'), allow)).toBe('ok')
    expect(await verdict('http://redis/', answers('93.184.215.14'), allow)).toBe('ssrf')
    expect(await verdict('http://10.1.2.3:22/', unused, allow)).toBe('ssrf')
  })

  test('of a call allows its one target', async () => {
    const resolver = answers('10.0.0.1')
    const policy = { allow: none, resolver, allowPrivate: true }
    expect(await checkTarget('http://redis:6379/', policy)).toMatchObject({ ok: true })
    expect(await checkTarget('file:///etc/passwd', policy)).toMatchObject({ reason: 'ssrf' })
  })

  test.each(['127.0.0.1:9000', 'a.b:1', '[::1]:80', '10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1'])(
    'may hold %s',
    (entry) => {
      expect(isAllowEntry(entry)).toBe(true)
      expect(() => allowList([entry])).not.toThrow()
    },
  )
  test.each([
    '',
    'host',
    'host:0',
    'host:70000',
    'http://h:1',
    'u@h:1',
    '10.0.0.0/40',
    'a b:1',
    '*',
  ])('may not hold %j', (entry) => {
    expect(isAllowEntry(entry)).toBe(false)
    expect(() => allowList([entry])).toThrow(RangeError)
  })
})
