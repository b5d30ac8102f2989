/**
 * Stays as bills and receipts of the hotel program HotelDruid, from the documents that Debian's package
 * carries in three languages, as HTML and as RTF. Its program in PHP is not run: what its marks for
 * repeated and for conditional parts mean is told again here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain, round, type Good } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import { withSums, type Order } from '../sixth/orders.ts'

export type HotelLanguage = 'it' | 'en' | 'es'
export type HotelPaper = 'bill' | 'bill as RTF' | 'receipt'

const FILES: Readonly<Record<HotelLanguage, string>> = { it: '', en: 'lang/en/', es: 'lang/es/' }

/** What hotels charge beside the nights. */
const EXTRAS: Readonly<Record<HotelLanguage, readonly string[]>> = {
  it: ['Prima colazione', 'Parcheggio', 'Minibar', 'Letto aggiunto', 'Lavanderia', 'Noleggio bici'],
  en: ['Breakfast', 'Car park', 'Minibar', 'Extra bed', 'Laundry service', 'Bicycle hire'],
  es: ['Desayuno', 'Aparcamiento', 'Minibar', 'Cama supletoria', 'Lavandería', 'Alquiler de bicis'],
}
const WORDS = {
  it: { stay: 'Pernottamento dal', to: 'al', booking: 'Prenotazione dal', bookingTo: 'al' },
  en: { stay: 'Stay from', to: 'to', booking: 'Reservation from', bookingTo: 'to' },
  es: { stay: 'Estancia desde el', to: 'al', booking: 'Reserva desde', bookingTo: 'hasta' },
} as const
const PEOPLE = { it: ' (2 persone)', en: ' (2 persons)', es: ' (2 personas)' } as const

const day = (iso: string): string => iso.split('-').toReversed().join('/')

/** The nights of an order: its first good is the stay, which ends on the day of the bill. */
const arrivalOf = ({ truth, goods }: Order): string =>
  new Date(Date.parse(truth.date) - goods[0]!.quantity * 86_400_000).toISOString().slice(0, 10)

/** An order as nights and what a hotel charges beside them, described as its bill prints it. */
export function hotelOrder(made: Order, language: HotelLanguage): Order {
  const words = WORDS[language]
  const goods = made.goods.slice(0, EXTRAS[language].length + 1).map((good, at): Good => {
    if (at > 0) return { ...good, quantity: 1, amount: good.price }
    return { ...good, amount: round(good.price * good.quantity) }
  })
  const arrival = arrivalOf({ ...made, goods })
  const named = goods.map((good, at) => ({
    ...good,
    description:
      at === 0
        ? `${words.stay} ${day(arrival)} ${words.to} ${day(made.truth.date)}`
        : `Extra: "${EXTRAS[language][at - 1]}"`,
  }))
  return withSums(made.sale, named)
}

/** The truth of a receipt: one row with all that was paid. */
export function receiptTruth(made: Order, language: HotelLanguage): Order['truth'] {
  const { booking, bookingTo } = WORDS[language]
  const description = `${booking} ${day(arrivalOf(made))} ${bookingTo} ${day(made.truth.date)}`
  return { ...made.truth, goods: [{ description, amount: made.truth.total }] }
}

/** The rows of HotelDruid's table of documents: number, kind and text. */
function documentOf(folder: string, language: HotelLanguage, kind: string, at: number): string {
  const root = 'x_hoteldruid/usr/share/hoteldruid/includes'
  const text = readFileSync(join(folder, root, FILES[language], 'hoteld_doc_backup.php'), 'utf8')
  const row = `<riga><cmp>${at}</cmp><cmp>${kind}</cmp><cmp>`
  const start = text.indexOf(row)
  if (start < 0) throw new Error(`HotelDruid has no document ${at} in ${language}`)
  const found = text.slice(start + row.length, text.indexOf('</cmp>', start + row.length))
  return found
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

type Values = Readonly<Record<string, string>>
interface Part {
  values: Values
  extras: readonly Values[]
}

/** Fills one level: parts under a condition, then the values; what has no value is left empty. */
const fillValues = (text: string, values: Values): string =>
  text
    .replaceAll(
      /\[c ([^\]=!]+)(!?=)"([^"]*)"\]([\s\S]*?)\[\/c\]/g,
      (_, name: string, sign: string, wanted: string, inner: string) =>
        ((values[name] ?? '') === wanted) === (sign === '=') ? inner : '',
    )
    .replaceAll(/\[([\w()]+)\]/g, (_, name: string) => values[name] ?? '')

