/** The small line of a sender over an address window or at the foot: name, street and town in one. */
import { hasPostcode } from '../../lexicon/addresses.ts'
import { capitalsInPlace } from '../../lexicon/fold.ts'
import { LEGAL_FORM } from '../../lexicon/parties.ts'

/**
 * "Spelmeyer, Schlicht und Wilky, Heribertstr. 49, 88566 Yasminstadt": name, street, place. The number
 * may stand before its street, and a postcode may have two parts.
 */
const WITH_COMMAS =
  /^(\p{L}[^\d:]*\p{L}\.?), (?:[^\d,]*\p{L}[^\d,]* \d{1,4} ?[a-zA-Z]?|\d{1,4}[a-zA-Z]?,? [^\d,:]*\p{L}[^\d,:]*), (?:[A-Z]{1,2}-)?(?:\d{4,5}|\d{3} \d{2}|\d{2}-\d{3}|\d{4} [A-Z]{2}) \p{L}[^\d,:]*$/u

/** A last part that is a place: a postcode and its town, or as in Britain the town first. */
const PLACE_LAST = /\d{3}.*\p{L}{3}|\d[A-Z]{2} \p{L}{3}|\p{L}{3} [A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/u

/** What parts a name from its street where some of the dashes or dots were lost. */
const MARK = / ?[·•|] ?| ?[-–—] |, /
/** Words that begin a street, with its number behind. */
const STREET_LEAD =
  /(?<=\p{L}{2}\.? )(?:UL|AL|VIA|VIALE|PIAZZA|CORSO|CALLE|PLAZA|AVENIDA|RUA|TRAVESSA|AVENUE|AV|RUE|PLACE|BOULEVARD|JALAN)\.? (?=\D{2,40}\d)/u
/** Postcodes in two parts: Poland, Portugal, Sweden and Czechia, Britain. */
const CODE_IN_PARTS =
  /(?<!\d)(?:\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2})(?= [A-Z]{3})|(?<![A-Z])[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![A-Z])/g
/** Longer beginnings are sentences. */
const NAME_MAX = 60

/** Where the name in a line with a place ends; -1 where nothing tells. */
function endOfName(text: string): number {
  const upper = capitalsInPlace(text)
  const legal = LEGAL_FORM.exec(upper)
  const ends = [
    legal
      ? legal.index + legal[0].length + (upper[legal.index + legal[0].length] === '.' ? 1 : 0)
      : -1,
    MARK.exec(text)?.index ?? -1,
    STREET_LEAD.exec(upper)?.index ?? -1,
  ].filter((end) => end > 0)
  return ends.length === 0 ? -1 : Math.min(...ends)
}

/** The name in a sender's small line, "Muster Elektro - Hauptstr. 5 - 80331 Stadt"; null elsewhere. */
export function senderOf(text: string): string | null {
  // A dash may be part of the name where dots part the line.
  const parts = text.split(/ [·•|] .* [·•|] /.test(text) ? / [·•|] / : / [-–—·•|] /)
  if (parts.length >= 3 && PLACE_LAST.test(parts.at(-1)!) && /\p{L}{3}/u.test(parts[0]!))
    return parts[0]!
  return WITH_COMMAS.exec(text)?.[1] ?? wornSenderOf(text)
}

/** The same where a mark was lost: "Wiśniewski ul. Dworcowa 5/3 - 80-244 Gdansk". */
function wornSenderOf(text: string): string | null {
  const end = endOfName(text)
  if (end < 3 || end > NAME_MAX) return null
  const name = text.slice(0, end).trim()
  const rest = capitalsInPlace(text.slice(end))
  // A street with its number, then the place with its postcode, which may have two parts.
  const numbers = rest.replaceAll(CODE_IN_PARTS, ' 00000 ').match(/\d+/g) ?? []
  const isAddress = (hasPostcode(rest) || rest.search(CODE_IN_PARTS) >= 0) && numbers.length >= 2
  return isAddress && !/[\d:@]/.test(name) && /\p{L}{3}/u.test(name) ? name : null
}
