/** The keywords of a schema object as constraints on values of one sort. */
import { canonical, isMap, type JsonMap, stringsOf } from '../pointer.ts'
import {
  type Branch,
  type Constraint,
  denied,
  EMPTY,
  facts,
  type Literal,
  matchesName,
  NotDecided,
  schemas,
  type Signed,
  type Sort,
} from './literals.ts'
import { memberConstraints } from './member-constraints.ts'
import { fact, isFinite, sizeConstraints } from './sizes.ts'

type Below = (...keys: (string | number)[]) => Signed

const TYPES = new Set(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'])
/** Demands that are compared as they are written. */
const OPAQUE = [
  'format',
  'contentMediaType',
  'contentEncoding',
  'contentSchema',
  'x-extensible-enum',
  'discriminator',
]
/** Demands whose meaning depends on all that stands beside them. */
const CONTEXTUAL = ['unevaluatedProperties', 'unevaluatedItems']
const DYNAMIC = ['$dynamicRef', '$recursiveRef']

/** All that `signed`, a schema object without a reference, demands of values of `sort`. */
export function constraintsOf(signed: Signed, raw: JsonMap, sort: Sort): Constraint[] {
  if (DYNAMIC.some((keyword) => keyword in raw)) throw new NotDecided('a dynamic reference')
  const { document, place } = signed
  const below: Below = (...keys) => ({
    document,
    place: document.child(place, ...keys),
    positive: true,
  })
  return [
    ...typeConstraints(raw, sort, signed),
    ...valueConstraints(raw, sort, signed),
    ...logicConstraints(raw, below),
    ...(sort === 'number' ? numberConstraints(raw) : []),
    ...(sort === 'string' ? stringConstraints(raw) : []),
    ...(sort === 'array' ? arrayConstraints(raw, below) : []),
    ...(sort === 'object' ? memberConstraints(raw, below) : []),
    ...opaqueConstraints(raw, signed),
  ]
}

function isNullable(raw: JsonMap, { document }: Signed): boolean {
  return (document.version === '2.0' ? raw['x-nullable'] : raw.nullable) === true
}

function typeConstraints(raw: JsonMap, sort: Sort, signed: Signed): Constraint[] {
  if (raw.type === undefined) return []
  const types = typeof raw.type === 'string' ? [raw.type] : stringsOf(raw.type)
  if (types.length === 0 || types.some((type) => !TYPES.has(type)))
    throw new NotDecided('an unknown type')
  if (sort === 'number' && types.includes('integer') && !types.includes('number'))
    return [fact({ kind: 'multiple', step: 1 }, { kind: 'fraction', step: 1 })]
  const isTaken = types.includes(sort) || (sort === 'null' && isNullable(raw, signed))
  return [isTaken ? { yes: [EMPTY], no: [] } : { yes: [], no: [EMPTY] }]
}

function valueConstraints(raw: JsonMap, sort: Sort, signed: Signed): Constraint[] {
  const lists = [
    ...(Array.isArray(raw.enum) ? [raw.enum as unknown[]] : []),
    ...('const' in raw && raw.const !== undefined ? [[raw.const]] : []),
  ]
  // OpenAPI 3.0 documents say `nullable` beside an enum without null, and mean it.
  const hasOwnNull = /^[23]\.0$/.test(signed.document.version) && isNullable(raw, signed)
  if (sort === 'null' && hasOwnNull) return []
  return lists.map((values) => fact({ kind: 'enum', values }, { kind: 'except', values }))
}

function logicConstraints(raw: JsonMap, below: Below): Constraint[] {
  const list = (keyword: string): Signed[] =>
    Array.isArray(raw[keyword]) ? raw[keyword].map((_, at) => below(keyword, at)) : []
  const constraints: Constraint[] = list('allOf').map((one) => met(one))
  const any = list('anyOf')
  if (any.length > 0)
    constraints.push({ yes: any.map((one) => schemas(one)), no: [schemas(...any.map(denied))] })
  const one = list('oneOf')
  if (one.length > 0) constraints.push(exactlyOne(one))
  if (raw.not !== undefined) {
    const { yes, no } = met(below('not'))
    constraints.push({ yes: no, no: yes })
  }
  if (raw.if !== undefined) constraints.push(conditional(raw, below))
  return constraints
}

function met(one: Signed): Constraint {
  return { yes: [schemas(one)], no: [schemas(denied(one))] }
}

function exactlyOne(list: readonly Signed[]): Constraint {
  const yes = list.map((one) => schemas(one, ...list.filter((other) => other !== one).map(denied)))
  const two = list.flatMap((one, at) => list.slice(at + 1).map((other) => schemas(one, other)))
  return { yes, no: [schemas(...list.map(denied)), ...two] }
}

function conditional(raw: JsonMap, below: Below): Constraint {
  const test = below('if')
  const yes: Branch[] = []
  const no: Branch[] = []
  for (const [role, condition] of [
    ['then', test],
    ['else', denied(test)],
  ] as const) {
    const isSaid = raw[role] !== undefined
    yes.push(isSaid ? schemas(condition, below(role)) : schemas(condition))
    if (isSaid) no.push(schemas(condition, denied(below(role))))
  }
  return { yes, no }
}

function numberConstraints(raw: JsonMap): Constraint[] {
  const constraints: Constraint[] = []
  for (const [inclusive, exclusive, kind, opposite] of [
    ['minimum', 'exclusiveMinimum', 'above', 'below'],
    ['maximum', 'exclusiveMaximum', 'below', 'above'],
  ] as const) {
    const [bound, strict] = [raw[inclusive], raw[exclusive]]
    const limit = (value: number, isStrict: boolean): Constraint =>
      fact(
        { kind, limit: value, strict: isStrict },
        { kind: opposite, limit: value, strict: !isStrict },
      )
    if (isFinite(bound)) constraints.push(limit(bound, strict === true))
    if (isFinite(strict)) constraints.push(limit(strict, true))
  }
  const step = raw.multipleOf
  if (isFinite(step) && step > 0)
    constraints.push(fact({ kind: 'multiple', step }, { kind: 'fraction', step }))
  return constraints
}

function opposed(key: string, test?: (value: unknown) => boolean): Constraint {
  const side = (positive: boolean): Literal => ({
    kind: 'opaque',
    key,
    positive,
    ...(test && { test }),
  })
  return fact(side(true), side(false))
}

function stringConstraints(raw: JsonMap): Constraint[] {
  const { pattern } = raw
  return [
    ...sizeConstraints(raw, 'minLength', 'maxLength'),
    ...(typeof pattern === 'string'
      ? [opposed(`pattern ${pattern}`, (value) => matchesName(pattern, String(value)))]
      : []),
  ]
}

function arrayConstraints(raw: JsonMap, below: Below): Constraint[] {
  const constraints = sizeConstraints(raw, 'minItems', 'maxItems')
  if (raw.uniqueItems === true) {
    constraints.push(
      opposed('uniqueItems', (value) => {
        const texts = (value as unknown[]).map(canonical)
        return new Set(texts).size === texts.length
      }),
    )
  }
  const listed = (['prefixItems', 'items'] as const).find((key) => Array.isArray(raw[key]))
  const prefix = listed ? (raw[listed] as unknown[]).map((_, at) => below(listed, at)) : []
  const tail = listed === 'items' ? 'additionalItems' : 'items'
  const rest = raw[tail] === undefined || Array.isArray(raw[tail]) ? null : below(tail)
  if (prefix.length > 0 || rest) {
    const element = (like: Signed, from: number, only: boolean): Branch =>
      facts({ kind: 'element', from, only, like: denied(like) })
    const no = prefix.map((one, at) => element(one, at, true))
    if (rest) no.push(element(rest, prefix.length, false))
    constraints.push({ yes: [facts({ kind: 'tuple', prefix, rest })], no })
  }
  if (raw.contains !== undefined) constraints.push(containsConstraint(raw, below('contains')))
  return constraints
}

/** Numbers of matching elements other than "at least one" are not looked into. */
function containsConstraint(raw: JsonMap, like: Signed): Constraint {
  const least = isFinite(raw.minContains) ? raw.minContains : 1
  const isPlain = least === 1 && raw.maxContains === undefined
  if (least === 0 && raw.maxContains === undefined) return { yes: [EMPTY], no: [] }
  const some: Literal = { kind: 'element', from: 0, only: false, like }
  if (isPlain) return { yes: [facts(some)], no: [facts({ kind: 'every', like: denied(like) })] }
  const { contains, minContains, maxContains } = raw
  const key = keyOf({ contains, minContains, maxContains }, like)
  const counted = opposed(key)
  return {
    yes: counted.yes.map(({ literals }) => facts(...literals, ...(least > 0 ? [some] : []))),
    no: counted.no,
  }
}

/** Text by which two opaque demands are the same; references mean what their document says. */
function keyOf(value: unknown, { document, place }: Signed): string {
  const text = canonical(value)
  return text.includes('"$') ? `${document.serial} ${place.pointer} ${text}` : text
}

function opaqueConstraints(raw: JsonMap, signed: Signed): Constraint[] {
  const plain = OPAQUE.filter((keyword) => keyword in raw && raw[keyword] !== 'password').map(
    (keyword) => opposed(`${keyword} ${keyOf(raw[keyword], signed)}`),
  )
  const isLimited = CONTEXTUAL.some((keyword) => keyword in raw && raw[keyword] !== true)
  return isLimited && isMap(raw) ? [...plain, opposed(keyOf(raw, signed))] : plain
}
