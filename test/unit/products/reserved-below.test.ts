/** A plugin's reserved path below the pages of another plugin. */
import { expect, test } from 'vitest'
import { Ownership, type Wanted } from '../../../kernel/products/ownership.ts'

const wanted = (pluginId: string, basePath: string, paths: readonly string[]): Wanted => ({
  pluginId,
  basePath,
  paths,
  keys: new Set([`base_path ${basePath}`, ...paths.map((path) => `route GET ${path}`)]),
  absolutePaths: paths.filter((path) => !path.startsWith(basePath)),
})
const HALL = wanted('hall', '/hall', ['/hall', '/hall/{room}'])
const CLUB = wanted('club', '/hall/club', ['/hall/club', '/hall/club/door', '/house/bell'])

function owners(): Ownership {
  const ownership = new Ownership()
  expect(ownership.reserveFor('hall', ['/hall'])).toEqual([])
  expect(ownership.reserveFor('club', ['/hall/club', '/house/bell'])).toEqual([])
  return ownership
}

test.each([
  ['the upper one first', [HALL, CLUB]],
  ['the lower one first', [CLUB, HALL]],
])('both are mounted, %s, and again after they left', (_, order) => {
  const ownership = owners()
  for (let round = 0; round < 2; round++) {
    for (const one of order) expect(ownership.take(one.pluginId, one)).toEqual([])
    for (const one of order) ownership.give(one.pluginId, one)
  }
})

test('the page of another product may carry a route that is reserved', () => {
  const ownership = owners()
  const house = wanted('house', '/house', ['/house'])
  expect(ownership.take('house', house)).toEqual([])
  expect(ownership.take('club', CLUB)).toEqual([])
})

test.each([
  ['a wildcard', '/house/*', 'route /house/* of yard lies in /house/bell of plugin club'],
  ['a parameter', '/house/{any}', 'route /house/{any} of yard lies in /house/bell'],
  ['a parameter with text', '/house/b{any}', 'route /house/b{any} of yard lies in /house/bell'],
  ['the path itself', '/house/bell', 'route /house/bell of yard lies in /house/bell'],
  ['a path below', '/house/bell/ring', 'route /house/bell/ring of yard lies in /house/bell'],
])('another product may not reach it by %s', (_, route, message) => {
  const [conflict] = owners().take('yard', wanted('yard', '/house', [route]))
  expect(conflict).toContain(message)
})

test('another product may have a parameter beside it whose text does not fit', () => {
  expect(owners().take('yard', wanted('yard', '/house', ['/house/{any}.json']))).toEqual([])
})

test('who has the path above may not use what is reserved below it', () => {
  const [conflict] = owners().take('hall', wanted('hall', '/hall', ['/hall/club/cellar']))
  expect(conflict).toContain('route /hall/club/cellar of hall lies in /hall/club of plugin club')
})

test('a product of neither plugin is refused at both, and one path is reserved once', () => {
  const ownership = owners()
  expect(ownership.take('x', wanted('x', '/hall/club/x', []))[0]).toContain('meets /hall/club')
  expect(ownership.take('x', wanted('x', '/hall/x', []))[0]).toContain('meets /hall of plugin hall')
  expect(ownership.reserveFor('x', ['/hall'])[0]).toContain('is reserved by plugin hall')
})