/** `[r]` repeats for each stay (there is one), `[r3]` for each extra, `[r4]` for each tax rate. */
function fillDocument(template: string, whole: Part, rates: readonly Part[]): string {
  const stays = (text: string, { values, extras }: Part): string =>
    fillValues(
      text.replaceAll(/\[r\]([\s\S]*?)\[\/r\]/g, (_, stay: string) =>
        stay.replaceAll(/\[r3\]([\s\S]*?)\[\/r3\]/g, (__, extra: string) =>
          extras.map((of) => fillValues(extra, { ...values, ...of })).join(''),
        ),
      ),
      values,
    )
  const rated = template.replaceAll(/\[r4 [^\]]*\]([\s\S]*?)\[\/r4\]/g, (_, text: string) =>
    rates.map((rate) => stays(text, rate)).join(''),
  )
  return stays(rated, whole)
}

/** What the documents print of an order; a receipt has names of its own for some of it. */
const FIELDS = [
  'seller',
  'street',
  'city',
  'postcode',
  'vatId',
  'phone',
  'receiptPhone',
  'buyer',
  'receiptBuyer',
  'buyerStreet',
  'receiptStreet',
  'buyerPlace',
  'receiptPlace',
  'id',
  'date',
  'arrival',
  'departure',
  'people',
  'currency',
  'stay',
  'net',
  'vat',
  'total',
  'rates',
  'hasAmount',
  'paid',
  'hasStay',
  'hasExtra',
  'extraName',
  'extra',
  'hasSums',
  'rate',
  'base',
  'tax',
] as const
type Field = (typeof FIELDS)[number]

/** HotelDruid's names of those fields, in their order. */
const NAMES: Readonly<Record<HotelLanguage, string>> = {
  it: [
    'nome_struttura indirizzo_struttura comune_struttura CAP_struttura partita_iva_struttura',
    'telefono_strutt_fatt telefono_strutt_ricev cognome_fatt cognome_ricev via_fatt via_ricev',
    'riga_citta_fatt riga_citta_ricev numero_progressivo_documento oggi data_inizio data_fine',
    'frase_persone_fatt nome_valuta tariffa_no_iva_fatt_p tot_no_iva_fatt_p iva_fatt_p costo_tot_fatt_p',
    'num_iva_fatt mostra_metodo_ricev valore_ultimo_pagamento_p mos_tariffa_fatt mos_costo_agg_fatt',
    'nome_costo_agg costo_agg_no_iva_fatt_p mos_subtotale_fatt iva_perc_vett_fatt(num_iva_fatt)',
    'tot_parz_no_iva_fatt_p tot_parz_iva_fatt_p',
  ].join(' '),
  en: [
    'structure_name structure_address structure_city structure_postal_code structure_vat_number',
    'struct_telephone_invo struct_telephone_recei surname_invo surname_recei street_invo street_recei',
    'city_row_invo city_row_recei document_progressive_number today starting_date ending_date',
    'people_phrase_invo currency_name rate_no_vat_invo_p tot_no_vat_invo_p vat_invo_p price_tot_invo_p',
    'vat_num_invo show_method_recei last_payment_value_p show_rate_invo show_extra_cost_invo',
    'extra_cost_name extra_cost_no_vat_invo_p show_subtotal_invo vat_perc_arr_invo(vat_num_invo)',
    'part_tot_no_vat_invo_p part_tot_vat_invo_p',
  ].join(' '),
  es: [
    'nombre_estructura direccion_estructura ciudad_estructura codigo_postal_estructura certificado_identificacion_fiscal_estructura',
    'telefono_estruc_fact telefono_estruc_recibo apellido_fact apellido_recibo calle_fact calle_recibo',
    'linea_ciudad_fact linea_ciudad_recibo numero_progresivo_documento hoy fecha_inicial fecha_final',
    'frase_personas_fact nombre_divisa tarifa_no_iva_fact_p tot_no_iva_fact_p iva_fact_p coste_tot_fact_p',
    'num_iva_fact mostrar_metodo_recibo valor_ultimo_pago_p ens_tarifa_fact ens_coste_agn_fact',
    'nombre_coste_agna coste_agn_no_iva_fact_p ens_subtotal_fact iva_porc_vect_fact(num_iva_fact)',
    'tot_parc_no_iva_fact_p tot_parc_iva_fact_p',
  ].join(' '),
}

