/** The customer that a document names, with its tax number. */
import { addressScore } from '../../lexicon/addresses.ts'
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { withoutTaxIdBehind } from '../../lexicon/other-scripts.ts'
import {
  BUSINESS_WORD,
  BUYER_LABEL,
  CHATTER,
  FIELD_LABEL,
  isFormAlone,
  LEGAL_FORM,
  NAME_FIELD,
  NAME_WITH_YEAR,
  TITLE,
} from '../../lexicon/parties.ts'
import { continuesName } from './name-lines.ts'
import { MAIL_BEHIND } from './clean-name.ts'
import type { Spot, Zones } from './zones.ts'
import type { FoundTaxId } from '../marks/tax-ids.ts'

export interface FoundBuyer {
  name: string | null
  tax_id: string | null
  /** Of its tax number; null without one. */
  country: string | null
  /** Where the name stands; null without a name. */
  spot: Spot | null
  /** What follows the name in its own line, from a comma on: its address, or nothing. */
  rest: string
  confidence: number
}

const NOT_NAME =
  /^(?:CASH|CASH CUSTOMER|WALK ?-?IN|CUSTOMER|COPY|NAME|ADDRESS|ACCOUNT|NO|ID|DATE|TEL|PHONE|EMAIL|GST|VAT|TIN|PIN|[-.:*\s]*)(?:$|[\s:#.])/

/** "Invoice for Welch", "Spett.le Ridolfi": what stands before a name in its own line. */
const LEAD =
  /^(?:(?:Invoice|Receipt|Bill)(?:ed)? (?:for|to)|Spett(?:\.? ?le|abile)|le|À|Cliente|Client|Customer|Kunde|Klant)[:.]?\s+(?=\p{Lu})/u

/** Whether a cell leads a line of goods; words to its right are a box beside the buyer. */
const isGoods = (zones: Zones, spot: Spot): boolean =>
  zones.tableRows.has(spot.row.index) &&
  spot.row.cells.every((c) => c === spot.cell || !/\p{L}{4}/u.test(c.text))

/** "Mme Claire Dubois", "Familie Meier" alone in a line. */
export const PERSONAL =
  /^(?:Mr|Mrs|Ms|Miss|Mme|Mlle|M|Monsieur|Madame|Herrn?|Frau|Sig|Sig\.ra|Sr|Sra|Dhr|Mevr|Mevrouw|Familie|Fam)\.? (?:\p{L}{1,4}\.? ){0,2}\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,2}$/u
const ADDRESSED_ROWS = 20

/** Who an invoice without labels is addressed to, by the form of address. */
function addressed(zones: Zones): Spot | null {
  const spot = zones.spots.find(
    (s) =>
      s.row.index > 0 &&
      s.row.index < ADDRESSED_ROWS &&
      PERSONAL.test(s.cell.text.trim()) &&
      !LEGAL_FORM.test(s.upper) &&
      !BUSINESS_WORD.test(s.upper),
  )
  return spot ?? null
}

/** The line right under a spot in its column, if it may be of a name. */
function lineUnder(zones: Zones, { row, cell }: Spot): Spot | null {
  const next = zones.spots.find(
    (s) =>
      s.row.index === row.index + 1 && s.row.gapAbove < 1 && Math.abs(s.cell.x0 - cell.x0) <= 2,
  )
  return next && !/\d|[:@]/.test(next.cell.text) ? next : null
}

/** The line that a name goes on in: what joins two names, a company form or a kind of business ends it. */
function nameBelow(zones: Zones, name: Spot): Spot | null {
  const next = lineUnder(zones, name)
  if (!next || !zones.buyer.has(next)) return null
  return continuesName(name.upper, next.upper) || ONE_WORD_OF_NAME.test(next.upper.trim())
    ? next
    : null
}
/** "Shipping to: Thomas Meyer" over "Freriks BV": the company that a person buys for. */
function companyBelow(zones: Zones, name: string, label: Spot): Spot | null {
  if (!/^\p{Lu}[\p{L}'-]+(?: [\p{L}'-]+){1,3}$/u.test(name)) return null
  if (!BUYER_LABEL.test(label.upper) || LEGAL_FORM.test(label.upper)) return null
  const next = lineUnder(zones, label)
  // A form alone in its line ends the name above it.
  if (next && isFormAlone(next.cell.text.trim())) return null
  return next && (LEGAL_FORM.test(next.upper) || JOINED.test(next.cell.text)) ? next : null
}
/** Two names in one, "Mohr, Tromp and Kuphal". */
const JOINED = /\p{L}(?: (?:&|\+|and|und|et|y|e|en|og|och) | ?- ?)\p{Lu}/u
/** The end of a name alone in its line. */
const ONE_WORD_OF_NAME =
  /^(?:ASOCIADOS|ASSOCIADOS|ASSOCIATI|ASSOCIES|ASSOCIATES|PARTNERS?|HERMANOS|IRMAOS|FRERES|FRATELLI|GRUPPE|GRUPPEN|GRUPPO|GRUPO|GROUPE|GROUP|(?:&|AND|UND|ET|Y|E|OG|OCH) [A-Z]+)$/

