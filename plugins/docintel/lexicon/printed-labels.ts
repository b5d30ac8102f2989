/**
 * Labels as invoices print them, in eleven languages: what OCR has damaged is looked up here. Labels
 * under six letters are left out, for too many other words are as near to them.
 */
import { basicLetters, capitals } from './fold.ts'

/** By language, what billing programs call the fields of a head, of a table of goods and of sums. */
const BY_LANGUAGE = {
  de: 'Rechnungsnummer, Rechnungs-Nr., Rechnung Nr., Rechnungsdatum, Rechnung vom, Belegnummer, Belegdatum, Kundennummer, Kunden-Nr., Auftragsnummer, Bestellnummer, Ihre Bestellung, Ihr Auftrag, Lieferdatum, Leistungsdatum, Leistungszeitraum, Leistungszeitpunkt, Fälligkeitsdatum, Fällig am, Zahlbar bis, Zahlungsziel, Rechnung an, Rechnungsempfänger, Rechnungsadresse, Lieferadresse, Auftraggeber, Bezeichnung, Beschreibung, Artikelnummer, Einheit, Einzelpreis, Stückpreis, Gesamtpreis, Gesamtbetrag, Nettobetrag, Bruttobetrag, Zwischensumme, Summe netto, Mehrwertsteuer, Umsatzsteuer, Steuersatz, Steuerbetrag, Rechnungsbetrag, Zahlbetrag, Zu zahlen',
  en: 'Invoice number, Invoice no., Invoice date, Date of issue, Customer number, Customer no., Account number, Account no., Order number, Order no., Purchase order, Your order, Your reference, Delivery date, Date of supply, Due date, Payment due, Payment terms, Bill to, Billed to, Invoice to, Sold to, Customer, Delivery address, Description, Quantity, Unit price, Line total, Amount, Discount, Subtotal, Net total, Net amount, Invoice total, Total amount, Total due, Amount due, Balance due, Amount paid',
  fr: 'Numéro de facture, Facture n°, Date de facture, Date de la facture, Date d’émission, Numéro client, N° client, Code client, N° commande, Votre commande, Bon de commande, Date de livraison, Date d’échéance, Échéance, Conditions de règlement, Facturé à, Adresse de facturation, Adresse de livraison, Destinataire, Désignation, Description, Référence, Quantité, Prix unitaire, Prix unitaire HT, Montant, Montant HT, Montant TTC, Total HT, Total TTC, Sous-total, Montant TVA, Net à payer, Total à payer, Reste à payer',
  it: 'Numero fattura, Fattura n., Data fattura, Data documento, Numero documento, Codice cliente, Cod. cliente, Ordine n., Vostro ordine, Data ordine, Data consegna, Data scadenza, Scadenza, Condizioni di pagamento, Fatturato a, Intestato a, Destinatario, Cliente, Descrizione, Articolo, Quantità, Prezzo unitario, Importo, Sconto, Aliquota, Imponibile, Totale imponibile, Totale documento, Totale fattura, Totale da pagare, Imposta',
  es: 'Número de factura, Factura n.º, Fecha de factura, Fecha de emisión, Fecha de entrega, Fecha de vencimiento, Vencimiento, Número de cliente, Código cliente, N.º cliente, Su pedido, N.º pedido, Número de pedido, Forma de pago, Facturado a, Facturar a, Datos del cliente, Cliente, Descripción, Concepto, Referencia, Cantidad, Precio unitario, Precio, Importe, Descuento, Base imponible, Cuota IVA, Importe total, Total factura, Total a pagar',
  pt: 'Número da fatura, Fatura n.º, Data da fatura, Data de emissão, Data de entrega, Data de vencimento, Vencimento, N.º cliente, Número de cliente, V/ encomenda, Encomenda n.º, Dados do cliente, Faturado a, Cliente, Designação, Descrição, Quantidade, Preço unitário, Preço unit., Desconto, Total ilíquido, Total líquido, Incidência, Valor total, Total do documento, Total a pagar',
  nl: 'Factuurnummer, Factuurnr., Factuurdatum, Klantnummer, Bestelnummer, Ordernummer, Uw bestelling, Uw referentie, Leverdatum, Vervaldatum, Betalingstermijn, Factuur aan, Factuuradres, Afleveradres, Omschrijving, Artikelnummer, Aantal, Eenheid, Stukprijs, Prijs per stuk, Bedrag, Korting, Subtotaal, Tarief, Grondslag, Btw-bedrag, Totaal excl. btw, Totaal incl. btw, Totaalbedrag, Te betalen',
  pl: 'Numer faktury, Faktura nr, Data wystawienia, Data sprzedaży, Data dostawy, Termin płatności, Sposób płatności, Nr klienta, Nr zamówienia, Zamówienie, Nabywca, Sprzedawca, Odbiorca, Nazwa towaru lub usługi, Nazwa towaru, Cena netto, Cena jednostkowa, Wartość netto, Wartość brutto, Stawka VAT, Kwota VAT, Razem netto, Razem brutto, Do zapłaty',
  sv: 'Fakturanummer, Fakturanr, Fakturadatum, Kundnummer, Kundnr, Ordernummer, Er order, Er referens, Leveransdatum, Förfallodatum, Betalningsvillkor, Fakturamottagare, Fakturaadress, Leveransadress, Benämning, Beskrivning, Artikelnr, Artikelnummer, À-pris, Belopp, Momssats, Underlag, Delsumma, Summa exkl. moms, Summa inkl. moms, Att betala',
  'no, da':
    'Fakturanummer, Fakturadato, Kundenummer, Ordrenummer, Deres referanse, Leveringsdato, Forfallsdato, Forfaldsdato, Betalingsbetingelser, Faktureres til, Fakturaadresse, Leveringsadresse, Beskrivelse, Varenummer, Enhetspris, Enhedspris, Stykpris, Beløp, Beløb, Momsbeløb, Sum eks. mva, Sum inkl. mva, Subtotal, Å betale, At betale',
  'cs, fi':
    'Číslo faktury, Datum vystavení, Datum splatnosti, Dodavatel, Odběratel, Množství, Cena celkem, Základ daně, Celkem k úhradě, Laskun numero, Laskun päivämäärä, Eräpäivä, Asiakasnumero, Asiakas, Toimituspäivä, Yksikköhinta, Yhteensä, Veroton yhteensä, Maksettava',
  /** Whole words that are near to one of the others. */
  near: 'Invoice, Facture, Fattura, Factura, Fatura, Factuur, Faktura, Rechnung, Conditions de paiement, Payment term, Referentie, Référence client, Montante, Imposte, Imposto, Subtotale, Totalt, Totale, Totaal, Destination, Destino, Ordine, Importe, Importi, Product, Produkt, Produit, Prodotto, Producto, Produto, Payment, Paiement, Pagamento, Betaling, Service, Servizio, Servicio, Serviço, Eenheids, Einheiten, Customers, Clients, Clientes, Clienti, Kunden, Amounts, Montants, Details, Detalles, Dettagli, Detalhes, Notes, Notas, Hinweise, Bemerkungen, Remarques, Opmerkingen, Quantities, Adresse, Address, Account, Discounts',
} as const

export interface PrintedLabel {
  /** As it is printed. */
  label: string
  /** In capitals without marks. */
  upper: string
  /** The letters of those, and nothing else. */
  letters: string
}

/** Every label once. */
export const PRINTED_LABELS: readonly PrintedLabel[] = [
  ...new Set(Object.values(BY_LANGUAGE).flatMap((labels) => labels.split(', '))),
].map((label) => {
  const upper = capitals(label)
  return { label, upper, letters: basicLetters(upper) }
})

const LETTERS = new Set(PRINTED_LABELS.map(({ letters }) => letters))

/** Whether the letters of a text, capitals without marks, are those of a label and nothing else. */
export const isPrintedLabel = (letters: string): boolean => LETTERS.has(letters)
