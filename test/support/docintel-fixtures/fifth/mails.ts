/** Sales as receipts by mail, laid out by the themes of Mailgen; the words are those of the sender. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Manner } from '../others/sale.ts'
import { dayIn, goodsOf, moneyOf, taxesOf, type Sale } from '../fourth/sales.ts'

export const MAIL_THEMES = ['cerberus', 'default', 'neopolitan', 'salted'] as const
export type MailTheme = (typeof MAIL_THEMES)[number]

interface Words {
  hello: string
  intro: string
  id: string
  date: string
  due: string
  buyer: string
  item: string
  quantity: string
  amount: string
  net: string
  total: string
}

const words = (
  ...[hello, intro, id, date, due, buyer, item, quantity, amount, net, total]: [
    ...[string, string, string, string, string, string],
    ...[string, string, string, string, string],
  ]
): Words => ({ hello, intro, id, date, due, buyer, item, quantity, amount, net, total })

export const MAIL_WORDS: Readonly<Record<string, Words>> = {
  de: words(
    'Guten Tag',
    'vielen Dank für Ihre Bestellung. Dies ist Ihre Rechnung.',
    'Rechnungsnummer',
    'Rechnungsdatum',
    'Fällig am',
    'Kunde',
    'Artikel',
    'Menge',
    'Betrag',
    'Zwischensumme',
    'Gesamtbetrag',
  ),
  fr: words(
    'Bonjour',
    'Merci de votre commande. Voici votre facture.',
    'Facture n°',
    'Date de facturation',
    'Échéance',
    'Client',
    'Article',
    'Quantité',
    'Montant',
    'Total HT',
    'Total TTC',
  ),
  nl: words(
    'Beste klant',
    'Bedankt voor uw bestelling. Hierbij uw factuur.',
    'Factuurnummer',
    'Factuurdatum',
    'Vervaldatum',
    'Klant',
    'Artikel',
    'Aantal',
    'Bedrag',
    'Subtotaal',
    'Totaal',
  ),
  es: words(
    'Hola',
    'Gracias por su pedido. Esta es su factura.',
    'Factura n.º',
    'Fecha de factura',
    'Vencimiento',
    'Cliente',
    'Artículo',
    'Cantidad',
    'Importe',
    'Base imponible',
    'Total',
  ),
  it: words(
    'Gentile cliente',
    'Grazie per il suo ordine. Ecco la sua fattura.',
    'Fattura n.',
    'Data fattura',
    'Scadenza',
    'Cliente',
    'Articolo',
    'Quantità',
    'Importo',
    'Imponibile',
    'Totale',
  ),
  pl: words(
    'Dzień dobry',
    'Dziękujemy za zamówienie. Oto Twoja faktura.',
    'Faktura nr',
    'Data wystawienia',
    'Termin płatności',
    'Nabywca',
    'Nazwa',
    'Ilość',
    'Wartość',
    'Razem netto',
    'Do zapłaty',
  ),
  pt: words(
    'Olá',
    'Obrigado pela sua encomenda. Esta é a sua fatura.',
    'Fatura n.º',
    'Data da fatura',
    'Vencimento',
    'Cliente',
    'Artigo',
    'Quantidade',
    'Valor',
    'Subtotal',
    'Total',
  ),
  sv: words(
    'Hej',
    'Tack för din beställning. Här är din faktura.',
    'Fakturanummer',
    'Fakturadatum',
    'Förfallodatum',
    'Kund',
    'Artikel',
    'Antal',
    'Belopp',
    'Netto',
    'Att betala',
  ),
  fi: words(
    'Hei',
    'Kiitos tilauksestasi. Tässä on laskusi.',
    'Laskun numero',
    'Laskun päivä',
    'Eräpäivä',
    'Asiakas',
    'Tuote',
    'Määrä',
    'Summa',
    'Veroton yhteensä',
    'Yhteensä',
  ),
  en: words(
    'Hello',
    'Thank you for your order. This is your invoice.',
    'Invoice number',
    'Invoice date',
    'Due date',
    'Customer',
    'Item',
    'Quantity',
    'Amount',
    'Subtotal',
    'Total',
  ),
}

type Mailgen = new (options: object) => { generate(mail: object): string }

export function mailPage(
  folder: string,
  sale: Sale,
  language: string,
  manner: Manner,
  theme: MailTheme,
): string {
  const MailGenerator = createRequire(join(folder, 'package.json'))('mailgen') as Mailgen
  const { truth } = sale
  const word = MAIL_WORDS[language]!
  const format = moneyOf(manner.numbers)
  const money = (value: number): string => `${format(value)} ${manner.currency}`
  const day = (iso: string): string => dayIn(iso, manner.numbers)
  const copyright = `© 2024 ${truth.seller}`
  const product = { name: truth.seller, link: 'https://shop.example.com/', copyright }
  const sums = [
    [word.net, truth.net] as const,
    ...taxesOf(sale).map(({ rate, tax }) => [`${manner.tax} ${rate}%`, tax] as const),
    [word.total, truth.total] as const,
  ]
  const customAlignment = { [word.amount]: 'right', [word.quantity]: 'right' }
  return new MailGenerator({ theme, product }).generate({
    body: {
      title: `${word.hello},`,
      signature: false,
      intro: word.intro,
      dictionary: {
        [word.id]: truth.id,
        [word.date]: day(truth.date),
        [word.due]: day(truth.due),
        [word.buyer]: truth.buyer,
      },
      table: {
        data: [
          ...goodsOf(sale).map(({ description, quantity, amount }) => ({
            [word.item]: description,
            [word.quantity]: String(quantity),
            [word.amount]: money(amount),
          })),
          ...sums.map(([label, amount]) => ({
            [word.item]: label,
            [word.quantity]: '',
            [word.amount]: money(amount),
          })),
        ],
        columns: { customAlignment },
      },
    },
  })
}
