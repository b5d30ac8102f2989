/** Public addresses of this host's own interfaces: no way to the gateway's own services. */
import { afterEach, describe, expect, test } from 'vitest'
import { classifyAddress } from '../../../host/outbound/classify.ts'
import { allowList } from '../../../host/outbound/allow-list.ts'
import { openEgressProxy } from '../../../plugins/utils/screenshot/egress-proxy.ts'
import type { NetOptions } from '../../../host/outbound/options.ts'
import { createOutbound } from '../../../host/outbound/index.ts'
import { createOwnAddresses, type Interfaces } from '../../../host/outbound/own-addresses.ts'
import { checkTarget } from '../../../host/outbound/target.ts'
import { closeServers, httpServer, options, script } from './servers.ts'

const interfacesOf =
  (...addresses: string[]) =>
  (): Interfaces => ({
    eth0: addresses.map((address) => ({
      address,
      family: address.includes(':') ? 'IPv6' : 'IPv4',
    })),
  })
const OWN = createOwnAddresses(interfacesOf('93.184.215.14', '2606:4700::14', 'fe80::1%eth0'))

describe('addresses of the host', () => {
  test.each([
    '93.184.215.14',
    '2606:4700::14',
    '2606:4700:0:0:0:0:0:14',
    '::ffff:93.184.215.14',
    '64:ff9b::5db8:d70e',
    '2002:5db8:d70e::1',
  ])('%s is not public', (address) => {
    expect(classifyAddress(address).public).toBe(true)
    expect(classifyAddress(address, OWN())).toEqual({ public: false, range: 'this host' })
  })

  test('leave their neighbours public, and private ones what they are', () => {
    expect(classifyAddress('93.184.215.15', OWN()).public).toBe(true)
    expect(classifyAddress('2606:4700::15', OWN()).public).toBe(true)
    expect(classifyAddress('127.0.0.1', OWN()).range).toBe('loopback')
  })

  test('are read anew when they are old, and kept when they cannot be read', () => {
    let now = 0
    let look: () => Interfaces = interfacesOf('93.184.215.14')
    const own = createOwnAddresses(
      () => look(),
      () => now,
    )
    const isOwn = (address: string): boolean => own().check(address, 'ipv4')
    expect(isOwn('93.184.215.14')).toBe(true)
    look = interfacesOf('8.8.8.8')
    now = 9999
    expect(isOwn('8.8.8.8')).toBe(false)
    now = 10_000
    expect([isOwn('8.8.8.8'), isOwn('93.184.215.14')]).toEqual([true, false])
    look = () => {
      throw new Error('not permitted')
    }
    now = 20_000
    expect(isOwn('8.8.8.8')).toBe(true)
  })
})

describe('nothing that fetches reaches them', () => {
  afterEach(closeServers)
  const resolver = script({
    'us.example.com': [['93.184.215.14']],
    'mixed.example.com': [['8.8.8.8', '2606:4700::14']],
  })
  const net = (): NetOptions => ({ ...options([], resolver), own: OWN })
  const urls = [
    'http://93.184.215.14/',
    'https://[2606:4700::14]:8443/',
    'http://us.example.com/',
    'http://mixed.example.com/',
  ]

  test.each(urls)('%s', async (url) => {
    const outbound = createOutbound(net())
    const refused = { ok: false, reason: 'ssrf' }
    expect(await outbound.fetch(url)).toMatchObject(refused)
    expect(await outbound.request(url)).toMatchObject(refused)
    expect(await outbound.request(url, { anyPort: true })).toMatchObject(refused)
    expect(await outbound.check(url)).toMatchObject(refused)
    expect(await outbound.robots(url)).toMatchObject(refused)
  })

  test('a redirect', async () => {
    const server = await httpServer((_, response) =>
      response.writeHead(302, { location: 'http://93.184.215.14/' }).end(),
    )
    const { fetch } = createOutbound({ ...options([server]), own: OWN })
    expect(await fetch(server.url)).toMatchObject({ ok: false, reason: 'ssrf' })
  })

  test('a page of the browser', async () => {
    const blocked: string[] = []
    const proxy = await openEgressProxy(createOutbound(net()), {
      authenticate: false,
      onBlocked: ({ url }) => blocked.push(url),
    })
    for (const url of ['http://93.184.215.14/', 'http://93.184.215.15:6379/']) {
      const answer = await fetch(url, { proxy: proxy.url })
      expect(answer.status).toBe(403)
    }
    expect(blocked).toEqual(['http://93.184.215.14/', 'http://93.184.215.15:6379/'])
    await proxy.close()
  })

  test('unless the operator allows them', async () => {
    const allow = allowList(['93.184.215.14:8080'])
    const policy = { allow, own: OWN }
    expect((await checkTarget('http://93.184.215.14:8080/', policy)).ok).toBe(true)
    expect((await checkTarget('http://93.184.215.14/', policy)).ok).toBe(false)
    const trusted = { allow: allowList([]), own: OWN, allowPrivate: true }
    expect((await checkTarget('http://93.184.215.14/', trusted)).ok).toBe(true)
  })
})