/** Texts by field under the names of a language. */
function valuesIn(
  language: HotelLanguage,
  texts: Readonly<Partial<Record<Field, string>>>,
): Values {
  const names = NAMES[language].split(' ')
  return Object.fromEntries(
    Object.entries(texts).map(([field, text]) => [names[FIELDS.indexOf(field as Field)]!, text]),
  )
}

const rtfText = (text: string): string =>
  text
    .replaceAll(/[\\{}]/g, String.raw`\$&`)
    .replaceAll(/[^\0-\u007F]/g, (letter) => `\\u${letter.codePointAt(0)}?`)

/** A bill or a receipt as HTML, or as RTF for LibreOffice. */
export function hotelPaper(
  folder: string,
  made: Order,
  language: HotelLanguage,
  manner: Manner,
  paper: HotelPaper,
): string {
  const { sale, truth, goods, taxes } = made
  const escape = paper === 'bill as RTF' ? rtfText : escapeHtml
  const money = moneyOf(manner.numbers)
  const sum = (value: number): string => escape(money(value))
  const percent = (rate: number): string => escape(String(rate).replace('.', ','))
  const [street, place] = addressOf(sale)
  // A British postcode is two words.
  const gap = place.indexOf(' ', language === 'en' ? place.indexOf(' ') + 1 : 0)
  const phone = escape(`Tel. ${plain(sale, 'tel')}`)
  const buyer = escape(truth.buyer)
  const buyerStreet = escape(plain(sale, 'address1'))
  const buyerPlace = escape(placeOf(sale))
  const shared = valuesIn(language, {
    seller: escape(truth.seller),
    street: escape(street),
    city: escape(place.slice(gap + 1)),
    postcode: escape(place.slice(0, gap)),
    vatId: manner.vatId,
    phone,
    receiptPhone: phone,
    buyer,
    receiptBuyer: buyer,
    buyerStreet,
    receiptStreet: buyerStreet,
    buyerPlace,
    receiptPlace: buyerPlace,
    id: escape(truth.id),
    date: day(truth.date),
    arrival: day(arrivalOf(made)),
    departure: day(truth.date),
    people: PEOPLE[language],
    currency: escape(language === 'en' ? '£' : '€'),
    stay: sum(goods[0]!.amount),
    net: sum(truth.net),
    vat: sum(truth.vat),
    total: sum(truth.total),
    rates: String(taxes.length),
    hasAmount: '1',
    paid: sum(truth.total),
    rate: percent(taxes[0]!.rate),
  })
  const rates = taxes.map(({ rate, base, tax }): Part => {
    const here = goods.filter((good) => good.rate === rate)
    const own = valuesIn(language, {
      hasStay: here.includes(goods[0]!) ? '1' : '',
      hasSums: taxes.length > 1 ? '1' : '',
      rate: percent(rate),
      base: sum(base),
      tax: sum(tax),
    })
    return {
      values: { ...shared, ...own },
      extras: here
        .filter((good) => good !== goods[0])
        .map(({ description, amount }) =>
          valuesIn(language, {
            hasExtra: '1',
            extraName: escape(description.slice('Extra: "'.length, -1)),
            extra: sum(amount),
          }),
        ),
    }
  })
  const isItalian = language === 'it'
  const [kind, at] =
    paper === 'bill as RTF'
      ? (['contrrtf', 3] as const)
      : (['contrhtm', paper === 'bill' ? 2 : isItalian ? 5 : 4] as const)
  const filled = fillDocument(
    documentOf(folder, language, kind, at),
    { values: shared, extras: [] },
    rates,
  )
  return paper === 'bill as RTF' ? filled : `<!doctype html><meta charset="utf-8">${filled}`
}
