/** A company's name out of the line that it stands in. */
import { capitals, capitalsInPlace } from '../../lexicon/fold.ts'
import { legible } from '../../lexicon/legible.ts'
import { withoutTaxIdBehind } from '../../lexicon/other-scripts.ts'
import {
  BUYER_LABEL,
  LEGAL_FORM,
  NAME_WITH_YEAR,
  SELLER_LEAD,
  TITLE,
} from '../../lexicon/parties.ts'
import { senderOf } from './sender-line.ts'

const REGISTRATION =
  /\s*[([{]?\s*(?:(?:CO|COMPANY|REG|ROC|SSM|BUSINESS|GST|BRN)[\s.]*)*(?:NO|REG|NUMBER)?[\s.:#]*(?=[A-Z\d-]*\d{4})[A-Z]{0,4}-?\d[\dA-Z\s/-]{3,}[A-Z]?\s*[)\]}]?\s*[.,]?$/

/** "CNPJ: 09.597.126/0007-55 GRUPO BAZAR": a tax number left of the name. */
const TAX_ID_BEFORE =
  /^(?:CNPJ|CUIT|RUC|RFC|NIF|CIF|NIP|GSTIN|ABN|P\.? ?IVA)[\s.:]*(?=[\dA-Z./-]*\d{2})[\dA-Z./-]{9,20}\s+(?=\p{L})/u

/** "Acme Cloud <billing@acme.example>", as the heads of mails name who sends them. */
export const MAIL_BEHIND = /(?<=\p{L})"?\s*<[^<>\s]+@[^<>\s]+>?$/u

/** What stands right of a name in one line where columns were lost. */
const FOLLOWS_NAME =
  /^\W*(?:TEL|TELEFON|TELEPHONE|PHONE|FAX|EMAIL|E-MAIL|WEB|DATE|DATUM|(?:TAX )?INVOICE|RECHNUNG|FACTUUR|FACTURE|PAGE|GST|VAT|UST|REG|CO\.? REG|COMPANY (?:NO|REG)|AU CAPITAL|REGISTERED|INCORPORATED|CAPITAL|SIEGE|SITZ|CON SEDE|SEDE)\b/

/** "FACTURA DE ELECTRICIDAD": the title of the paper right of the name. */
const TITLED =
  /^\W*(?:TAX )?(?:INVOICE|RECHNUNG|FACTURE|FACTUUR|FACTURA|FATTURA|FATURA|FAKTURA|RECEIPT|BILL)\b/

/** What is kept of the marks that end a name: the quote that its beginning opened. */
const closingQuote = (text: string, end: string): string =>
  end.startsWith('"') && /\p{L}\W*"\p{L}/u.test(text) ? '"' : ''

/** Without registration numbers, asterisks and labels around the name. */
export function cleanName(text: string): string {
  let name = text
    .trim()
    .replace(/^[*\-=_~#.:,'"<>|\s]+/, '')
    .replace(/[*\-=_~#:,'"<>|\s]+$/, (end) => closingQuote(text, end))
  name = name.replace(
    /^(?:seller|supplier|vendor|sold by|issued by|merchant(?: name)?|company(?: name)?|business name|name|shop|store|billed by|bill from|from|lieferant|fournisseur|proveedor|emisor|fornitore|fornecedor|prestador|muuzaji|sprzedawca|dodavatel|(?:nome|nombre)(?: comercial)?(?: ?\/ ?raz[aãoó]+n? social)?|raz[aãoó]+n? social|raison sociale|ragione sociale|(?:销售方|销方|賣方|卖方|공급자)?\s*(?:名称|名稱|상호)|店名|店舗名|商户名称|商户|상호명?|매장명|가맹점명)\s*:\s*/i,
    '',
  )
  name = name.replace(TAX_ID_BEFORE, '').replace(MAIL_BEHIND, '')
  name = withoutTaxIdBehind(senderOf(name) ?? name)
  // A company's name ends where registration, street or place follow after a comma.
  const listed = /^([^,]{3,70}?(?:, [^\d,]{2,12})?),\s*(?=[^,]*\d{2})/.exec(name)
  if (listed && LEGAL_FORM.test(capitals(listed[1]!))) name = listed[1]!
  const lead = SELLER_LEAD.exec(capitalsInPlace(name))
  if (lead) name = name.slice(lead[0].length)
  // One letter for the sharp s, so that offsets in capitals are those of the name.
  const upper = legible(capitals(name.replaceAll('ß', 's')))
  if (upper.length === name.length) {
    const legal = LEGAL_FORM.exec(upper)
    // One that leads is the first word of a name: "Sacco, Torchio e Verde SPA".
    if (legal && legal.index > 0) {
      let end = legal.index + legal[0].length
      if (upper[end] === '.') end++
      const rest = upper.slice(end)
      if (TITLE.test(rest.trim()) || BUYER_LABEL.test(rest.trim()) || TITLED.test(rest))
        name = name.slice(0, end)
      // Another company in the same line: two columns whose gap was lost.
      const second = LEGAL_FORM.exec(rest)
      if (second && /[A-Z]{3}/.test(rest.slice(0, second.index)) && !/[([/]/.test(rest))
        name = name.slice(0, end)
      // What follows the company form: a registration, or an address in a sender's line.
      if (
        /^[\s.,)]*[([{]?[^\p{L}]*\d/u.test(rest) ||
        /^\s*[-–—·•|,]\s*\S/.test(rest) ||
        FOLLOWS_NAME.test(rest) ||
        /^\s*[([{](?:CO|REG|ROC|GST|SST|FORMERLY|\d)/.test(rest)
      )
        name = name.slice(0, end)
    }
  }
  // Registrations in brackets, also several: "(CO. NO. 113825-W) (GST REG NO. 001492992000)".
  for (let i = 0; i < 3; i++) {
    const bracket = /\s*[([{][^()[\]{}]*\d{4,}[^()[\]{}]*[)\]}]?\s*[.,]?$/.exec(name)
    if (!bracket || bracket.index < 3) break
    name = name.slice(0, bracket.index)
  }
  const registered = REGISTRATION.exec(capitals(name))
  // A short number of its own is that of the branch: "CIRCLE K #2741".
  if (
    registered &&
    registered.index >= 3 &&
    !NAME_WITH_YEAR.test(capitals(name)) &&
    capitals(name).length === name.length &&
    !/^\s*#?\s*\d{1,5}\s*$/.test(registered[0])
  )
    name = name.slice(0, registered.index)
  const open = name.lastIndexOf('(')
  if (open > 3 && !name.includes(')', open)) {
    const inside = name.slice(open)
    if (/\d{3}/.test(inside) || inside.length < 4) name = name.slice(0, open)
  }
  return name
    .trim()
    .replace(
      /(?<=\p{L}{3})\s+(?:tax )?(?:invoice|receipt|rechnung|facture|factuur|factura|fattura)$/iu,
      '',
    )
    .replace(/[,;:\-–|([]+$/, '')
    .trim()
}
