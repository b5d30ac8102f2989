/**
 * Labels that OCR damaged: "Factuumummer:" is "Factuurnummer:", "Totaalexcl.btw" has its spaces
 * again, and "Daos del clene" over a name is "Datos del cliente".
 */
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import { BUYER_LABEL, FIELD_LABEL, SELLER_LABEL, TITLE } from '../../lexicon/parties.ts'
import { PRINTED_LABELS, type PrintedLabel } from '../../lexicon/printed-labels.ts'

interface Label extends PrintedLabel {
  isOfBuyer: boolean
}
const KNOWN: readonly Label[] = PRINTED_LABELS.map((printed) => ({
  ...printed,
  isOfBuyer: BUYER_LABEL.test(printed.upper),
}))
const BY_LETTERS = new Map(KNOWN.map((known) => [known.letters, known]))
/** By what is left of a label whose first letter was lost: "nvoice". */
const BY_LETTERS_LEFT = new Map(KNOWN.map((known) => [known.letters.slice(1), known]))

/** A shorter word may be another one with a letter changed. */
const LETTERS_MIN = 6
/** What may be lost or changed, as a share of the letters; one over a name may be worse. */
const DAMAGE_MAX = 0.16
const BUYER_DAMAGE_MAX = 0.3
/** Up to so many letters only one may have changed, and to one that is alike. */
const SHORT = 7
/** The next label of other letters must be this much further. */
const LEAD_MIN = 0.5

/** Letters that look alike at a few pixels: one for another costs half. */
const ALIKE = ['ILTJF', 'OCEQGD', 'MNRHW', 'UVY', 'SBZ', 'AES', 'PFR']
const areAlike = (a: string, b: string): boolean =>
  ALIKE.some((letters) => letters.includes(a) && letters.includes(b))

/** Letters to add, leave out or change to make one text the other; alike letters count half. */
function damageBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const [own, other] = [a[i - 1]!, b[j - 1]!]
      const change = own === other ? 0 : areAlike(own, other) ? 0.5 : 1
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change))
    }
    above = row
  }
  return above[b.length]!
}

const roomOf = ({ letters, isOfBuyer }: Label, damageMax: number): number =>
  letters.length > SHORT || isOfBuyer ? damageMax * letters.length : 0.5

/** The label nearest to letters, where it is near enough and no other is as near. */
function nearest(letters: string, labels: readonly Label[], damageMax: number): Label | null {
  let best: Label | null = null
  let least = Infinity
  let second = Infinity
  for (const known of labels) {
    const room = roomOf(known, damageMax)
    if (Math.abs(known.letters.length - letters.length) > room + LEAD_MIN) continue
    const damage = damageBetween(letters, known.letters)
    if (damage < least) {
      second = least
      least = damage
      best = known
    } else if (damage < second && known.letters !== best?.letters) second = damage
  }
  if (!best || least > roomOf(best, damageMax) || second - least < LEAD_MIN) return null
  return best
}

/** What stands before a colon, or all of a cell; marks at its ends are no part of a label. */
const LABEL_PART = /^[^\p{L}\d]*(\p{L}[^:\d°º]*?)[^\p{L}\d°º]*(?:(?=:)|$)/u
/** "Gesamtbetrag EUR": a currency is no part of a label. */
const CURRENCY_BEHIND = /\s(?:EUR|USD|GBP|CHF|DKK|SEK|NOK|PLN|CZK|HUF)$/i
/** The stop or sign that a label ends in; that of the text stays. */
const LAST_MARK = /[^\p{L}]+$/u

/**
 * A cell whose label has its lost letters and spaces again; null where it is whole, or nothing like
 * a label. `isOverName` says that the cell stands alone over a line, where a buyer's name may be.
 */
export function wholeLabel(text: string, isOverName: boolean): string | null {
  const part = LABEL_PART.exec(text)?.[1]?.replace(CURRENCY_BEHIND, '')
  if (part === undefined) return null
  const upper = capitals(part)
  const letters = basicLetters(upper)
  if (letters.length < LETTERS_MIN) return null
  const exact = BY_LETTERS.get(letters)
  const isRun = exact !== undefined && /\s/.test(exact.label) && !/\s/.test(part)
  if (exact && !isRun) return null
  if (!exact && WHOLE.some((known) => known.test(upper))) return null
  const found =
    exact ??
    BY_LETTERS_LEFT.get(letters) ??
    nearest(letters, KNOWN, DAMAGE_MAX) ??
    (isOverName && !FIELD_LABEL.test(upper) ? nearest(letters, BUYERS, BUYER_DAMAGE_MAX) : null)
  return found && text.replace(part, found.label.replace(LAST_MARK, ''))
}
const WHOLE = [BUYER_LABEL, SELLER_LABEL, TITLE]
const BUYERS = KNOWN.filter(({ isOfBuyer }) => isOfBuyer)
