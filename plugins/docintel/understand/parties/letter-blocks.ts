/**
 * The buyer of an invoice that labels nobody: the address block of a letter, told from the seller's
 * by what stands beside and around both.
 */
import { addressScore, hasPostcode } from '../../lexicon/addresses.ts'
import { capitals } from '../../lexicon/fold.ts'
import {
  BUYER_LABEL,
  CHATTER,
  FIELD_LABEL,
  LEGAL_FORM,
  NAME_WITH_YEAR,
  TITLE,
} from '../../lexicon/parties.ts'
import type { DocumentText, Row } from '../../model/document.ts'
import { senderOf } from './sender-line.ts'
import { isTelephone } from '../marks/telephone.ts'
import { sameColumn, spotsInRow, type Spot, type Zones } from './zones.ts'

const LINES_MAX = 8
/** How far down the first page an address block may begin. */
const HEAD_ROWS = 26
/** Lines by which an issuer gives itself away. */
const OWN_DATA =
  /(?:^|\W)(?:TEL|TELEFON|PHONE|FAX|MOBILE|E-?MAIL|WWW|HTTPS?|IBAN|BIC|SWIFT|HRB|HRA|AMTSGERICHT|SIRET|SIREN|RCS|KVK|CVR|ORG\.? ?NR|ABN|GST(?:IN| REG)?|VAT|BTW|TVA|MWST|UST|STEUER\w*|P\.? ?IVA|NIF|CIF|NIP|RFC|R\.?I\.?F\.?|CAPITAL|MEISTERBETRIEB|REG(?:ISTRATION|ISTERED)?)(?:$|[\s.:\-#/])|@/
const CONTACT_OF_ISSUER = /^(?:TEL|TELEFON|TELEFAX|TELEPHONE|PHONE|FAX|TLF|TFNO)\b/
/** The labels of a tax number, which buyers print as well. */
const TAX_LABEL =
  /(?:^|\W)(?:VAT|BTW|TVA|IVA|P\.? ?IVA|NIF|CIF|NIP|RFC|R\.?I\.?F\.?|ABN|UST|MWST|GSTIN)(?:$|[\s.:\-#/])/g
/** Whether a line gives an issuer away: a telephone, a register, a bank. */
export const isOwnData = (upper: string): boolean =>
  (OWN_DATA.test(upper) && !isTaxOnly(upper)) || isTelephone(upper)

/** "14 TAGE", "10 DAGER": a term, no name. */
const TERM = /^\d+ (?:TAGE|DAGEN?|DAGER|DAGAR|JOURS|DAYS|GIORNI|DIAS|PAIVAA|DNI|DNU|NAP)$/

const isTaxOnly = (upper: string): boolean => !OWN_DATA.test(upper.replaceAll(TAX_LABEL, ' '))
const SALUTATION =
  /^(?:HERRN?|FRAU|FIRMA|FA\.?|AN|TO|AAN|M\/S|SPETT\.?(?:LE)?|MR\.?|MRS\.?|MS\.?|DHR\.?|MEVR\.?)\W*$/
/** One small line of name and address over an address window. */
const SENDER_LINE = /[,·•|–-].*\d{4,5}\s+\p{L}|\d{4,5}\s+\p{L}.*[,·•|–-]/u

interface Block {
  spots: Spot[]
  score: number
}

const isNameLike = (upper: string): boolean =>
  /[A-Z]{2}/.test(upper) &&
  (!/\d{4}|[:@]/.test(upper) || NAME_WITH_YEAR.test(upper)) &&
  !TITLE.test(upper.trim()) &&
  !CHATTER.test(upper) &&
  !FIELD_LABEL.test(upper) &&
  !TERM.test(upper.trim()) &&
  upper.length <= 60

/** "Slagelse 4333", "Koronowo 75-224", "Landerum 9494 GI": the town before its postcode. */
const TOWN_FIRST =
  /^[A-Z][A-Z .'-]*[A-Z]{2}[ ,]+(?:[A-Z]{2}[ ,]+)?(?:\d{4,6}|\d{2}-\d{3}|\d{3} ?\d{2}|\d{4} ?[A-Z]{2}|\d{4,5}-\d{3}|[A-Z]{1,2}\d{1,2}[A-Z]? ?\d[A-Z]{2})$/

/** A postcode and its place, also as Sweden, Poland and Czechia write it. */
export const isPlaceLine = (upper: string): boolean =>
  hasPostcode(upper) ||
  /^(?:[A-Z]{1,2}-)?\d{4,5} [A-Z]{2}\. [A-Z]{3}|^(?:[A-Z]{1,2}-)?\d{3} \d{2} [A-Z]{3}|^\d{2}-\d{3} [A-Z]{3}|^\d{5}-\d{3} [A-Z]{3}/.test(
    upper,
  ) ||
  (TOWN_FIRST.test(upper) &&
    !FIELD_LABEL.test(upper) &&
    !/\b(?:NO|NR|NUMBER|NUMMER|ORDER)\b/.test(upper))

/** Whether a sender's line holds a place: in one of its parts, or anywhere. */
const holdsPlace = (upper: string): boolean =>
  hasPostcode(upper) || upper.split(/ [-–—·•|] /).some((part) => isPlaceLine(part))

/** Whether a row is the small line of a sender, in one cell or several. */
const isSenderRow = (row: Row): boolean =>
  holdsPlace(capitals(row.text)) &&
  (row.cells.length === 1 ? SENDER_LINE.test(row.text) : row.scale < 0.85)

/** Whether a sender's line stands right above. */
export const isSenderAbove = (zones: Zones, first: Spot): boolean =>
  [1, 2]
    .flatMap((step) => spotsInRow(zones.spots, first.row.index - step))
    .some(
      (s) =>
        Math.abs(s.cell.x0 - first.cell.x0) <= 3 &&
        (isSenderRow(s.row) ||
          (SENDER_LINE.test(s.cell.text) && holdsPlace(s.upper)) ||
          senderOf(s.cell.text.trim()) !== null),
    )

/** Whether two lines begin, or end, at the same place, as lines of one address do. */
export const isAligned = (a: Spot, b: Spot): boolean =>
  Math.min(Math.abs(a.cell.x0 - b.cell.x0), Math.abs(a.cell.x1 - b.cell.x1)) <= 2 &&
  sameColumn(a.cell, b.cell)

/** Runs of lines set under one another in one column, each with a postcode below its first line. */
export function blocksOf(document: DocumentText, zones: Zones): Spot[][] {
  const used = new Set<Spot>()
  const blocks: Spot[][] = []
  for (const spot of zones.spots) {
    if (used.has(spot) || spot.row.page > 0 || spot.row.index > HEAD_ROWS) continue
    // A number above an address, as that of the customer, is none of its lines.
    if (/^\d{3,7}$/.test(spot.cell.text.trim())) continue
    const block = [spot]
    let last = spot.row.index
    for (let at = last + 1; at < document.rows.length && block.length < LINES_MAX; at++) {
      const row = document.rows[at]!
      if (at - last > 2 || row.page > 0 || row.gapAbove > 1) break
      if (Math.abs(row.scale - spot.row.scale) > 0.3) break
      const next = spotsInRow(zones.spots, row.index).find((s) => isAligned(s, spot))
      if (!next || zones.tableRows.has(at)) continue
      if (FIELD_LABEL.test(next.upper)) break
      // Under the issuer's own data a name begins something else.
      if (
        OWN_DATA.test(block.at(-1)!.upper) &&
        isNameLike(next.upper) &&
        !OWN_DATA.test(next.upper)
      )
        break
      block.push(next)
      last = at
      if (isPlaceLine(next.upper)) break
    }
    for (const member of block) used.add(member)
    const postcode = block.findIndex((s, i) => i > 0 && isPlaceLine(s.upper))
    // A number alone is no place: "Customer no." over "79244".
    const hasPlace = block.slice(1).some((s) => /\p{L}{3}/u.test(s.cell.text))
    if (postcode > 0 && hasPlace) blocks.push(block)
    else if (block.length >= 3 && isSenderAbove(zones, spot)) blocks.push(block)
  }
  return blocks
}

/** How often the block's name is printed elsewhere: an issuer repeats its own. */
function repeats(document: DocumentText, block: Spot[]): number {
  const name = capitals(block[0]!.cell.text).trim()
  if (name.length < 4) return 0
  return document.rows.filter((row) => row !== block[0]!.row && capitals(row.text).includes(name))
    .length
}

function scored(document: DocumentText, zones: Zones, spots: Spot[]): Block | null {
  const lines = [...spots]
  let score = 0
  const first = lines[0]!
  // The sender's line may also be the block's own first one.
  if (isSenderRow(first.row) || (SENDER_LINE.test(first.cell.text) && holdsPlace(first.upper))) {
    lines.shift()
    score += 3
  } else if (isSenderAbove(zones, first)) score += 3
  while (lines[0] && (SALUTATION.test(lines[0].upper.trim()) || BUYER_LABEL.test(lines[0].upper))) {
    lines.shift()
    score += 2
  }
  const name = lines[0]
  if (!name || lines.length < 2 || !isNameLike(name.upper) || addressScore(name.upper) >= 3)
    return null
  const under = zones.spots.filter(
    (s) =>
      s.row.index > lines.at(-1)!.row.index &&
      s.row.index <= lines.at(-1)!.row.index + 2 &&
      s.row.gapAbove <= 1 &&
      sameColumn(s.cell, first.cell),
  )
  const own = [...lines, ...under].filter((s) => OWN_DATA.test(s.upper) || isTelephone(s.upper))
  // A tax number alone may be either party's.
  if (own.length > 0) score -= own.every((s) => isTaxOnly(s.upper)) ? 0.8 : 3
  // A telephone right of a name and its address is the issuer's; a label of the head there is not.
  const beside = zones.spots.filter(
    (s) =>
      s.row.index >= first.row.index &&
      s.row.index <= lines.at(-1)!.row.index &&
      !sameColumn(s.cell, first.cell),
  )
  if (beside.some((s) => CONTACT_OF_ISSUER.test(s.upper))) score -= 2
  if (name.row.scale > 1.25) score -= 2
  if (name.row.index <= 1) score -= 0.8
  score -= Math.min(repeats(document, lines), 2) * 1.2
  if (
    /^(?:MR|MRS|MS|MME|M|HERRN?|FRAU|MEVROUW|MEVR|DE HEER|DHR|SR|SRA|SIG|FAMILIE)\.? /.test(
      name.upper,
    )
  )
    score += 2.5
  if (!LEGAL_FORM.test(name.upper)) score += 0.3
  return { spots: lines, score }
}

/** Whether a name in the head, outside the block, can be the seller's. */
function hasOtherName(zones: Zones, block: Block, others: readonly Spot[][]): boolean {
  return (
    others.length > 0 ||
    zones.spots.some(
      (s) =>
        !block.spots.includes(s) &&
        (LEGAL_FORM.test(s.upper) ||
          senderOf(s.cell.text.trim()) !== null ||
          (s.row.index <= 6 && s.row.scale > 1.25 && isNameLike(s.upper))),
    )
  )
}

/** The least score of a block that something marks as the addressee's. */
const MARKED = 2

/** Of two plain blocks that begin side by side, the left one is the issuer's, as one reads. */
function withoutLeft(blocks: readonly Block[]): readonly Block[] {
  if (blocks.some(({ score }) => score >= MARKED)) return blocks
  return blocks.filter(
    ({ spots: [first] }) =>
      !blocks.some(
        ({ spots: [other], score }) =>
          score > -0.9 && other!.row === first!.row && other!.cell.x0 > first!.cell.x1,
      ),
  )
}

/** Columns from the left edge of all text at which a block stands apart. */
const APART_COLUMNS = 20

/** Whether a lone block stands where a letter is addressed: below the title, away from the left edge. */
function isAddressedAlone(document: DocumentText, zones: Zones, { spots }: Block): boolean {
  const first = spots[0]!
  const left = Math.min(...zones.spots.map(({ cell }) => cell.x0))
  const isBelowTitle = zones.spots.some(
    (s) =>
      s.row.index < first.row.index &&
      TITLE.test(s.upper.replaceAll(/(?<=^| )(\S) (?=\S(?: |$))/g, '$1').trim()),
  )
  return isBelowTitle && (first.cell.x0 - left >= APART_COLUMNS || isBesideFields(zones, spots))
}

/** Labels of the head right of a block that show whom the invoice is for. */
const FIELDS_BESIDE = 2

/** Whether the number and days of the invoice stand right of the block, as beside an address window. */
function isBesideFields(zones: Zones, spots: readonly Spot[]): boolean {
  const [first, last] = [spots[0]!, spots.at(-1)!]
  const fields = zones.spots.filter(
    (s) =>
      s.row.index >= first.row.index &&
      s.row.index <= last.row.index + 1 &&
      s.cell.x0 > first.cell.x1 &&
      FIELD_LABEL.test(s.upper),
  )
  return fields.length >= FIELDS_BESIDE
}

/** Rows that are printed twice side by side below a name, at least. */
const TWIN_ROWS = 2

/** The lines of who is billed and delivered to, where both stand side by side and are the same. */
function twinBlock(document: DocumentText, zones: Zones): Spot[] | null {
  const twins = (row: Row | undefined): Spot[] => {
    const [left, right] = row?.cells.slice(-2) ?? []
    if (!left || !right || left.text !== right.text || !/\p{L}{2}/u.test(left.text)) return []
    return zones.spots.filter((s) => s.row === row && (s.cell === left || s.cell === right))
  }
  const head = document.rows.slice(0, Math.min(HEAD_ROWS, zones.bodyStart))
  for (const [at, row] of head.entries()) {
    const block = twins(row)
    let rows = block.length > 0 ? 1 : 0
    for (let next = block; next.length > 0 && rows < LINES_MAX; rows++) {
      next = twins(document.rows[at + rows])
      if (next.length === 0) break
      block.push(...next)
    }
    const isAddressed = block.slice(2).some((spot) => /\d/.test(spot.upper))
    if (rows >= TWIN_ROWS && isAddressed && isNameLike(block[0]!.upper)) return block
  }
  return null
}

/** The zones with the unlabelled buyer's lines added; the same where one is labelled or none fits. */
export function withLetterBuyer(document: DocumentText, zones: Zones): Zones {
  if (!document.hasGeometry) return zones
  const printedTwice = twinBlock(document, zones)
  const isNamed = zones.buyerInline !== null || namesBuyer(zones)
  // The copy beside a labelled buyer is the buyer's, too.
  if (printedTwice && (!isNamed || printedTwice.some((spot) => zones.buyer.has(spot))))
    return { ...zones, buyer: new Set([...zones.buyer, ...printedTwice]) }
  if (isNamed) return zones
  const blocks = blocksOf(document, zones).filter(
    (spots) => !spots.some((s) => zones.seller.has(s)),
  )
  const ranked = withoutLeft(
    blocks.map((spots) => scored(document, zones, spots)).filter((b): b is Block => b !== null),
  ).toSorted((a, b) => b.score - a.score || b.spots[0]!.row.index - a.spots[0]!.row.index)
  const best = ranked[0]
  if (!best || best.score < -0.9) return zones
  const others = blocks.filter((spots) => !spots.includes(best.spots[0]!))
  // A lone block above everything else is the issuer's.
  if (others.length === 0 && best.spots[0]!.row.index === 0) return zones
  if (!hasOtherName(zones, best, others) && !isAddressedAlone(document, zones, best)) return zones
  return { ...zones, buyer: new Set([...zones.buyer, ...best.spots]) }
}

/** Whether a label already stands over lines that can be a name. */
const namesBuyer = (zones: Zones): boolean =>
  [...zones.buyer].some((s) => !BUYER_LABEL.test(s.upper) && isNameLike(s.upper))
