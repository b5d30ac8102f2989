/** What stands in the names of goods that have columns of their own: positions, article numbers, units. */
import { letterWeight } from '../../lexicon/other-scripts.ts'
import type { Amount } from '../marks/amounts.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import type { Cell } from '../../model/document.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Letters that a name has at least. */
const NAME_LETTERS = 3

const UNIT_WORDS =
  'stk|stck|stück|st|std|stunden?|pcs?|ea|each|units?|hrs?|hours?|h|kg|g|t|l|m|m2|m²|m3|m³|lfm|km|psch|pausch|pièces?|pce|u|uds?|un|und|unid|uur|stuks?|pz|pezzi|nr|ore|szt|godz|kpl|ks|db|fl|sett|tim|timer|dage?|days?|tage?|jours?|heures?|mois|box(?:es)?|pack|set'
const UNIT = new RegExp(String.raw`^\s*(${UNIT_WORDS})\.?(?=\s|$)`, 'iu')

/** Units that stand in a column of their own. */
const UNIT_ALONE = new RegExp(
  String.raw`^(?:${UNIT_WORDS}|lun[aă]|buc|mies|m-c|nos?|par|kom|gab|vnt|tk|adet|saat|hod|rm|fm|lm|ml|pa|ud|einh|stunde|monate?|months?|mois|mes|mese|mesi|forfait|ens|sqm|sqft|lot|ls|job|meter|dager|mnd|måned|jaar|maand)\.?$`,
  'iu',
)

/** Units that are no word of a name, also one space behind it: "Oak plank szt  4", but not "Screws 100 st". */
const UNIT_AT_END =
  /(?<![\d\s])\s+(stk|stck|st|szt|ks|kpl|db|uds?|un|und|unid|pz|ea|pcs|pce|u|psch|std|godz|hod)\.?\s*$/iu

/** Whether a text is nothing but a unit. */
export const isUnit = (text: string): boolean => UNIT_ALONE.test(text.trim())

/** Whether a text has no words but the unit between a quantity and its price: "3 kpl x 50,28". */
export const hasUnitAlone = (text: string): boolean =>
  isUnit(tidy(text.replaceAll(/[\d.,]+/g, ' ').replace(/[x×*@]\s*$/i, ' ')))

/** A name and the unit that ends it, in front of its quantity. */
export function unitAtEnd(text: string): { name: string; unit: string | null } {
  const found = UNIT_AT_END.exec(text)
  const name = found ? text.slice(0, found.index) : text
  return found && letterWeight(name) >= NAME_LETTERS
    ? { name, unit: found[1]! }
    : { name: text, unit: null }
}

/** Codes of goods, customs and taxes. */
const DIGITS_ALONE = /^\d{3,}$/

/** A name without the units and codes in columns of their own beside it. */
export function withoutUnits(text: string): string {
  const cells = text
    .split('  ')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
  if (cells.length < 2) return tidy(text)
  const name = cells.findIndex((cell) => letterWeight(cell) >= NAME_LETTERS)
  const kept = cells.filter(
    (cell, at) => !isUnit(cell) && !(name >= 0 && at > name && DIGITS_ALONE.test(cell)),
  )
  return tidy((kept.length > 0 ? kept : cells).join(' '))
}

/** The unit printed right behind a quantity. */
export const unitBehind = ({ row }: RowMoney, quantity: Amount | null | undefined): string | null =>
  (quantity && UNIT.exec(row.text.slice(quantity.end))?.[1]) || null

/** A line of goods with all that its row prints before the numbers, columns one space apart. */
export interface PrintedLine {
  item: LineItem
  /** The cells that its name is made of, which rows below go on with; none where they are not known. */
  nameCells: Cell[]
  printed: string
  /** The code of tax that stands in a cell of its own; null without one. */
  taxCode: string | null
}

/** The rate of tax that ends a name: "Oak plank (19 %)", "Oak plank, 7%". */
const RATE_BEHIND = /[\s,]*\(?(\d{1,2}(?:[.,]\d{1,2})?)\s?%\)?$/

const POSITION = /^(\d{1,3})[.)]?\s+(?=.*\p{L}{2})/u
const CODE = /^((?=[A-Z0-9\-./]*\d)[A-Z0-9][A-Z0-9\-./]{2,19})\s+(?=\p{L}{2})/u

