/** What fields of an invoice are called in sixteen languages: numbers, days, sums and parties. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

/** Labels of one language, the usual first. */
interface Words {
  id: string[]
  date: string[]
  due: string[]
  net: string[]
  tax: string
  total: string[]
  seller: string[]
  buyer: string[]
  order: string
}
const list = (text: string): string[] => text.split(', ')
const words = (
  id: string,
  date: string,
  due: string,
  net: string,
  tax: string,
  total: string,
  seller: string,
  buyer: string,
  order: string,
): Words => ({
  id: list(id),
  date: list(date),
  due: list(due),
  net: list(net),
  tax,
  total: list(total),
  seller: list(seller),
  buyer: list(buyer),
  order,
})

// prettier-ignore
const LANGUAGES: Record<string, Words> = {
  Italian: words('Numero fattura, N. fattura, Fattura n.', 'Data fattura, Data emissione', 'Scadenza, Scade il', 'Imponibile, Totale parziale', 'IVA 22%', 'Totale fattura, Totale da pagare', 'Fornitore, Cedente, Emittente', 'Cliente, Fatturato a', 'Ordine n.'),
  Swedish: words('Fakturanummer, Fakturanr', 'Fakturadatum', 'Förfallodatum, Förfaller', 'Delsumma, Nettobelopp', 'Mervärdesskatt', 'Totalsumma, Fakturabelopp, Att betala', 'Säljare, Leverantör, Avsändare', 'Kund, Köpare, Faktura till', 'Ordernummer'),
  Norwegian: words('Fakturanummer, Fakturanr.', 'Fakturadato', 'Forfallsdato, Forfall', 'Sum eks. mva, Delsum', 'Merverdiavgift', 'Totalsum, Å betale', 'Selger, Avsender', 'Kunde, Kjøper, Mottaker', 'Ordrenr'),
  Danish: words('Fakturanummer, Fakturanr.', 'Fakturadato', 'Forfaldsdato, Forfald', 'Subtotal', 'Moms 25%', 'I alt, At betale', 'Sælger, Afsender', 'Kunde, Køber', 'Ordrenr.'),
  Finnish: words('Laskun numero, Laskunumero', 'Laskun päivämäärä, Päiväys', 'Eräpäivä, Erääntyy', 'Välisumma, Yhteensä ilman alv', 'ALV 24%', 'Kokonaissumma, Loppusumma', 'Myyjä, Toimittaja, Laskuttaja', 'Asiakas, Ostaja', 'Tilausnumero'),
  Portuguese: words('Número da fatura, Número da nota fiscal', 'Data da fatura, Data de emissão', 'Vencimento', 'Subtotal, Total líquido', 'IVA 23%', 'Total com IVA, Total a pagar', 'Fornecedor, Emitente, Prestador', 'Cliente, Faturado a, Para', 'Encomenda nº'),
  Spanish: words('Número de factura, Núm. factura', 'Fecha de factura', 'Vencimiento', 'Base imponible', 'IVA 21%', 'Total factura, Total a pagar', 'Proveedor, Vendedor', 'Cliente, Facturado a', 'Pedido'),
  Polish: words('Numer faktury, Nr faktury, Numer', 'Data wystawienia, Data faktury', 'Termin płatności, Termin zapłaty', 'Razem netto, Suma częściowa', 'Podatek', 'Do zapłaty, Łącznie', 'Sprzedawca, Wystawca, Dostawca', 'Nabywca, Kupujący, Klient', 'Nr zamówienia'),
  Czech: words('Číslo faktury, Faktura č.', 'Datum vystavení', 'Datum splatnosti', 'Základ daně', 'DPH 21%', 'Celkem k úhradě, Celková částka', 'Dodavatel, Prodejce', 'Odběratel', 'Objednávka č.'),
  Slovak: words('Číslo faktúry, Faktúra č.', 'Dátum vystavenia', 'Dátum splatnosti', 'Základ dane, Spolu bez DPH', 'DPH 20%', 'Na úhradu, Celková suma', 'Dodávateľ, Predávajúci', 'Odberateľ, Kupujúci', 'Objednávka č.'),
  Hungarian: words('Számlaszám, Számla sorszáma', 'Számla kelte', 'Fizetési határidő', 'Részösszeg, Nettó összesen', 'ÁFA 27%', 'Fizetendő, Végösszeg', 'Eladó, Kibocsátó', 'Vevő, Vásárló', 'Rendelésszám'),
  Russian: words('Счет №, Счёт-фактура №, Номер счета', 'Дата счета, Дата', 'Срок оплаты, Оплатить до', 'Итого без НДС', 'НДС 20%', 'Всего к оплате', 'Продавец, Поставщик, Исполнитель', 'Покупатель, Заказчик, Клиент', 'Заказ №'),
  German: words('Rechnungsnummer, Rechnungs-Nr.', 'Rechnungsdatum', 'Fällig am, Zahlbar bis', 'Zwischensumme', 'USt. 19%', 'Rechnungsbetrag, Zu zahlen', 'Verkäufer, Aussteller', 'Kunde, Rechnung an', 'Bestellnummer'),
  French: words('Numéro de facture, N° facture', 'Date de facture', 'Échéance', 'Total HT, Sous-total', 'TVA 20%', 'Total TTC, Net à payer', 'Vendeur, Fournisseur', 'Client, Facturé à', 'N° commande'),
  Dutch: words('Factuurnummer, Factuurnr', 'Factuurdatum', 'Vervaldatum', 'Subtotaal', 'BTW 21%', 'Totaalbedrag, Te betalen', 'Verkoper, Leverancier', 'Klant, Factuur aan', 'Bestelnummer'),
  English: words('Invoice number, Invoice No.', 'Invoice date', 'Due date', 'Subtotal', 'VAT 20%', 'Total, Amount due', 'Seller, Supplier', 'Bill to, Customer', 'Order No.'),
}

