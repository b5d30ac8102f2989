/** Whether a line that ends or begins with a house number is a street, or a name with a number. */
import { capitals } from '../../lexicon/fold.ts'
import { isAligned, isOwnData, isPlaceLine } from './letter-blocks.ts'
import type { Spot, Zones } from './zones.ts'

/** "AM MUHLBACH 3", "12 RUE DU PORT": a street. */
const HOUSE_NUMBER = /[A-Z.],? \d{1,4} ?[A-Z]?$|^\d{1,4}[A-Z]?,? [A-Z]/
/** "WORKSHOP 21", "TALLER 300": also the form of a name. */
const NUMBER_BEHIND = /^[A-Z][A-Z&' .-]* \d{1,4}$/

/** A postcode of any country in a line that stands where the town is. */
const TOWN = /\d{4}|\d{2}-\d{3}|\d{3} \d{2}|[A-Z]\d[A-Z\d]? ?\d[A-Z]{2}/

/** The line right below in the same block, set at the left, at the right or around one middle. */
export const lineBelow = (zones: Zones, spot: Spot): Spot | undefined =>
  zones.spots.find(
    (s) => s.row.index === spot.row.index + 1 && s.row.gapAbove < 1 && isAligned(s, spot),
  )

/** Whether two lines stand under a name as its street and its town do; "96845 Main Drive" may be a street. */
export const isAddress = (street: Spot | undefined, town: Spot | undefined): boolean =>
  street !== undefined &&
  town !== undefined &&
  !isOwnData(street.upper) &&
  /\p{L}{3}/u.test(street.cell.text) &&
  /\d/.test(street.upper) &&
  !/:/.test(street.upper) &&
  (!isPlaceLine(street.upper) || (/^\d/.test(street.upper) && isPlaceLine(town.upper))) &&
  /\p{L}{3}/u.test(town.cell.text) &&
  TOWN.test(town.upper)

/** Whether a street and its town stand right below: an address has one street only. */
function isOverStreet(zones: Zones, spot: Spot): boolean {
  const street = lineBelow(zones, spot)
  return isAddress(street, street && lineBelow(zones, street))
}

/** Whether a line is a name with a number: "Workshop 21" over its street. */
export const isNumberedName = (zones: Zones, spot: Spot): boolean =>
  NUMBER_BEHIND.test(capitals(spot.cell.text).trim()) && isOverStreet(zones, spot)

/** Whether a line is a street by its house number; "Workshop 21" over a street is a name. */
export function isHouseLine(zones: Zones, spot: Spot): boolean {
  const upper = capitals(spot.cell.text).trim()
  return HOUSE_NUMBER.test(upper) && !isNumberedName(zones, spot)
}
