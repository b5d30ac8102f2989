/** Contradictions among literals about numbers, texts and sizes. */
import type { Literal } from './literals.ts'
import { meets } from './values.ts'

/** Most whole numbers between two limits that are tried one by one. */
const TRIED_MAX = 500

export const NO_SCHEMAS = { holds: () => null }

type Of<K extends Literal['kind'], L extends Literal = Literal> = L extends { kind: infer X }
  ? K extends X
    ? L & { kind: K }
    : never
  : never

/** The literals of some kinds. */
export function ofKind<K extends Literal['kind']>(
  literals: readonly Literal[],
  ...kinds: K[]
): Of<K>[] {
  return literals.filter((one): one is Of<K> => (kinds as string[]).includes(one.kind))
}

/** Fewest and most characters, elements or members. */
export function sizesOf(literals: readonly Literal[]): { least: number; most: number } {
  const least = Math.max(0, ...ofKind(literals, 'least').map(({ size }) => size))
  const most = Math.min(Infinity, ...ofKind(literals, 'most').map(({ size }) => size))
  return { least, most }
}

/** Whether the literals contradict each other at first sight. */
export function isContradicted(literals: readonly Literal[]): boolean {
  const said = new Map<string, boolean>()
  for (const literal of literals) {
    const fact = factOf(literal)
    if (!fact) continue
    const [key, positive] = fact
    if ((said.get(key) ?? positive) !== positive) return true
    said.set(key, positive)
  }
  const { least, most } = sizesOf(literals)
  return least > most
}

function factOf(literal: Literal): [string, boolean] | null {
  switch (literal.kind) {
    case 'opaque':
      return [`opaque ${literal.key}`, literal.positive]
    case 'has':
    case 'lacks':
      return [`member ${literal.name}`, literal.kind === 'has']
    default:
      return null
  }
}

export const isEmptyString = isContradicted

/** Whether no number meets the literals. */
export function isEmptyNumber(literals: readonly Literal[]): boolean {
  let [low, high] = [-Infinity, Infinity]
  for (const { limit } of ofKind(literals, 'above')) low = Math.max(low, limit)
  for (const { limit } of ofKind(literals, 'below')) high = Math.min(high, limit)
  if (low > high) return true
  const fails = (value: number): boolean =>
    literals.some((literal) => meets(literal, value, NO_SCHEMAS) === false)
  if (low === high) return fails(low)
  const steps = ofKind(literals, 'multiple').map(({ step }) => step)
  const isBarred = ofKind(literals, 'fraction').some(({ step }) =>
    steps.some((own) => Number.isInteger(own / step)),
  )
  if (isBarred) return true
  // Decimal steps are not exact in binary.
  const step = Math.max(0, ...steps.filter((one) => Number.isInteger(one)))
  if (step === 0 || (high - low) / step > TRIED_MAX) return false
  for (let at = Math.ceil(low / step); at * step <= high; at++) if (!fails(at * step)) return false
  return true
}
