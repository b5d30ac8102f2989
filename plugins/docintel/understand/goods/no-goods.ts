/** What no line of goods begins with, and how many lines are read. */

export const ITEMS_MAX = 500
export const NOT_GOODS =
  /^(?:SUBJECT|TEL|FAX|PHONE|GST|VAT|TAX|SST|INVOICE|INV|DATE|TIME|CASHIER|RECEIPT|DOC|BILL|NO|REF|TABLE|POS(?! \d+ [A-Z]{3})|TERMINAL|APPROVAL|AUTH|CARD|TRACE|BATCH|MEMBER|POINTS?|IBAN|BIC|CO REG|REG|ORDER|PAGE|PIN|TIN|VRN|SR|ZRL|TX|MID|TID|AID|TVR|EXP|ACCOUNT|BALANCE|KM|PUMP|RATE|EXCHANGE|VALID|SIGN|ROUND|ADJ|RM|QTY|TRANS|EFT|CHG|PAX|COVER|GUESTS?|OPEN|CLOSE|TERMS|DUE|PO BOX|LOT|JALAN|JLN|NETTO|BRUTTO|MWST|B I|BI [A-Z](?= ?\d| ?$))(?: |$)/

/** Words of those that end a name too, where nothing follows them: "Ceramic / Table". */
const ALONE = /^(?:TABLE|COVER|PUMP|PIN)$/
/** Whether a row without amounts, by its folded text, continues no name of goods. */
export const endsNoName = (folded: string): boolean => NOT_GOODS.test(folded) && !ALONE.test(folded)
