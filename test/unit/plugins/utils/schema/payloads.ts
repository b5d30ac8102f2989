/**
 * Payloads like those of web APIs, made from a seed, and mutations of them: one key deleted, or
 * one value replaced by a value of another type.
 */

type Random = () => number

/** Mulberry32: a small generator whose sequence depends on the seed only. */
function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const WORDS = [
  'order',
  'river',
  'north',
  'amber',
  'signal',
  'paper',
  'cloud',
  'maple',
  'stone',
  'delta',
]
const KEYS = [
  'id',
  'name',
  'kind',
  'note',
  'total',
  'active',
  'created',
  'link',
  'owner',
  'tags',
  'items',
  'parent',
]

function scalar(next: Random): unknown {
  const number = Math.floor(next() * 9000)
  const makers: (() => unknown)[] = [
    () => number,
    () => number + 0.25,
    () => next() < 0.5,
    () => `${WORDS[number % 10]} ${WORDS[(number >> 3) % 10]}`,
    () => `2024-0${(number % 9) + 1}-1${number % 10}T0${number % 10}:30:00Z`,
    () => `2023-1${number % 3}-0${(number % 9) + 1}`,
    () => `https://${WORDS[number % 10]}.example/${number}`,
    () => `${WORDS[number % 10]}@mail.example`,
    () => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    () => `192.0.2.${number % 255}`,
  ]
  return makers[Math.floor(next() * makers.length)]!()
}

function value(next: Random, depth: number): unknown {
  const roll = next()
  if (depth > 3 || roll < 0.6) return next() < 0.05 ? null : scalar(next)
  if (roll < 0.8) return object(next, depth + 1)
  const length = Math.floor(next() * 4)
  if (next() < 0.5) {
    const seed = Math.floor(next() * 1e9)
    return Array.from({ length }, () => object(random(seed), depth + 1))
  }
  const seed = Math.floor(next() * 1e9)
  return Array.from({ length }, () => scalar(random(seed)))
}

function object(next: Random, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const count = 2 + Math.floor(next() * 5)
  for (let at = 0; at < count; at++) {
    const key = `${KEYS[Math.floor(next() * KEYS.length)]}${at}`
    out[key] = value(next, depth)
  }
  return out
}

/** One payload; the same seed gives the same one. */
export function payload(seed: number): unknown {
  const next = random(seed)
  return seed % 4 === 0 ? [object(next, 0), object(next, 0)] : object(next, 0)
}

export interface Mutation {
  kind: 'deleted' | 'swapped'
  value: unknown
}

/** Every payload that differs from `sample` by one deleted key or one value of another type. */
export function mutations(sample: unknown): Mutation[] {
  const out: Mutation[] = []
  visit(sample, [], sample, out)
  return out
}

function visit(root: unknown, path: (string | number)[], at: unknown, out: Mutation[]): void {
  if (typeof at !== 'object' || at === null) return
  for (const key of Array.isArray(at) ? at.keys() : Object.keys(at)) {
    const here = [...path, key]
    const child = (at as Record<string | number, unknown>)[key]
    if (typeof key === 'string') out.push({ kind: 'deleted', value: edit(root, here, null) })
    out.push({ kind: 'swapped', value: edit(root, here, { to: other(child) }) })
    visit(root, here, child, out)
  }
}

function other(value: unknown): unknown {
  if (typeof value === 'string') return 12345
  if (typeof value === 'number') return 'text'
  if (typeof value === 'boolean') return 'true'
  return Array.isArray(value) ? { list: 1 } : value === null ? 'text' : [1]
}

function edit(root: unknown, path: (string | number)[], change: { to: unknown } | null): unknown {
  const copy = structuredClone(root)
  let parent = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>
  const last = path.at(-1)!
  if (change) parent[last] = change.to
  else delete parent[last]
  return copy
}
