/** Numeric limits: bounds set, unset, raised and lowered, multipleOf, uniqueItems. */
import { show } from '../pointer.ts'
import type { Effect, Finding } from '../types.ts'
import type { Bounds, Shape } from './shape.ts'

/** Keyword, its name in ids, and whether it limits from above. */
const BOUNDS: readonly [keyof Bounds, string, boolean][] = [
  ['maximum', 'max', true],
  ['minimum', 'min', false],
  ['exclusiveMaximum', 'exclusive-max', true],
  ['exclusiveMinimum', 'exclusive-min', false],
  ['maxLength', 'max-length', true],
  ['minLength', 'min-length', false],
  ['maxItems', 'max-items', true],
  ['minItems', 'min-items', false],
  ['maxProperties', 'max-properties', true],
  ['minProperties', 'min-properties', false],
]

/** Findings about the limits of two schemas. */
export function relateBounds(a: Shape, b: Shape): Finding[] {
  const [before, after] = [comparable(a, b), comparable(b, a)]
  const findings: Finding[] = []
  for (const [keyword, name, upper] of BOUNDS) {
    const [old, now] = [before[keyword], after[keyword]]
    if (old === now) continue
    const finding = boundFinding(keyword, name, upper, old, now, b)
    // What the other limit of the same end says as well, before or after, changes nothing.
    const [narrows, widens] = [finding.effect === 'narrows', finding.effect === 'widens']
    const isSaid =
      (narrows && now !== undefined && implies(a, before, keyword, now)) ||
      (widens && old !== undefined && implies(b, after, keyword, old))
    findings.push(isSaid ? { ...finding, effect: 'none' } : finding)
  }
  return [...findings, ...multipleFinding(a, b), ...uniqueFinding(a, b)]
}

/**
 * The bounds of `shape` in the spelling of `other`, where an exclusive and an inclusive one can
 * be exchanged: for integers `> 4` is `>= 5`.
 */
function comparable(shape: Shape, other: Shape): Bounds {
  const bounds = { ...shape.bounds }
  const integers = shape.types?.size === 1 && shape.types.has('integer')
  for (const [inclusive, exclusive, step] of [
    ['minimum', 'exclusiveMinimum', 1],
    ['maximum', 'exclusiveMaximum', -1],
  ] as const) {
    const strict = bounds[exclusive]
    if (!integers || strict === undefined || other.bounds[exclusive] !== undefined) continue
    if (bounds[inclusive] !== undefined || other.bounds[inclusive] === undefined) continue
    bounds[inclusive] = (step === 1 ? Math.floor(strict) : Math.ceil(strict)) + step
    delete bounds[exclusive]
  }
  return bounds
}

/** Whether a shape with `bounds` refuses all that a limit `keyword: value` would refuse. */
function implies(shape: Shape, bounds: Bounds, keyword: keyof Bounds, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity } = bounds
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = bounds
  switch (keyword) {
    case 'maximum':
      return Math.min(maximum, exclusiveMaximum) <= value
    case 'minimum':
      return Math.max(minimum, exclusiveMinimum) >= value
    case 'exclusiveMaximum':
      return exclusiveMaximum <= value || maximum < value
    case 'exclusiveMinimum':
      return exclusiveMinimum >= value || minimum > value
    case 'maxItems':
      return shape.parts.get('items')?.raw === false && shape.prefixItems.length <= value
    default:
      return false
  }
}

function boundFinding(
  keyword: string,
  name: string,
  upper: boolean,
  old: number | undefined,
  now: number | undefined,
  b: Shape,
): Finding {
  const raised = old !== undefined && now !== undefined && now > old
  const [action, effect]: [string, Effect] =
    old === undefined
      ? ['set', 'narrows']
      : now === undefined
        ? ['unset', 'widens']
        : raised
          ? ['increased', upper ? 'widens' : 'narrows']
          : ['decreased', upper ? 'narrows' : 'widens']
  return {
    path: [],
    form: `${name}-${action}`,
    effect,
    location: b.location,
    text: `${keyword} changed from ${show(old ?? 'none')} to ${show(now ?? 'none')}`,
    before: old,
    after: now,
  }
}

function multipleFinding(a: Shape, b: Shape): Finding[] {
  const [old, now] = [a.multipleOf, b.multipleOf]
  if (old === now) return []
  const [form, effect] = multipleForm(old, now)
  const text = `multipleOf changed from ${show(old ?? 'none')} to ${show(now ?? 'none')}`
  return [{ path: [], form, effect, location: b.location, text, before: old, after: now }]
}

function multipleForm(old: number | undefined, now: number | undefined): [string, Effect] {
  if (old === undefined) return ['multiple-of-set', 'narrows']
  if (now === undefined) return ['multiple-of-unset', 'widens']
  if (Number.isInteger(old / now)) return ['multiple-of-generalized', 'widens']
  if (Number.isInteger(now / old)) return ['multiple-of-specialized', 'narrows']
  return ['multiple-of-changed', 'incomparable']
}

function uniqueFinding(a: Shape, b: Shape): Finding[] {
  if (a.uniqueItems === b.uniqueItems) return []
  return [
    {
      path: [],
      form: b.uniqueItems ? 'unique-items-set' : 'unique-items-unset',
      effect: b.uniqueItems ? 'narrows' : 'widens',
      location: b.location,
      text: b.uniqueItems ? 'items must be unique now' : 'items need not be unique any more',
      before: a.uniqueItems,
      after: b.uniqueItems,
    },
  ]
}