interface Chosen {
  id: string
  date: string
  due: string
  net: string
  total: string
  seller: string
  buyer: string
}

const GOODS = ['Description   Qty   Price   Amount', 'Oak board     2     50.00   100.00']

function readWith({ tax, order }: Words, of: Chosen, place: 'beside' | 'above') {
  const party = (label: string, name: string): string[] =>
    place === 'beside' ? [`${label}: ${name}`] : [`${label}:`, name]
  const text = [
    ...party(of.seller, 'Vostok Mare'),
    'Road 5, 10115 Berlin',
    ...party(of.buyer, 'Omega Pistachio'),
    'Weg 7, 20095 Hamburg',
    `${of.due}: 30.11.2024`,
    `${order}: 59114`,
    `${of.id}: 28549`,
    `${of.date}: 15.11.2024`,
    ...GOODS,
    `${of.net}     100.00`,
    `${tax}     20.00`,
    `${of.total}     120.00`,
  ].join('\n')
  const {
    merchant,
    buyer,
    tax: taxes,
    ...result
  } = understand(documentFromText(text), {
    preferred: 'invoice',
    now: new Date('2025-01-01'),
  })
  return {
    id: result.document_id,
    date: result.issued_at,
    due: result.due_date,
    net: result.subtotal,
    tax: taxes.vat_amount,
    total: result.total,
    seller: merchant.name,
    buyer: buyer?.name,
  }
}

describe.each(Object.entries(LANGUAGES))('%s', (_language, own) => {
  const usual: Chosen = {
    id: own.id[0]!,
    date: own.date[0]!,
    due: own.due[0]!,
    net: own.net[0]!,
    total: own.total[0]!,
    seller: own.seller[0]!,
    buyer: own.buyer[0]!,
  }
  const fields = ['id', 'date', 'due', 'net', 'total', 'seller', 'buyer'] as const
  it.each(fields.flatMap((field) => own[field].map((label) => [field, label] as const)))(
    '%s: %s',
    (field, label) => {
      for (const place of ['beside', 'above'] as const)
        expect(readWith(own, { ...usual, [field]: label }, place)).toEqual({
          id: '28549',
          date: '2024-11-15',
          due: '2024-11-30',
          net: 100,
          tax: 20,
          total: 120,
          seller: 'Vostok Mare',
          buyer: 'Omega Pistachio',
        })
    },
  )
})
