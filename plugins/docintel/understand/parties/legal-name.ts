/** The company behind a brand: an invoice's head shows "polder", its small print "Polder Telecom B.V.". */
import { capitals } from '../../lexicon/fold.ts'
import { LEGAL_FORM } from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'

const LENGTH_MAX = 60
const lettersOf = (text: string): string => capitals(text).replaceAll(/[^A-Z0-9]/g, '')

/** The name with its legal form that begins with `brand`, as printed elsewhere; null if none is. */
export function legalNameOf(document: DocumentText, brand: string): string | null {
  const letters = lettersOf(brand)
  if (letters.length < 3 || LEGAL_FORM.test(capitals(brand))) return null
  for (const row of document.rows)
    for (const cell of row.cells)
      for (const part of cell.text.split(
        /,(?!\s?(?:Inc|LLC|Ltd|Limited|Corp|PLC|LP|S\.\p{L}))|[;·•|–]| - |: /u,
      )) {
        const upper = capitals(part.replaceAll('ß', 's'))
        const legal = LEGAL_FORM.exec(upper)
        if (!legal || upper.length !== part.length) continue
        const end = legal.index + legal[0].length
        const name = part.slice(0, part[end] === '.' ? end + 1 : end).trim()
        if (name.length <= LENGTH_MAX && lettersOf(name).startsWith(letters)) return name
      }
  return null
}
