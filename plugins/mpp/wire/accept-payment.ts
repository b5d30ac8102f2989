/**
 * `Accept-Payment: evm/charge, tempo/*;q=0.5` (MPP httpauth-payment-00 §6): which methods a client
 * can pay by, and which it likes best.
 */

interface Range {
  method: string
  intent: string
  /** 0 to 1000. */
  weight: number
}

/** What is offered: 'evm/charge'. */
interface Offered {
  method: string
  intent: string
}

const MAX_CHARACTERS = 1024
const RANGE =
  /^(\*|[a-z0-9-]+)[ \t]*\/[ \t]*(\*|[a-z0-9-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * The offers that the header takes, best liked first and otherwise in their own order. All of them
 * when the header is missing or malformed, or takes none: a 402 has a challenge always.
 */
export function accepted<T extends Offered>(
  offers: readonly T[],
  header: string | null,
): readonly T[] {
  // One offer stays whatever the header says.
  const ranges = header === null || offers.length < 2 ? null : rangesOf(header)
  if (ranges === null) return offers
  const weighed = offers
    .map((offer) => ({ offer, weight: weightOf(offer, ranges) }))
    .filter(({ weight }) => weight > 0)
  if (weighed.length === 0) return offers
  return weighed.toSorted((a, b) => b.weight - a.weight).map(({ offer }) => offer)
}

function rangesOf(header: string): Range[] | null {
  if (header.length > MAX_CHARACTERS) return null
  const ranges: Range[] = []
  for (const item of header.split(',')) {
    const [, method, intent, weight = '1'] = RANGE.exec(item.trim()) ?? []
    if (method === undefined || intent === undefined) return null
    ranges.push({ method, intent, weight: Math.round(Number(weight) * 1000) })
  }
  return ranges
}

/** That of the most specific range; 0 when there is none. */
function weightOf({ method, intent }: Offered, ranges: readonly Range[]): number {
  let best = -1
  let weight = 0
  for (const range of ranges) {
    if (range.method !== '*' && range.method !== method) continue
    if (range.intent !== '*' && range.intent !== intent) continue
    const specific = Number(range.method !== '*') + Number(range.intent !== '*')
    if (specific < best || (specific === best && range.weight <= weight)) continue
    best = specific
    weight = range.weight
  }
  return weight
}
