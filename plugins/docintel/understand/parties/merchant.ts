/** The seller's name: the best of the lines of the head, with those that continue it. */
import { addressScore } from '../../lexicon/addresses.ts'
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import { legible, malaysianForm } from '../../lexicon/legible.ts'
import { BUSINESS_WORD, CHATTER, LEGAL_FORM } from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'
import { cleanName } from './clean-name.ts'
import type { Scored } from '../days/issued-at.ts'
import { domainsOf } from '../marks/domains.ts'
import { scoreSpot } from './merchant-score.ts'
import { continuesName } from './name-lines.ts'
import type { Spot, Zones } from './zones.ts'

export interface FoundMerchant extends Scored<string> {
  spot: Spot
}

/** Lines of a name above the one with its company form. */
const ABOVE_MAX = 2

/** The name with the lines above and below that it is continued in; `spot` is its last line. */
function wholeName(
  best: Spot,
  scored: readonly { spot: Spot }[],
  zones: Zones,
): { value: string; spot: Spot; used: Spot[] } {
  const repeats = (a: string, b: string): boolean =>
    basicLetters(capitals(a)).length >= 4 &&
    basicLetters(capitals(b)).includes(basicLetters(capitals(a)))
  const beside = (from: Spot, step: number): Spot | undefined =>
    zones.spots.find(
      (s) =>
        s.row.index === from.row.index + step &&
        s.row.gapAbove + from.row.gapAbove < 3 &&
        Math.abs(s.cell.x0 - from.cell.x0) < 30,
    )
  const used = [best]
  let value = malaysianForm(cleanName(best.cell.text))
  let top = best
  for (let step = 0; step < ABOVE_MAX; step++) {
    const above = beside(top, -1)
    const rest = legible(capitals(value)) || top.upper
    if (!above || !scored.some((s) => s.spot === above) || !continuesName(above.upper, rest)) break
    const lead = cleanName(above.cell.text)
    value = repeats(lead, value) ? value : `${lead} ${value}`
    used.push(above)
    top = above
  }
  const below = beside(best, 1)
  // "COMPANY NO: 12345-A" without its number is no part of a name.
  if (
    below &&
    !/^(?:CO|COMPANY)\b.*\d{4}/.test(below.upper) &&
    continuesName(best.upper, legible(capitals(cleanName(below.cell.text))) || below.upper)
  ) {
    const more = cleanName(below.cell.text)
    if (repeats(value, more)) value = more
    else if (more !== '') value = `${value} ${more}`
    used.push(below)
    return { value, spot: below, used }
  }
  return { value, spot: best, used }
}

/** "Dr. Ada Brun", "Katrin Hollweg": given name and surname, perhaps with a title. */
const PERSON =
  /^(?:(?:Dr|Prof|Dipl|Ing|Mag|Me|Maître)[-\p{L}.]* )*\p{Lu}\p{Ll}+(?:[- ]\p{Lu}\p{Ll}+){1,2}$/u

/** Who works under her own name above what she does: "Katrin Hollweg" over "Grafik & Illustration". */
function personAbove(best: Spot, scored: readonly { spot: Spot }[]): Spot | null {
  if (LEGAL_FORM.test(best.upper) || best.row.index > 6) return null
  const above = scored.find(
    ({ spot }) =>
      spot.row.index === best.row.index - 1 &&
      best.row.gapAbove < 1.5 &&
      Math.abs(spot.cell.x0 - best.cell.x0) < 3,
  )?.spot
  if (!above || BUSINESS_WORD.test(above.upper) || !PERSON.test(above.cell.text.trim())) return null
  return above
}

/** Where nothing looks like a name: the first line that could be one, above everything else. */
function firstLine(scored: readonly { spot: Spot; score: number }[]): FoundMerchant | null {
  const first = scored
    .filter((s) => s.spot.row.index < 5 && s.score > -3.5 && !CHATTER.test(s.spot.upper))
    .toSorted((a, b) => a.spot.row.index - b.spot.row.index)[0]
  if (!first || addressScore(first.spot.upper) >= 3) return null
  const value = cleanName(first.spot.cell.text)
  return value.length < 3 ? null : { value, confidence: 0.5, spot: first.spot }
}

/** The name with its confidence, or null. */
export function findMerchant(
  document: DocumentText,
  zones: Zones,
  preferred: 'receipt' | 'invoice',
): FoundMerchant | null {
  const domains = domainsOf(document)
  const scored: { spot: Spot; score: number }[] = []
  for (const spot of zones.spots) {
    const score = scoreSpot(spot, document, zones, domains, preferred)
    if (score !== null) scored.push({ spot, score })
  }
  scored.sort((a, b) => b.score - a.score || a.spot.row.index - b.spot.row.index)
  const best = scored[0]
  if (!best) return null
  if (best.score < 0.6) return firstLine(scored)
  const person = preferred === 'invoice' ? personAbove(best.spot, scored) : null
  const { value, spot, used } = person
    ? { value: cleanName(person.cell.text), spot: person, used: [best.spot, person] }
    : wholeName(best.spot, scored, zones)
  if (value.length < 2) return null
  const rival = scored.find((s) => !used.includes(s.spot))
  const margin = rival ? best.score - rival.score : 3
  let confidence =
    best.score >= 6 ? 0.93 : best.score >= 4.5 ? 0.87 : best.score >= 2.5 ? 0.75 : 0.6
  if (margin < 0.5) confidence -= 0.18
  else if (margin < 1.2) confidence -= 0.07
  return { value, confidence, spot }
}