/** What a field for the name holds: behind its label or in the next cell; null where it is a head. */
function afterField(
  zones: Zones,
  field: Spot,
  labelLength: number,
): { text: string; spot: Spot } | null {
  const same = field.upper.length === field.cell.text.length
  const from = same ? labelLength : field.cell.text.indexOf(':') + 1
  const behind = from === 0 ? '' : field.cell.text.slice(from).trim()
  if (/\p{L}{2}/u.test(behind)) return { text: behind, spot: field }
  const right = zones.spots.find((s) => s.row === field.row && s.cell.x0 > field.cell.x1)
  const isName =
    right &&
    right.cell.x0 - field.cell.x1 < NAME_BESIDE &&
    /\p{L}{3}/u.test(right.cell.text) &&
    !FIELD_LABEL.test(right.upper) &&
    !TAX_FIELD.test(right.upper)
  return isName ? { text: right.cell.text.trim(), spot: right } : null
}
/** Columns between a field's label and what it holds. */
const NAME_BESIDE = 20
const TAX_FIELD = /^(?:CNPJ|CPF|NIF|CIF|RFC|CUIT|NIT|P\.? ?IVA|VAT|NIP)(?![A-Z])/

/** The buyer, or null when the document names none. `taxIds` must be in document order. */
export function findBuyer(zones: Zones, taxIds: FoundTaxId[], invoice: boolean): FoundBuyer | null {
  const rows = new Set([...zones.buyer].map((s) => s.row.index))
  const named = zones.buyerInline
  // "M/S : CASH" says that nobody is named; the rows below it are the goods.
  const anonymous = named !== null && /^\W*CASH(?: SALES?| CUSTOMER)?\W*$/i.test(named.text)
  let name: string | null = null
  let spot: Spot | null = null
  let rest = ''
  if (named && !NOT_NAME.test(named.text.toUpperCase()) && !/^[^\p{L}]*\d/u.test(named.text)) {
    // What follows a comma with a number is the address.
    const text = named.text.replace(/^[\s:.-]+/, '')
    const own = text.replace(/,\s*(?=[^,]*\d).*$/, '')
    name = own.trim()
    spot = named.spot
    rest = text.slice(own.length).replace(/^,\s*/, '').trim()
  } else if (!anonymous)
    for (const one of zones.buyer) {
      const text = one.cell.text.trim()
      const field = NAME_FIELD.exec(one.upper)
      if (field) {
        const own = afterField(zones, one, field[0].length)
        if (!own) continue
        name = own.text
        spot = own.spot
        break
      }
      // The goods begin: whoever is named stands above them.
      if (isGoods(zones, one) || columnOfHead(foldLabel(text), new Set()) !== null) break
      if (BUYER_LABEL.test(one.upper) || TITLE.test(one.upper) || NOT_NAME.test(one.upper)) continue
      if (
        addressScore(one.upper) >= 2 ||
        CHATTER.test(one.upper) ||
        !/\p{L}{2}/u.test(text) ||
        (/\d{4}/.test(text) && !NAME_WITH_YEAR.test(one.upper)) ||
        text.length > 80
      )
        continue
      name = text
      spot = one
      break
    }
  if (name === null && invoice && !anonymous) {
    spot = addressed(zones)
    name = spot?.cell.text.trim() ?? null
  }
  const company = name !== null && spot && rest === '' ? companyBelow(zones, name, spot) : null
  const more = name !== null && spot && rest === '' ? nameBelow(zones, spot) : null
  if (company) {
    name = company.cell.text.trim()
    spot = company
  } else if (more) {
    name = `${name} ${more.cell.text.trim()}`
    spot = more
  }
  const own = taxIds.find(
    (id) =>
      rows.has(id.row) &&
      [...zones.buyer].some((s) => s.row.index === id.row && Math.abs(s.cell.x0 - id.x0) < 40),
  )
  if (!name && !own) return null
  return {
    name:
      name === null ? null : withoutTaxIdBehind(name.replace(LEAD, '').replace(MAIL_BEHIND, '')),
    tax_id: own?.value ?? null,
    country: own?.country ?? null,
    spot,
    rest,
    confidence: name ? 0.8 : 0.6,
  }
}
