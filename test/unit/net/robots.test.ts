import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRobots } from '../../../host/outbound/robots.ts'

const allows = (robots: string, path: string, token = 'FooBot'): boolean =>
  parseRobots(robots, token).allows(path)

/** [robots.txt, allowed paths, disallowed paths] */
type Case = [name: string, robots: string, allowed: string[], disallowed: string[]]

const CASES: Case[] = [
  ['an empty file', '', ['/', '/x'], []],
  ['no group for us', 'user-agent: BarBot\ndisallow: /\n', ['/x'], []],
  ['the whole site', 'User-agent: FooBot\nDisallow: /\n', ['/robots.txt'], ['/', '/x', '/x?y']],
  ['an empty disallow', 'User-agent: FooBot\nDisallow:\n', ['/', '/x'], []],
  ['rules without a group', 'disallow: /\nuser-agent: FooBot\nallow: /x\n', ['/', '/x'], []],
  ['a file of words', 'foo: FooBot\nbar: /\n', ['/x'], []],
  ['no colons', 'user-agent FooBot\ndisallow /\n', [], ['/x']],
  ['tabs for colons', 'user-agent\tFooBot\ndisallow\t/a\n', ['/b'], ['/a']],
  ['three words without colon', 'user-agent FooBot x\ndisallow /\n', ['/x'], []],
  ['space round colons', ' User-Agent :  FooBot \n\tDisallow\t:\t/x \n', ['/y'], ['/x']],
  ['keys in any case', 'USER-AGENT: FooBot\nDISALLOW: /x/\nAllow: /x/y\n', ['/x/y'], ['/x/']],
  ['values keep their case', 'user-agent: FooBot\ndisallow: /X/\n', ['/x/'], ['/X/']],
  ['typos of disallow', 'user-agent: FooBot\ndisalow: /a\ndissallow: /b\n', ['/c'], ['/a', '/b']],
  ['typos of user-agent', 'useragent: FooBot\ndisallow: /a\n', ['/b'], ['/a']],
  ['a key that only begins like ours', 'user-agent: FooBot\nallowed: /\ndisallow: /a', [], ['/a']],
  [
    'comments',
    '# x\nuser-agent: FooBot # me\ndisallow: /a # because\n#disallow: /b',
    ['/b'],
    ['/a'],
  ],
  ['a comment in the path', 'user-agent: FooBot\ndisallow: /a#b\n', [], ['/a', '/ab']],
  ['a byte order mark', '\uFEFFUser-Agent: FooBot\nDisallow: /\n', [], ['/x']],
  ['a mark in the middle', 'User-Agent: FooBot\n\uFEFFDisallow: /\n', ['/x'], []],
  ['CR line ends', 'User-Agent: FooBot\rDisallow: /a\rAllow: /\r', ['/b'], ['/a']],
  ['CRLF line ends', 'User-Agent: FooBot\r\nDisallow: /a\r\n\r\nAllow: /a/b\r\n', ['/a/b'], ['/a']],
  ['no line end at all', 'User-Agent: FooBot\nDisallow: /a', ['/b'], ['/a']],
  // Groups.
  [
    'own group over the general one',
    'user-agent: *\ndisallow: /\nuser-agent: FooBot\nallow: /\n',
    ['/', '/x'],
    [],
  ],
  [
    'own group, even one without rules, over the general one',
    'user-agent: FooBot\nuser-agent: BarBot\nallow:\nuser-agent: *\ndisallow: /\n',
    ['/x'],
    [],
  ],
  [
    'groups of one name are merged',
    'user-agent: FooBot\ndisallow: /a\n\nuser-agent: BarBot\ndisallow: /b\n\nuser-agent: foobot\ndisallow: /c\n',
    ['/b'],
    ['/a', '/c'],
  ],
  [
    'general groups are merged',
    'user-agent: *\ndisallow: /a\nuser-agent: BarBot\ndisallow: /b\nuser-agent: *\ndisallow: /c\n',
    ['/b'],
    ['/a', '/c'],
  ],
  [
    'several names share one group',
    'user-agent: BarBot\nuser-agent: FooBot\n\nuser-agent: BazBot\ndisallow: /a\n',
    ['/b'],
    ['/a'],
  ],
  [
    'a rule ends the names',
    'user-agent: FooBot\ndisallow: /a\nuser-agent: BarBot\ndisallow: /b\n',
    ['/b'],
    ['/a'],
  ],
  [
    'other records do not end the names',
    'user-agent: FooBot\nsitemap: http://x/s.xml\ncrawl-delay: 3\nuser-agent: BarBot\ndisallow: /a\n',
    ['/b'],
    ['/a'],
  ],
  ['a version after the name', 'user-agent: FooBot/2.1\ndisallow: /a\n', ['/b'], ['/a']],
  ['words after the name', 'user-agent: FooBot crawler\ndisallow: /a\n', ['/b'], ['/a']],
  ['a longer name is another', 'user-agent: FooBotNews\ndisallow: /\n', ['/x'], []],
  ['a shorter name is another', 'user-agent: Foo\ndisallow: /\n', ['/x'], []],
  ['a name with a dash is another', 'user-agent: FooBot-News\ndisallow: /\n', ['/x'], []],
  ['words after the star', 'user-agent: * bots\ndisallow: /a\n', ['/b'], ['/a']],
  ['letters after the star', 'user-agent: *bots\ndisallow: /a\n', ['/a'], []],
  // Length and ties.
  [
    'the longest match',
    'user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n',
    ['/x/page.html'],
    ['/x/', '/x/page.htm'],
  ],
  [
    'the longest match, disallowed',
    'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n',
    ['/x/'],
    ['/x/page.html'],
  ],
  ['a tie', 'user-agent: FooBot\ndisallow: /a\nallow: /a\n', ['/a'], []],
  ['a tie the other way', 'user-agent: FooBot\nallow: /a\ndisallow: /a\n', ['/a'], []],
  ['a tie of empty rules', 'user-agent: FooBot\nallow:\ndisallow:\n', ['/a'], []],
  [
    'a wildcard adds to length',
    'user-agent: FooBot\ndisallow: /x/*.html\nallow: /x/page\n',
    ['/x/page'],
    ['/x/page.html'],
  ],
  [
    'an allowed page of a closed site',
    'user-agent: FooBot\nallow: /p$\ndisallow: /\n',
    ['/p'],
    ['/p2', '/'],
  ],
  [
    'the order of rules is nothing',
    'user-agent: FooBot\ndisallow: /\nallow: /p\n',
    ['/p', '/pp'],
    ['/', '/q'],
  ],
  // Patterns.
  [
    'a prefix',
    'user-agent: FooBot\ndisallow: /fish\n',
    ['/', '/Fish.asp', '/catfish', '/?id=fish'],
    ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish.php?id=a'],
  ],
  [
    'a prefix with star',
    'user-agent: FooBot\ndisallow: /fish*\n',
    ['/Fish', '/catfish'],
    ['/fish', '/fishheads/y', '/fish.php?id=a'],
  ],
  [
    'a folder',
    'user-agent: FooBot\ndisallow: /fish/\n',
    ['/fish', '/fish.html', '/animals/fish/'],
    ['/fish/', '/fish/salmon', '/fish/?s=w'],
  ],
  [
    'an extension',
    'user-agent: FooBot\ndisallow: /*.php\n',
    ['/', '/windows.PHP'],
    ['/filename.php', '/folder/filename.php', '/folder/any.php.file.html', '/x.php/', '/x/y.php?z'],
  ],
  [
    'an extension at the end',
    'user-agent: FooBot\ndisallow: /*.php$\n',
    ['/x.php?p', '/x.php/', '/x.php5', '/windows.PHP'],
    ['/x.php', '/f/x.php'],
  ],
  [
    'a star between',
    'user-agent: FooBot\ndisallow: /fish*.php\n',
    ['/Fish.PHP'],
    ['/fish.php', '/fishheads/catfish.php?p=x'],
  ],
  ['a leading star', 'user-agent: FooBot\ndisallow: *b\n', ['/a', '/'], ['/b', '/ab', '/a/b/c']],
  [
    'star and end',
    'user-agent: FooBot\ndisallow: /*a*b$\n',
    ['/ab/', '/b', '/a'],
    ['/ab', '/aXb', '/aabb', '/abab'],
  ],
  [
    'an overlap is no match',
    'user-agent: FooBot\ndisallow: /ab*bc$\n',
    ['/abc'],
    ['/abbc', '/abxbc'],
  ],
  ['many stars', 'user-agent: FooBot\ndisallow: /***a***b**\n', ['/ba', '/b'], ['/ab', '/xaxbx']],
  ['only the root', 'user-agent: FooBot\ndisallow: /$\n', ['/x', '/?q'], ['/']],
  [
    'a dollar in the middle',
    'user-agent: FooBot\ndisallow: /a$b\n',
    ['/a', '/ab'],
    ['/a$b', '/a$bc'],
  ],
  [
    'dots are dots',
    'user-agent: FooBot\ndisallow: /a.b+(c)\n',
    ['/aXb(c)', '/a.bb(c)'],
    ['/a.b+(c)'],
  ],
  [
    'the query counts',
    'user-agent: FooBot\ndisallow: /*?sort=\n',
    ['/x', '/x?page=1'],
    ['/x?sort=up', '/?sort='],
  ],
  [
    'an index page opens its folder',
    'user-agent: FooBot\nallow: /x/index.html\ndisallow: /\n',
    ['/x/', '/x/index.html'],
    ['/x', '/x/y', '/'],
  ],
  [
    'an index page of the root',
    'user-agent: FooBot\nallow: /index.htm\ndisallow: /\n',
    ['/', '/index.htm', '/index.html'],
    ['/x/'],
  ],
  // Escapes.
  [
    'other scripts, escaped or not',
    'user-agent: FooBot\ndisallow: /\nallow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\nallow: /ツ\n',
    ['/foo/bar?qux=taz&baz=http://foo.bar?tar&par', '/%E3%83%84', '/%e3%83%84/x', '/ツ'],
    ['/%E3%83%85'],
  ],
  [
    'escapes in either case',
    'user-agent: FooBot\ndisallow: /a%3cd\n',
    ['/a<d'],
    ['/a%3Cd', '/a%3cd'],
  ],
  [
    'escapes of plain letters in a rule are not read as letters',
    'user-agent: FooBot\ndisallow: /\nallow: /foo/bar/%62%61%7A\n',
    ['/foo/bar/%62%61%7A'],
    ['/foo/bar/baz'],
  ],
  [
    'no spelling of a path gets round a rule',
    'user-agent: FooBot\ndisallow: /private/\ndisallow: /~joe/\ndisallow: /a%2Ab\n',
    ['/public/', '/a*c'],
    ['/%70rivate/', '/privat%65/x', '/%7Ejoe/', '/%7ejoe/x', '/a*b', '/a%2ab'],
  ],
  ['an escaped slash is not a slash', 'user-agent: FooBot\ndisallow: /a/b\n', ['/a%2Fb'], ['/a/b']],
]