/** What a pattern finds at the start of each text; null unless it does so in every one. */
function leadsOf(texts: readonly string[], pattern: RegExp): RegExpExecArray[] | null {
  const leads = texts.map((text) => pattern.exec(text)).filter((lead) => lead !== null)
  return leads.length === texts.length ? leads : null
}

/** The text without what its row prints before the name, as far as it begins with an end of that. */
function withoutLead(text: string, lead: string): string {
  const words = lead.split(' ').filter((word) => word !== '')
  for (let from = 0; from < words.length; from++) {
    const part = `${words.slice(from).join(' ')} `
    if (text.startsWith(part)) return text.slice(part.length)
  }
  return text
}

/** Two codes or more, or a code and a unit, one space apart: "84029010 060 5102 pz". */
const CODES_BEHIND = new RegExp(String.raw`\s+\d{3,}(?:\s+(?:\d{3,}|(?:${UNIT_WORDS})\.?))+$`, 'iu')

/** Names without the codes that end every one of a table. */
function withoutCodesBehind(lines: readonly PrintedLine[]): PrintedLine[] {
  if (!lines.every(({ item }) => CODES_BEHIND.test(item.description))) return [...lines]
  return lines.map(({ item, ...line }) => ({
    ...line,
    item: { ...item, description: item.description.replace(CODES_BEHIND, '') },
  }))
}

/** Names without the code or the rate of tax that ends every one of a table. */
function withoutTaxBehind(lines: readonly PrintedLine[]): PrintedLine[] {
  const codes = lines.map(
    ({ item, taxCode }) => taxCode && item.description.endsWith(` ${taxCode}`),
  )
  const areCodes = codes.every(Boolean)
  const areRates = lines.every(({ item }) => RATE_BEHIND.test(item.description))
  if (!areCodes && !areRates) return [...lines]
  return lines.map(({ item, ...line }) => {
    const { description } = item
    const rate = areRates ? Number(RATE_BEHIND.exec(description)![1]!.replace(',', '.')) : null
    const name = areRates
      ? description.replace(RATE_BEHIND, '')
      : description.slice(0, -1 - line.taxCode!.length)
    return {
      ...line,
      item: {
        ...item,
        description: tidy(name),
        ...(rate !== null && item.tax_rate === undefined && { tax_rate: rate }),
      },
    }
  })
}

/** Lines with the rates that their codes of tax stand for, where every code of them is explained. */
function withCodedRates(
  lines: readonly PrintedLine[],
  rates: ReadonlyMap<string, number>,
): PrintedLine[] {
  const areKnown = lines.every(({ taxCode }) => taxCode !== null && rates.has(taxCode))
  if (!areKnown) return [...lines]
  return lines.map((line) => ({
    ...line,
    item: { ...line.item, tax_rate: line.item.tax_rate ?? rates.get(line.taxCode!)! },
  }))
}

/**
 * Lines of goods without the columns before their names, where every line of a table has them:
 * positions, which count from one, quantities, and article numbers of letters and digits; and without
 * codes and rates of tax behind them, whose `rates` are given to the lines.
 */
export function withColumnsApart(
  printedLines: readonly PrintedLine[],
  rates: ReadonlyMap<string, number>,
): LineItem[] {
  if (printedLines.length < 2) return printedLines.map(({ item }) => item)
  const lines = withoutTaxBehind(withCodedRates(withoutCodesBehind(printedLines), rates))
  const items = lines.map(({ item }) => item)
  let texts = lines.map(({ printed }) => printed)
  const takeOff = (
    leads: RegExpExecArray[] | null,
    fits: (value: string, at: number) => boolean,
  ) => {
    if (!leads?.every((lead, at) => fits(lead[1]!, at))) return null
    texts = texts.map((text, at) => text.slice(leads[at]![0].length))
    return leads.map((lead) => lead[1]!)
  }
  takeOff(leadsOf(texts, POSITION), (position, at) => Number(position) === at + 1)
  const codes = takeOff(leadsOf(texts, CODE), () => true)
  takeOff(leadsOf(texts, POSITION), (count, at) => Number(count) === items[at]!.quantity)
  return lines.map(({ item, printed }, at) => ({
    ...item,
    description: withoutLead(
      item.description,
      printed.slice(0, printed.length - texts[at]!.length),
    ),
    ...(codes && { code: codes[at]! }),
  }))
}
