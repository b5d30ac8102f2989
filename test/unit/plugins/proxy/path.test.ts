import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callerLinks,
  callerLocation,
  upstreamPath,
  type Mount,
} from '../../../../plugins/proxy/path.ts'

const mount = (url: string, rewrite: Mount['rewrite'] = 'strip'): Mount => ({
  base: new URL(url),
  publicPath: '',
  basePath: '/v1/weather',
  rewrite,
})

describe('upstreamPath', () => {
  it.each([
    ['http://up.test', 'strip', '/forecast', '/forecast'],
    ['http://up.test/', 'strip', '/forecast', '/forecast'],
    ['http://up.test/api', 'strip', '/forecast', '/api/forecast'],
    ['http://up.test/api/', 'strip', '/forecast/', '/api/forecast/'],
    ['http://up.test/api', 'strip', '/', '/api'],
    ['http://up.test/api/', 'strip', '/', '/api/'],
    ['http://up.test', 'strip', '/', '/'],
    ['http://up.test', 'preserve', '/forecast', '/v1/weather/forecast'],
    ['http://up.test/api', 'preserve', '/forecast', '/api/v1/weather/forecast'],
    ['http://up.test/api', 'preserve', '/', '/api/v1/weather'],
    ['http://up.test', 'strip', '/caf%C3%A9/a%20b;v=1/@x', '/caf%C3%A9/a%20b;v=1/@x'],
    ['http://up.test', 'strip', '/100%25', '/100%25'],
    ['http://up.test', 'strip', '/...', '/...'],
  ] as const)('%s %s %s → %s', (url, rewrite, path, expected) => {
    expect(upstreamPath(mount(url, rewrite), path)).toBe(expected)
  })

  it.each([
    '/..',
    '/a/..',
    '/a/../b',
    '/./a',
    '/%2e%2e/a',
    '/%2E%2e',
    '/.%2e/a',
    '/..;/a',
    '/..;x=1/a',
    '/%2e%2e;/a',
    '/%252e%252e/a',
    '/a%2fb',
    '/a%2F..%2Fadmin',
    '/a%5c..%5cb',
    '/a%252fb',
    '/a\\b',
    '//evil.test/a',
    '/a//b',
    'http://evil.test/a',
    'a',
    '',
    '/a?b',
    '/a#b',
    '/a b',
    '/a%',
    '/a%zz',
    '/a%00',
    '/a%0d%0aX-A:%20b',
    '/a\r\nX: y',
    '/%C0%AE%C0%AE/a',
    '/é',
  ])('refuses %j', (path) => {
    expect(upstreamPath(mount('http://up.test/api'), path)).toBeNull()
    expect(upstreamPath(mount('http://up.test'), path)).toBeNull()
  })

  it('never leaves the base, whatever the path is made of', () => {
    const piece = fc.constantFrom(
      '/',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      ';',
      '%25',
      'a',
      '@',
      ':',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = upstreamPath(mount('http://up.test/api'), `/${pieces.join('')}`)
        if (path === null) return
        // A careless upstream decodes twice before it resolves dots.
        let decoded = path
        for (let times = 0; times < 2; times += 1) {
          try {
            decoded = decodeURIComponent(decoded)
          } catch {
            break
          }
        }
        const resolved = new URL(decoded.replaceAll('\\', '/'), 'http://up.test').pathname
        expect(resolved === '/api' || resolved.startsWith('/api/')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('callerLocation', () => {
  const at = mount('http://up.test/api')
  it.each([
    ['/api/jobs/7', '/v1/weather/jobs/7'],
    ['/api', '/v1/weather'],
    ['7?a=b#c', '/v1/weather/7?a=b#c'],
    ['http://up.test/api/jobs/7', '/v1/weather/jobs/7'],
    ['https://other.test/x', 'https://other.test/x'],
    ['/admin', null],
    ['/apis', null],
    ['../../../etc', null],
    ['http://up.test:8080/api/x', 'http://up.test:8080/api/x'],
    ['http://[', null],
  ])('%s → %s', (location, expected) => {
    expect(callerLocation(at, location, '/api/jobs')).toBe(expected)
  })

  it('names the path of another site that the gateway stands below', () => {
    const below = { ...at, publicPath: '/gateway' }
    expect(callerLocation(below, '/api/jobs/7', '/api/jobs')).toBe('/gateway/v1/weather/jobs/7')
  })

  it('takes the mount off again when it was preserved', () => {
    const kept = mount('http://up.test/api', 'preserve')
    expect(callerLocation(kept, '/api/v1/weather/jobs/7', '/api/v1/weather/jobs')).toBe(
      '/v1/weather/jobs/7',
    )
    expect(callerLocation(kept, '/api/jobs/7', '/api/v1/weather/jobs')).toBeNull()
  })
})

describe('callerLinks', () => {
  const links = (text: string) =>
    callerLinks(text, (target) => callerLocation(mount('http://up.test/api'), target, '/api/rows'))

  it('leads the next page to the mount, and other links where they led', () => {
    expect(
      links('<http://up.test/api/rows?page=2,3>; rel="next", </api/rows>; rel=first; title="a, b"'),
    ).toBe('</v1/weather/rows?page=2,3>; rel="next", </v1/weather/rows>; rel=first; title="a, b"')
    expect(links('<?page=2>; rel="next"')).toBe('</v1/weather/rows?page=2>; rel="next"')
    expect(links('<https://docs.test/x>; rel=help')).toBe('<https://docs.test/x>; rel=help')
  })

  it('removes links that only show the address of the upstream', () => {
    expect(links('<http://up.test/private>; rel="up", <rows?page=2>; rel="next"')).toBe(
      '</v1/weather/rows?page=2>; rel="next"',
    )
    expect(links('<http://up.test/private>; rel="up"')).toBeNull()
    expect(links('no link')).toBeNull()
  })
})
