/** Names that are printed over two lines. */
import { addressScore } from '../../lexicon/addresses.ts'
import {
  CHATTER,
  KIND_ONLY,
  LEGAL_FORM,
  NAME_LEAD,
  NAME_OPENING,
  TITLE,
} from '../../lexicon/parties.ts'

/** "(M) SDN BHD", "& SONS", "DI ROSSI MARCO": no name begins so. */
const OPENS_AS_REST =
  /^(?:& ?[A-Z]|AND [A-Z]|DAN [A-Z]|DI [A-Z]{3}|\((?:[A-Z]{1,3}|MALAYSIA)\)\W*\S)/
const ENDS_OPEN = /(?:&|\(| (?:AND|DAN|OF|UND|ET|Y|E|I|EN|OG|OCH|JA|ES))$/

/** "MAJU HARDWARE (TAMAN" / "JAYA) SDN BHD": the bracket is closed in the next line. */
const OPENS_BRACKET = /^[^\d()]+\([^\d()]{2,}$/
const CLOSES_BRACKET = /^[^()]{2,}\)/

/** "PUSAT PERUBATAN" and "TAMAN BOOKS" are names: a street in one has its number. */
const isAddress = (upper: string): boolean =>
  addressScore(upper) >= 2 &&
  (/\d|,$/.test(upper) || !(LEGAL_FORM.test(upper) || NAME_LEAD.test(upper)))

/** What follows a company form that leads its line: "SARL DUPONT" is a name of its own. */
const opensName = (rest: string): boolean =>
  /^(?:[A-Z]{3}|[^\p{ASCII}]{2})/u.test(rest) && !LEGAL_FORM.test(rest) && !KIND_ONLY.test(rest)

/** Whether the line `lower` (both in capitals) is the rest of a name begun in `upper`. */
export function continuesName(upper: string, lower: string): boolean {
  const first = upper.trim()
  const second = lower.trim()
  if (second === '' || TITLE.test(second) || CHATTER.test(second) || /\d{3}/.test(second))
    return false
  if (TITLE.test(first)) return false
  if (OPENS_BRACKET.test(first) && CLOSES_BRACKET.test(second)) return true
  if (isAddress(first) || isAddress(second)) return false
  if (ENDS_OPEN.test(first)) return true
  if (LEGAL_FORM.test(first)) return false
  if (OPENS_AS_REST.test(second)) return true
  const legal = LEGAL_FORM.exec(second)
  if (legal) {
    const lead = second.slice(0, legal.index).trim()
    const rest = second.slice(legal.index + legal[0].length).trim()
    return (
      (lead === '' && !opensName(rest)) ||
      KIND_ONLY.test(lead.replaceAll(/ ?\([^()]*\)/g, '')) ||
      (NAME_LEAD.test(first) && !NAME_LEAD.test(second) && first.length <= 36)
    )
  }
  if (KIND_ONLY.test(second)) return true
  return NAME_OPENING.test(first) && addressScore(second) === 0 && !/\d/.test(second)
}
