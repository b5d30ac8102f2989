/** A letter signed by a person who heads its sender's lines, above the firm she writes for. */
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import { BUSINESS_WORD, LEGAL_FORM } from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'
import { isOwnData, isPlaceLine } from './letter-blocks.ts'
import { isAddress, lineBelow } from './street-lines.ts'
import type { Spot, Zones } from './zones.ts'

/** What a letter closes with, alone in its line. */
const CLOSING =
  /^\W*(?:[A-Z]+ ){0,3}(?:FAITHFULLY|SINCERELY|TRULY|REGARDS|WISHES|GRUSSEN?|GRU[Sß]+E?|SALUTATIONS?|CORDIALEMENT|SALUDOS?|ATENTAMENTE|CORDIALMENTE|SALUTI|GROETEN?|GROET|CUMPRIMENTOS|HILSEN|HALSNING(?:AR)?|HALSNINGER|TERVEISIN|TERVEHDYKSIN|UDVOZLETTEL|POZDRAVEM?|POZDRAVOM|POWAZANIEM|UCTOU)(?: [A-Z]+)?\W*$/
/** What a person does, under her own name: she is the seller herself. */
const PROFESSION =
  /DESIGN|GRAPHI[CK]|GRAFIK|ILLUSTRAT|PHOTO|FOTO|ARCHITE[CK]T|ARKITEKT|ARQUITECT|INGENIE|ENGINEER|CONSULT|BERAT|COACH|LAWYER|ANW[AÄ]LT|AVOCAT|AVVOCAT|ABOGAD|ADVO[CK]AT|UBERSETZ|TRANSLAT|TEXTER|WRITER|THERAP|STEUER|ARZT|DOCTOR|DENTIST|HEBAMME|MUSI[CK]/

const lettersOf = (text: string): string => basicLetters(capitals(text))

/** Rows at the foot that a signature may end. */
const SIGNATURE_ROWS = 6

/** The names that stand alone under a closing phrase. */
function signersOf({ rows }: DocumentText): string[] {
  return rows.flatMap((row, at) => {
    const closing = rows[at - 1] ?? null
    const isSigned =
      closing !== null &&
      row.cells.length === 1 &&
      at >= rows.length - SIGNATURE_ROWS &&
      CLOSING.test(capitals(closing.text)) &&
      /\p{L}{3}/u.test(row.text) &&
      !/\d/.test(row.text)
    return isSigned ? [lettersOf(row.text)] : []
  })
}

/** Whether a line closes the document as a letter: there the sender's own address may stand at the right. */
export const isClosedLetter = ({ rows }: DocumentText): boolean =>
  rows.some(({ cells, text }) => cells.length === 1 && CLOSING.test(capitals(text)))

/** Who signs, where she heads the sender's lines, and the firm in the next line; null without one. */
export function signedFor(
  document: DocumentText,
  zones: Zones,
): { signer: Spot; firm: Spot } | null {
  const signers = signersOf(document)
  if (signers.length === 0) return null
  for (const signer of zones.spots) {
    if (signer.row.index >= zones.bodyStart || !signers.includes(lettersOf(signer.cell.text)))
      continue
    if (LEGAL_FORM.test(signer.upper) || zones.buyer.has(signer)) continue
    const firm = lineBelow(zones, signer)
    const street = firm && lineBelow(zones, firm)
    if (!firm || !isAddress(street, street && lineBelow(zones, street))) continue
    if (isOwnData(firm.upper) || isPlaceLine(firm.upper) || PROFESSION.test(firm.upper)) continue
    if (/\p{L}{3}/u.test(firm.cell.text) && !BUSINESS_WORD.test(signer.upper))
      return { signer, firm }
  }
  return null
}
