/** Values from JSON Schemas: such as the schema allows, and such with something spoiled in them. */
import fc from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

/** Texts that break what is careless with texts. */
const ODD_TEXTS = [
  '', ' ', '\0', '\u{fffd}', '\ud800', '‮', '../../etc/passwd', '%00', '%2e%2e%2f', "' OR 1=1 --", '{{7*7}}',
  '__proto__', 'constructor', '<script>', '\'"><script>alert("fuzz")</script>', '//evil.example', 'https://evil.example/', '\\\\evil.example', '-1', '0', '1e309', 'NaN', 'null', 'a'.repeat(5000), '𝒳'.repeat(300), '\r\nX-Injected: 1',
] // prettier-ignore
const ODD_URLS = [
  'http://127.0.0.1:1/', 'http://[::1]:1/', 'http://localhost:1/', 'http://0.0.0.0:1', 'http://169.254.169.254/latest/',
  'file:///etc/passwd', 'ftp://example.invalid/', 'gopher://127.0.0.1:1/', 'http://user:pass@127.0.0.1:1/', 'http://2130706433:1/',
  'https://example.invalid/a?b#c', 'javascript:alert(1)', 'data:text/html,x', '//127.0.0.1:1', 'http://', 'http://[', 'http://a..b/',
] // prettier-ignore
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, -0, 2 ** 53, [], {}, [[[[[[]]]]]], {
    a: { b: { c: null } },
  }),
  fc.constantFrom(...ODD_TEXTS),
  fc.constantFrom(...ODD_URLS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}}}') as unknown),
)
const oddText = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: fc.oneof(fc.constantFrom(...ODD_URLS), fc.webUrl()),
  email: fc.emailAddress(),
}

/** A value that the schema allows, as far as this reads it. */
export function valueOf(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  if (schema === true || schema === undefined || typeof schema !== 'object' || schema === null) {
    return fc.jsonValue({ maxDepth: 2 })
  }
  const given = schema as Schema
  if (depth > 6) return fc.constant(null)
  if ('const' in given) return fc.constant(given['const'])
  if (Array.isArray(given['enum'])) return fc.constantFrom(...(given['enum'] as unknown[]))
  for (const name of ['anyOf', 'oneOf']) {
    const choices = given[name]
    if (Array.isArray(choices)) return fc.oneof(...choices.map((one) => valueOf(one, depth + 1)))
  }
  if (Array.isArray(given['allOf'])) {
    const parts = given['allOf'].map((one) => valueOf(one, depth + 1))
    return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as unknown)
  }
  const type = Array.isArray(given['type'])
    ? (given['type'] as string[])
    : [given['type'] as string]
  return fc.oneof(...type.map((one) => valueOfType(one, given, depth)))
}

function valueOfType(
  type: string | undefined,
  schema: Schema,
  depth: number,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer': {
      const [min, max] = boundsOf(schema, 1e6)
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
    }
    case 'number': {
      const [min, max] = boundsOf(schema, 1e9)
      return fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
        fc.constantFrom(min, max),
      )
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const minLength = Number(schema['minItems'] ?? 0)
      const maxLength = Math.max(minLength, Math.min(4, Number(schema['maxItems'] ?? 4)))
      return fc.array(valueOf(schema['items'], depth + 1), { minLength, maxLength })
    }
    case 'object':
      return objectOf(schema, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, unknown>
  const required = (schema['required'] ?? []) as string[]
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, valueOf(of, depth + 1)]),
  )
  const own = fc.record(members, {
    requiredKeys: required.filter((name) => name in members) as never[],
  })
  const patterns = Object.values((schema['patternProperties'] ?? {}) as Record<string, unknown>)
  if (patterns.length === 0) return own
  const free = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), valueOf(patterns[0], depth + 1), {
    maxKeys: 3,
  })
  return fc.tuple(own, free).map(([one, more]) => ({ ...more, ...one }))
}

function boundsOf(schema: Schema, far: number): [number, number] {
  const min = Number(
    schema['minimum'] ?? schema['exclusiveMinimum'] ?? Math.min(0, Number(schema['maximum'] ?? 0)),
  )
  const max = Number(schema['maximum'] ?? Math.max(min, far))
  return [Math.max(min, -2147483648), Math.min(max, 2147483647)]
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const format = FORMATS[String(schema['format'])]
  if (format) return format
  const minLength = Number(schema['minLength'] ?? 0)
  const maxLength = Math.max(minLength, Math.min(60, Number(schema['maxLength'] ?? 60)))
  const pattern = schema['pattern']
  if (typeof pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(pattern))
    } catch {
      // A pattern beyond what fast-check draws from: any text then.
    }
  }
  return fc.string({ minLength, maxLength })
}

/** The value with one member or item, at any depth, replaced, left out or added. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value)
  return fc
    .tuple(fc.constantFrom(...places), oddValue, fc.constantFrom('replace', 'drop', 'add'), oddText)
    .map(([place, odd, how, name]) => {
      if (place.length === 0 && how !== 'add') return odd
      const copy = structuredClone(value)
      let at = copy as Record<string | number, unknown>
      for (const step of how === 'add' ? place : place.slice(0, -1)) at = at[step] as typeof at
      if (how === 'add') {
        if (Array.isArray(at)) at.push(odd)
        else if (typeof at === 'object' && at !== null)
          Object.defineProperty(at, name, { value: odd, enumerable: true })
        else return odd
      } else if (how === 'drop') delete at[place.at(-1)!]
      else at[place.at(-1)!] = odd
      return copy
    })
}

function placesOf(value: unknown, from: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null || from.length > 4) return [from]
  const inside = Object.keys(value).map((name) => (Array.isArray(value) ? Number(name) : name))
  return [
    from,
    ...inside
      .slice(0, 12)
      .flatMap((name) =>
        placesOf((value as Record<string | number, unknown>)[name], [...from, name]),
      ),
  ]
}
