/** Tax numbers: labelled ones, and forms that tell by themselves; check digits raise confidence. */
import { capitals } from '../../lexicon/fold.ts'
import { OTHER_TAX_ID_SOURCE } from '../../lexicon/other-scripts.ts'
import type { DocumentText } from '../../model/document.ts'
import { CHECKS, VAT_FORMS } from './checksums.ts'

export interface FoundTaxId {
  /** As printed, without spaces around separators. */
  value: string
  country: string | null
  row: number
  /** Column where it starts. */
  x0: number
  confidence: number
}

interface Form {
  country: string
  pattern: RegExp
  check?: (compact: string) => boolean
  /** Only counts beside a label. */
  labelled: boolean
}
const FORMS: readonly Form[] = [
  { country: 'KE', pattern: /(?<![A-Z\d])[AP]\d{9}[A-Z](?![A-Z\d])/g, labelled: false },
  {
    country: 'IN',
    pattern: /(?<![A-Z\d])\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d](?![A-Z\d])/g,
    check: CHECKS.gstin,
    labelled: false,
  },
  { country: 'MY', pattern: /(?<![A-Z\d])[A-Z]\d{2}-\d{4}-\d{8}(?!\d)/g, labelled: false },
  { country: 'CH', pattern: /(?<![A-Z\d])CHE[- ]?\d{3}\.?\d{3}\.?\d{3}/g, labelled: false },
  { country: 'NG', pattern: /(?<![A-Z\d-])\d{8}-\d{4}(?![\d-])/g, labelled: true },
  { country: 'TZ', pattern: /(?<![A-Z\d-])\d{3}-\d{3}-\d{3}(?![\d-])/g, labelled: true },
  { country: 'GH', pattern: /(?<![A-Z\d])[CPGQV]\d{10}(?![A-Z\d])/g, labelled: true },
  {
    country: 'BR',
    pattern: /(?<!\d)\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}(?!\d)/g,
    check: (c) => CHECKS.cnpj(c.replaceAll(/\D/g, '')),
    labelled: false,
  },
  { country: 'CA', pattern: /(?<!\d)\d{9} ?RT ?\d{4}(?!\d)/g, labelled: false },
  { country: 'MX', pattern: /(?<![A-Z\d])[A-Z&]{3,4}\d{6}[A-Z\d]{3}(?![A-Z\d])/g, labelled: true },
]
const LATIN_LABEL =
  /(?:^|[^A-Z])(?:GST|6ST|G5T|VAT|V\.A\.T\.?|SST|TVA|T\.V\.A\.?|IVA|I\.V\.A\.?|BTW|UST|MWST|TAX|KRA|SERVICE TAX|SALES TAX|TAXPAYER)[\s.\-:]*(?:\(?REG(?:D|ISTRATION|\.| N)?[\s.]*)?(?:ID(?:ENT(?:NR|IFICATION)?)?|IDENTIFIKATIONSNUMMER|REG(?:ISTRATION|ISTERED)?|NO|N0|NR|N°|Nº|NUMBER|NUMMER|NUM|PIN|INTRACOM\w*|INTRACOMMUNAUTAIRE|COMUNITARIO|#|CODE|IDNR|NBR)[\s.\-:#/)]*(?:(?:ID|NO|N0|NR|NUMBER|NUMMER|N°|N(?![A-Z])|REG)[\s.:#)]*)*|(?:^|[^A-Z])(?:VAT|GST|TVA|IVA|BTW|VRN)\s*[:#.]*\s*(?=[A-Z]{0,2} ?\d{3}[\d ]{6,})|(?:^|[^A-Z])(?:PIN|KRA PIN|P\.I\.N\.?|PIN NO|TIN|T\.I\.N\.?|VRN|GSTIN|GSTIN\/UIN|ABN|A\.B\.N\.?|NIF|N\.I\.F\.?|CIF|C\.I\.F\.?|NIPC|P\.? ?IVA|PARTITA IVA|PART\.? ?IVA|P\.I\.|C\.?F\.? E P\.? ?IVA|CNPJ|RFC|EIN|FEIN|UID|USTID|UST-?ID|UST\.?-?ID\.?-?NR|STEUERNUMMER|STEUER-?NR|ST\.?-?NR|STNR|UMSATZSTEUER-?ID\w*|NUIT|RNC|RUC|NIT|CUIT|HST|QST|MVA|CVR|ORG\.?NR|N° TVA|TAX PIN|VENDOR TIN|CONTRIBUINTE|IDENTIFICADOR)[\s.\-:#/]*(?:(?:NO|NR|NUMBER|NUM|N°|Nº|ID|INTRACOM\w*)[\s.:#]*)*/
const LABEL = new RegExp(`${LATIN_LABEL.source}|${OTHER_TAX_ID_SOURCE}[\\s:.#]*`, 'g')
const VALUE = /^[\s:#.()-]*((?:[A-Z]{2,3}[ -]?)?[A-Z\d](?:[A-Z\d]|[ .\-/](?=[A-Z\d])){5,22})/
const NOT_TAX =
  /(?:TAX|GST|VAT|SST) (?:INVOICE|INV|RECEIPT|CODE|RATE|SUMMARY|DATE|AMOUNT|AMT|TOTAL|BASE|EXEMPT)/

/** China's number of a company: who registered it, where, and its own code. */
const CHINESE = /^[159]\d{7}[A-Z\d]{10}$/

const compactOf = (text: string): string => text.replaceAll(/[^A-Z\d]/g, '')

function vatForm(compact: string): { country: string; checked: boolean | null } | null {
  const form = VAT_FORMS[compact.slice(0, 2)]
  const body = compact.slice(2)
  if (!form || !form.form.test(body)) return null
  return {
    country: compact.slice(0, 2) === 'EL' ? 'GR' : compact.slice(0, 2),
    checked: form.check ? form.check(body) : null,
  }
}

/** Trims a labelled value to what is one number: letters that follow belong to the next words. */
function trimValue(raw: string): string | null {
  let value = raw.trim()
  const pieces = value.split(' ')
  // Keep pieces as long as they have digits (a VAT prefix such as "DE" may stand alone first).
  const kept: string[] = []
  for (const [i, piece] of pieces.entries()) {
    if (/\d/.test(piece) && (i === 0 || compactOf(kept.join('')).replaceAll(/\D/g, '').length < 9))
      kept.push(piece)
    else if (i === 0 && /^[A-Z]{2,3}$/.test(piece)) kept.push(piece)
    else break
  }
  value = kept.join(' ').replaceAll(/[\s.\-/]+$/g, '')
  const compact = compactOf(value)
  const digits = compact.replaceAll(/\D/g, '').length
  if (CHINESE.test(compact)) return value
  if (digits < 6 || compact.length > 16 || compact.length - digits > 6) return null
  return value
}

/** All tax numbers of a document in order. */
export function findTaxIds(document: DocumentText): FoundTaxId[] {
  const found: FoundTaxId[] = []
  const push = (id: FoundTaxId): void => {
    const known = found.find((f) => compactOf(capitals(f.value)) === compactOf(capitals(id.value)))
    if (!known) found.push(id)
    else if (id.confidence > known.confidence) known.confidence = id.confidence
  }
  for (const row of document.rows) {
    if (!/\d{3}/.test(row.text) && !LABEL.test(capitals(row.text))) continue
    LABEL.lastIndex = 0
    for (const cell of row.cells) {
      const upper = capitals(cell.text)
      const at = (index: number): number =>
        cell.x0 + ((cell.x1 - cell.x0) * index) / Math.max(upper.length, 1)
      for (const { country, pattern, check, labelled } of FORMS) {
        if (labelled && !LABEL.test(upper)) {
          LABEL.lastIndex = 0
          continue
        }
        LABEL.lastIndex = 0
        for (const match of upper.matchAll(pattern)) {
          const checked = check?.(compactOf(match[0]))
          push({
            value: cell.text.slice(match.index, match.index + match[0].length),
            country,
            row: row.index,
            x0: at(match.index),
            confidence: checked === false ? 0.8 : 0.97,
          })
        }
      }
      for (const match of upper.matchAll(
        /(?<![A-Z\d])([A-Z]{2})[ -]?((?:[A-Z\d][ .]?){8,14})(?![A-Z\d])/g,
      )) {
        const vat = vatForm(compactOf(match[0]))
        if (vat && (vat.checked === true || (vat.checked === null && LABEL.test(upper))))
          push({
            value: cell.text.slice(match.index, match.index + match[0].length).trim(),
            country: vat.country,
            row: row.index,
            x0: at(match.index),
            confidence: 0.98,
          })
        LABEL.lastIndex = 0
      }
    }
    const upperRow = capitals(row.text)
    for (const match of upperRow.matchAll(LABEL)) {
      if (NOT_TAX.test(upperRow.slice(match.index, match.index + match[0].length + 12))) continue
      const end = match.index + match[0].length
      let source = upperRow.slice(end)
      let sourceRow = row
      if (!/\d/.test(source) && !/[A-Z]{3}/.test(source)) {
        const next = document.rows[row.index + 1]
        if (!next) continue
        sourceRow = next
        source = capitals(next.text)
      }
      const value = VALUE.exec(
        source.split('  ').find((piece) => !/^[\s:]*$/.test(piece)) ?? source,
      )
      const trimmed = value ? trimValue(value[1]!) : null
      if (!trimmed || /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(trimmed)) continue
      const vat = vatForm(compactOf(trimmed))
      push({
        value: trimmed,
        country: vat?.country ?? (CHINESE.test(compactOf(trimmed)) ? 'CN' : null),
        row: sourceRow.index,
        x0: row.cells[0]!.x0 + match.index,
        confidence: vat?.checked === false ? 0.85 : 0.93,
      })
    }
  }
  return found.toSorted((a, b) => a.row - b.row || a.x0 - b.x0)
}
