/** Invoices of a test as the docintel skill reads them, at a fixed day. */
import type { DocumentText } from '../../plugins/docintel/model/document.ts'
import { documentFromText } from '../../plugins/docintel/read/text.ts'
import { understand } from '../../plugins/docintel/understand/understand.ts'

export const NOW = new Date(Date.UTC(2025, 5, 1))

export const understoodInvoice = (document: DocumentText) =>
  understand(document, { preferred: 'invoice', now: NOW })

export const readInvoice = (text: string) => understoodInvoice(documentFromText(text))

/** Goods for 105.50 under their heads. */
export const GOODS = `Description          Qty   Price    Amount
Oak shelf              2   40.00     80.00
Brass lamp             1   25.50     25.50
Total                               105.50`
