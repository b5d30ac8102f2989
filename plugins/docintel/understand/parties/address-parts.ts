/**
 * Street, postcode and town of an address in one line. Only what the form of a postcode parts without
 * doubt is given: one postcode, with a town behind it (most of Europe) or before it (Britain).
 */
import type { Address } from '../../schema.ts'

/** A postcode with the town behind it: 04109, F-31000, 3511 AB, 80-244, 3000-201, 791 71. */
const TOWN_BEHIND =
  /(?:^|[\s,·|–-])(?:[A-Z]{1,2}-)?(\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{5}|\d{4})\s+(\p{Lu}[\p{L}'’.\s()/-]{1,40}?)(?=\s*(?:[,·|]|$))/gu
/** A British postcode at the end, the town before it. */
const BRITISH = /[\s,]([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?:\s*,?\s*(?:UK|United Kingdom|England))?$/
/** What ends a street: a number, with or without a letter. */
const STREET_END = /^(.*\d\s?[a-zA-Z]?)[\s,·|–-]+(\p{Lu}[\p{L}'’.\s-]+)$/u
const STREET_WORD =
  /\b(?:street|st|road|rd|lane|ln|avenue|ave|drive|close|court|way|park|place|square|row|hill|gate|wharf|mews|terrace|yard|house|estate)\b\.?/i

/** "1234 Main Street" begins with a house number, not with a postcode. */
const IS_STREET =
  /(?:^|\s)(?:street|st|road|rd|lane|ln|avenue|ave|drive|dr|boulevard|blvd|highway|hwy|court|ct|way|parkway|pkwy|place|pl|square|terrace|broadway)\.?$/i
/** Where a postcode stands behind the town, in front of nothing but the country. */
const POSTCODE_LAST = new Set(['US', 'CA', 'AU', 'NZ', 'IN', 'KE', 'NG', 'ZA'])

const trimmed = (text: string): string => text.replaceAll(/^[\s,·|–-]+|[\s,·|–-]+$/g, '')

/** The parts, or null where the form of the address does not tell them; `country` is an ISO code. */
export function addressParts(address: string, country: string | null): Address | null {
  const british = BRITISH.exec(address)
  if (british) return britishParts(address.slice(0, british.index), british[1]!, country)
  if (country !== null && POSTCODE_LAST.has(country)) return null
  const towns = [...address.matchAll(TOWN_BEHIND)]
  const [match] = towns
  if (!match || towns.length !== 1) return null
  const street = trimmed(address.slice(0, match.index))
  const behind = trimmed(address.slice(match.index + match[0].length))
  // A street has letters and a house number; a number of four digits is a postcode before it.
  const isStreet = /\p{L}{3}/u.test(street) && /\d/.test(street) && !/\d{4}/.test(street)
  if (street !== '' && !isStreet) return null
  if (IS_STREET.test(trimmed(match[2]!))) return null
  if (behind !== '' && !/^\p{L}[\p{L}\s]{2,}$/u.test(behind)) return null
  return {
    street: street === '' ? null : street,
    city: trimmed(match[2]!),
    postcode: match[1]!,
    region: null,
    country,
  }
}

function britishParts(before: string, postcode: string, country: string | null): Address | null {
  const comma = before.lastIndexOf(',')
  const end = STREET_WORD.exec(before)
  const parted =
    comma !== -1 && !/\d/.test(before.slice(comma))
      ? [before.slice(0, comma), before.slice(comma + 1)]
      : end
        ? [before.slice(0, end.index + end[0].length), before.slice(end.index + end[0].length)]
        : STREET_END.exec(before)?.slice(1)
  const [street, city] = (parted ?? []).map((part) => trimmed(part))
  if (!street || !city || !/^\p{Lu}[\p{L}'’\s.-]+$/u.test(city)) return null
  return { street, city, postcode, region: null, country }
}