describe.each(CASES)('%s', (_name, robots, allowed, disallowed) => {
  test('allows what it should', () => {
    expect(allowed.filter((path) => !allows(robots, path))).toEqual([])
  })
  test('forbids what it should', () => {
    expect(disallowed.filter((path) => allows(robots, path))).toEqual([])
  })
})

test('the token is compared in any case', () => {
  expect(allows('user-agent: COINOP\ndisallow: /', '/x', 'Coinop')).toBe(false)
  expect(allows('user-agent: coinop\ndisallow: /', '/x', 'Coinop')).toBe(false)
})

test('a long line is cut, not dropped, and the next one still counts', () => {
  const long = `/x/${'a'.repeat(20_000)}`
  const robots = `user-agent: FooBot\ndisallow: ${long}/qux\nallow: /x/b\ndisallow: /x/b/c\n`
  expect(allows(robots, `${long}/other`)).toBe(false)
  expect(allows(robots, '/x/aaa')).toBe(true)
  expect(allows(robots, '/x/b')).toBe(true)
  expect(allows(robots, '/x/b/c')).toBe(false)
})

test('binary rubbish, HTML and lone surrogates are read without an error', () => {
  const rubbish = [
    String.fromCharCode(...Array.from({ length: 2000 }, (_, n) => (n * 7919) % 65_536)),
    '<!DOCTYPE html><html><body>Not found</body></html>',
    'user-agent: FooBot\ndisallow: /\ud800x\n',
    'user-agent: FooBot\ndisallow: /%\ndisallow: /%G1\n',
  ]
  for (const text of rubbish) expect(typeof allows(text, '/\udfff%')).toBe('boolean')
})

test('a pattern of stars is matched in linear time', () => {
  const pattern = `/${'a*'.repeat(5000)}b$`
  expect(allows(`user-agent: FooBot\ndisallow: ${pattern}\n`, `/${'a'.repeat(8000)}`)).toBe(true)
})

test('matching agrees with a regular expression of the pattern', () => {
  const symbol = fc.constantFrom('a', 'b', '/', '*', '.')
  const path = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 12 })
  const pattern = fc.tuple(fc.array(symbol, { minLength: 1, maxLength: 8 }), fc.boolean())
  fc.assert(
    fc.property(pattern, path, ([symbols, anchored], letters) => {
      const text = `/${symbols.join('')}`
      const source = text.replace(/[.]/g, '\\.').replaceAll('*', '.*')
      const expected = new RegExp(`^${source}${anchored ? '$' : ''}`).test(`/${letters.join('')}`)
      const robots = `user-agent: FooBot\ndisallow: ${text}${anchored ? '$' : ''}\n`
      expect(allows(robots, `/${letters.join('')}`)).toBe(!expected)
    }),
    { numRuns: 2000 },
  )
})
