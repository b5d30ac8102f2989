import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { RouteTree } from '../../../kernel/products/route-tree.ts'

const tree = new RouteTree([
  { method: 'GET', path: '/', target: 'root' },
  { method: 'POST', path: '/a/b', target: 'static' },
  { method: 'GET', path: '/a/{id}', target: 'parameter' },
  { method: 'GET', path: '/a/{id}/c/{other}', target: 'two' },
  { method: 'ANY', path: '/files/*', target: 'rest' },
])
const match = (method: string, path: string) => {
  const found = tree.match(method, path)
  return found.kind === 'found' ? [found.target, found.params] : found.kind
}

test('static paths win, parameters are decoded once, methods fall back to a parameter', () => {
  expect(match('GET', '')).toEqual(['root', {}])
  expect(match('GET', '/')).toEqual(['root', {}])
  expect(match('POST', '/a/b')).toEqual(['static', {}])
  expect(match('GET', '/a/b')).toEqual(['parameter', { id: 'b' }])
  expect(match('GET', '/a/%62')).toEqual(['parameter', { id: 'b' }])
  expect(match('POST', '/%61/b')).toEqual(['static', {}])
  expect(match('GET', '/a/x%2520y')).toEqual(['parameter', { id: 'x%20y' }])
  expect(match('GET', '/a/1/c/2')).toEqual(['two', { id: '1', other: '2' }])
  expect(match('DELETE', '/files/deep/er')).toEqual(['rest', {}])
  expect(match('PUT', '/files')).toEqual(['rest', {}])
})

test('a slash at the end makes another path, and below a wildcard one of its own', () => {
  const own = new RouteTree([
    { method: 'GET', path: '/a', target: 'bare' },
    { method: 'GET', path: '/a/', target: 'slash' },
    { method: 'GET', path: '/b/', target: 'only slash' },
    { method: 'GET', path: '/c/{id}/', target: 'named' },
    { method: 'GET', path: '/d/', target: 'before the rest' },
    { method: 'GET', path: '/d/*', target: 'rest' },
  ])
  const found = (path: string) => {
    const match = own.match('GET', path)
    return match.kind === 'found' ? match.target : match.kind
  }
  expect(
    ['/a', '/a/', '/b', '/b/', '/c/1', '/c/1/', '/c//', '/d', '/d/', '/d/x'].map(found),
  ).toEqual([
    'bare',
    'slash',
    'not_found',
    'only slash',
    'not_found',
    'named',
    'bad_path',
    'rest',
    'before the rest',
    'rest',
  ])
})

test('a parameter may have text around it, and the longest text wins', () => {
  const own = new RouteTree([
    { method: 'GET', path: '/a/{id}', target: 'id' },
    { method: 'GET', path: '/a/{id}.json', target: 'json' },
    { method: 'GET', path: '/a/{id}.min.json', target: 'min' },
    { method: 'POST', path: '/a/{name}:cancel', target: 'cancel' },
    { method: 'GET', path: '/a/v{major}/x', target: 'version' },
  ])
  const found = (method: string, path: string) => {
    const match = own.match(method, path)
    return match.kind === 'found' ? [match.target, match.params] : match.kind
  }
  expect(found('GET', '/a/1')).toEqual(['id', { id: '1' }])
  expect(found('GET', '/a/1%2E2.json')).toEqual(['json', { id: '1.2' }])
  expect(found('GET', '/a/1.min.json')).toEqual(['min', { id: '1' }])
  expect(found('GET', '/a/.json')).toEqual(['id', { id: '.json' }])
  expect(found('POST', '/a/jobs:cancel')).toEqual(['cancel', { name: 'jobs' }])
  expect(found('POST', '/a/jobs')).toBe('method_not_allowed')
  expect(found('GET', '/a/v2/x')).toEqual(['version', { major: '2' }])
  expect(found('GET', '/a/2/x')).toBe('not_found')
})

test.each(['CONNECT', 'TRACE', 'TRACK'])('ANY sends no %s on', (method) => {
  expect(match(method, '/files/x')).toBe('method_not_allowed')
  const whole = new RouteTree([{ method: 'ANY', path: '/x', target: 'x' }])
  expect(whole.match(method, '/x').kind).toBe('method_not_allowed')
  expect(whole.match('PROPFIND', '/x').kind).toBe('found')
})

test('what is not listed is not found', () => {
  expect(match('GET', '/a')).toBe('not_found')
  expect(match('GET', '/a/')).toBe('not_found')
  expect(match('GET', '/a/1/c')).toBe('not_found')
  expect(match('GET', '/A/1')).toBe('not_found')
  expect(tree.match('DELETE', '/a/b')).toEqual({
    kind: 'method_not_allowed',
    allow: ['POST', 'GET'],
  })
})

test.each([
  '/a/x%2fy',
  '/a/%2e%2e',
  '/a/..',
  '/a/%00',
  '/a/%5c..',
  '/a/%zz',
  '/a//c',
  '/files//etc',
  '/files/%2e%2e/x',
])('%s is refused: it means another path behind the gateway', (path) => {
  expect(match('GET', path)).toBe('bad_path')
})

test('no parameter of any path holds a separator, a dot segment or a control character', () => {
  const any = new RouteTree([
    { method: 'GET', path: '/{one}/{two}', target: 1 },
    { method: 'GET', path: '/x/{one}/*', target: 2 },
  ])
  const piece = oneof(
    constantFrom('/', '.', '..', '%2f', '%2F', '%2e', '%00', '%25', '%', '\\', 'a', 'x'),
    string({ maxLength: 3 }),
  )
  assert(
    property(array(piece, { maxLength: 8 }), (pieces) => {
      const found = any.match('GET', `/${pieces.join('')}`)
      if (found.kind !== 'found') return true
      return Object.values(found.params).every(
        (value) => value !== '' && value !== '.' && value !== '..' && !/[/\\\0]/.test(value),
      )
    }),
    { numRuns: 2000 },
  )
})
