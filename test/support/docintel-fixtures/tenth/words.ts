/** The words of an invoice in the languages of the tenth set, for layouts whose users write their own. */

export interface Words {
  invoice: string
  credit: string
  number: string
  date: string
  due: string
  article: string
  reference: string
  quantity: string
  price: string
  amount: string
  net: string
  total: string
  shipping: string
  discount: string
  dear: string
  regards: string
  paid: string
  thanks: string
}

const ORDER = [
  'invoice',
  'credit',
  'number',
  'date',
  'due',
  'article',
  'reference',
  'quantity',
  'price',
  'amount',
  'net',
  'total',
  'shipping',
  'discount',
  'dear',
  'regards',
  'paid',
  'thanks',
] as const satisfies readonly (keyof Words)[]

const TEXTS: Readonly<Record<string, string>> = {
  de: 'Rechnung|Gutschrift|Nr.|Datum|Zahlbar bis|Artikel|Art.-Nr.|Menge|Einzelpreis|Betrag|Zwischensumme|Gesamtbetrag|Versand|Rabatt|Sehr geehrte Damen und Herren,|Mit freundlichen Grüßen|EC-Karte|Vielen Dank für Ihren Besuch',
  fr: 'Facture|Avoir|nº|Date|À régler avant le|Article|Référence|Quantité|Prix unitaire|Montant|Sous-total|Total|Frais de port|Remise|Madame, Monsieur,|Salutations distinguées|Carte bancaire|Merci de votre visite',
  es: 'Factura|Factura rectificativa|n.º|Fecha|Vencimiento|Artículo|Referencia|Cantidad|Precio unitario|Importe|Subtotal|Total|Gastos de envío|Descuento|Estimados señores:|Atentamente|Tarjeta|Gracias por su visita',
  it: 'Fattura|Nota di credito|n.|Data|Scadenza|Articolo|Codice|Quantità|Prezzo unitario|Importo|Imponibile|Totale|Spese di spedizione|Sconto|Gentile cliente,|Cordiali saluti|Carta|Grazie e arrivederci',
  pt: 'Fatura|Nota de crédito|n.º|Data|Vencimento|Artigo|Referência|Quantidade|Preço unitário|Valor|Subtotal|Total|Portes|Desconto|Exmos. Senhores,|Com os melhores cumprimentos|Multibanco|Obrigado pela sua visita',
  nl: 'Factuur|Creditnota|nr.|Datum|Te betalen voor|Artikel|Artikelnr.|Aantal|Stukprijs|Bedrag|Subtotaal|Totaal|Verzendkosten|Korting|Geachte heer, mevrouw,|Met vriendelijke groet|PIN|Bedankt en tot ziens',
  pl: 'Faktura|Faktura korygująca|nr|Data|Termin płatności|Nazwa|Symbol|Ilość|Cena netto|Wartość|Razem netto|Razem|Dostawa|Rabat|Szanowni Państwo,|Z poważaniem|Karta|Dziękujemy za zakupy',
  en: 'Invoice|Credit note|no.|Date|Payment due by|Item|Reference|Quantity|Unit price|Amount|Subtotal|Total|Carriage|Discount|Dear customer,|Yours faithfully|Card|Thank you, please come again',
  nb: 'Faktura|Kreditnota|nr.|Dato|Forfallsdato|Vare|Varenr.|Antall|Enhetspris|Beløp|Sum eks. mva|Å betale|Frakt|Rabatt|Hei,|Med vennlig hilsen|Bankkort|Takk for besøket',
  fi: 'Lasku|Hyvityslasku|nro|Päiväys|Eräpäivä|Tuote|Tuotenro|Määrä|Yksikköhinta|Summa|Veroton yhteensä|Yhteensä|Toimituskulut|Alennus|Hyvä asiakas,|Ystävällisin terveisin|Korttimaksu|Kiitos käynnistä',
  da: 'Faktura|Kreditnota|nr.|Dato|Forfaldsdato|Vare|Varenr.|Antal|Enhedspris|Beløb|Subtotal|I alt|Fragt|Rabat|Kære kunde,|Med venlig hilsen|Dankort|Tak for besøget',
  cs: 'Faktura|Dobropis|č.|Datum|Datum splatnosti|Položka|Kód|Množství|Cena za kus|Částka|Základ daně|Celkem k úhradě|Doprava|Sleva|Vážení,|S pozdravem|Platba kartou|Děkujeme za nákup',
  hu: 'Számla|Jóváíró számla|sz.|Kelt|Fizetési határidő|Megnevezés|Cikkszám|Mennyiség|Egységár|Összeg|Nettó összesen|Fizetendő|Szállítás|Kedvezmény|Tisztelt Ügyfelünk!|Üdvözlettel|Bankkártya|Köszönjük a vásárlást',
  sv: 'Faktura|Kreditfaktura|nr|Datum|Förfallodatum|Artikel|Art.nr|Antal|À-pris|Belopp|Summa exkl. moms|Att betala|Frakt|Rabatt|Hej,|Med vänlig hälsning|Kortköp|Tack och välkommen åter',
}

export function wordsOf(language: string): Words {
  const texts = TEXTS[language]!.split('|')
  return Object.fromEntries(ORDER.map((word, at) => [word, texts[at]!])) as unknown as Words
}

/** Names as in life, which have no legal form: a trading name, a name with a sign, with digits. */
const TRADING: Readonly<Record<string, readonly string[]>> = {
  de: ['Atelier 37', 'Müller & Töchter', 'Zum Goldenen Hirsch', 'Radwerkstatt Nord'],
  fr: ['Aux Deux Frères', 'Studio 21 bis', 'Lefèvre & Filles', 'La Boîte à Outils'],
  es: ['Casa Manolo', 'Hijos de Peña', 'Taller 13', 'Pérez & Ruiz Interiores'],
  it: ['Bottega 48', 'Rossi & Figlie', 'La Vecchia Officina', 'Da Peppino'],
  pt: ['Casa das Tintas', 'Oficina 72', 'Irmãos Tavares', 'Sousa & Lopes'],
  nl: ['De Groene Fiets', 'Bakker & Dochters', 'Studio 88', 'Het Oude Pakhuis'],
  pl: ['Pracownia 12', 'Nowak i Córki', 'Pod Złotym Lwem', 'Stolarnia Zawada'],
  en: ['Hook & Sons', 'The Little Print Shop', 'Unit 9 Cycles', 'Brew42'],
  nb: ['Brødrene Hagen', 'Verksted 5', 'Fjord & Fjell', 'Det Grønne Skapet'],
  fi: ['Pihan Puu', 'Verstas 24', 'Laine & Tyttäret', 'Kahvila Kaneli'],
  da: ['Havnens Cykler', 'Værksted 17', 'Holm & Sønner', 'Den Blå Dør'],
  cs: ['Dílna 33', 'Novák & synové', 'U Zlatého kola', 'Papírnictví Lípa'],
  hu: ['Kovács és Fiai', 'Műhely 11', 'Zöld Sarok', 'Varga & Varga'],
  sv: ['Verkstad 19', 'Berg & Döttrar', 'Gröna Hörnan', 'Bröderna Lind'],
}
export const tradingName = (language: string, at: number): string => {
  const names = TRADING[language]!
  return names[at % names.length]!
}
