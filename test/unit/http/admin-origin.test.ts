import { describe, expect, it } from 'vitest'
import { adminHostOf, adminPlaceOf, isElsewhere } from '../../../kernel/http/admin-origin.ts'
import type { Match } from '../../../kernel/products/snapshot.ts'

const MAIN = { host: '127.0.0.1', port: 4020 }

describe('ADMIN_URL', () => {
  it.each([
    ['http://127.0.0.1:4021', { host: '127.0.0.1', port: 4021 }],
    ['http://localhost:4021', { host: '127.0.0.1', port: 4021 }],
    ['http://127.0.0.2:4021', { host: '127.0.0.2', port: 4021 }],
    ['http://127.0.0.2:4020', null],
    ['https://127.0.0.1:4021', null],
    ['http://192.0.2.7:4021', null],
    ['http://admin.example.com:4021', null],
    ['https://admin.example.com', null],
    [null, null],
  ])('%s is listened on at %o', (url, place) => {
    expect(adminPlaceOf(url, MAIN)).toEqual(place)
  })

  it('is told by the Host of a request, whatever its case, with or without the port', () => {
    const host = adminHostOf('https://Admin.example.com:443')!
    const page = { kind: 'route', route: { forOperators: true } } as Match
    const ownAdmin = { kind: 'route', route: { auth: 'admin' } } as Match
    const hook = { kind: 'route', route: { auth: 'public' } } as Match
    const skill = { kind: 'skill' } as Match
    const none = { kind: 'not_found' } as Match
    const elsewhere = (url: string) =>
      [page, ownAdmin, hook, skill, none].map((match) => isElsewhere(match, url, host))
    expect(elsewhere('http://ADMIN.example.com/x')).toEqual([false, false, true, true, false])
    expect(elsewhere('http://admin.example.com:443/x')).toEqual([false, false, true, true, false])
    expect(elsewhere('http://admin.example.com:4021/x')[0]).toBe(true)
    expect(elsewhere('http://api.example.com/x')).toEqual([true, false, false, false, false])
    expect(elsewhere('http://admin.example.com.evil.example/x')[0]).toBe(true)
  })
})
