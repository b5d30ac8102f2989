/**
 * What the ninth set's makers print in English, in the languages of those who edit their templates. The
 * words are ours; where they stand, and which of them, is the makers' own.
 */
const FIELDS = [
  'invoice',
  'number',
  'date',
  'due',
  'to',
  'item',
  'description',
  'quantity',
  'price',
  'amount',
  'subtotal',
  'tax',
  'total',
  'discount',
  'shipping',
  'status',
  'paid',
  'unpaid',
  'creditNote',
  'quote',
  'orderConfirmation',
  'deliveryNote',
  'thanks',
  'payment',
  'transfer',
  'card',
  'orderNumber',
  'orderDate',
  'customerNumber',
  'ourDetails',
  'invoiceDetails',
  'billing',
  'delivery',
  'reference',
  'yourOrder',
  'notes',
] as const
export type Words = Readonly<Record<(typeof FIELDS)[number], string>>

const words = (text: string): Words => {
  const list = text.split('|').map((word) => word.trim())
  if (list.length !== FIELDS.length) throw new Error(`${list.length} words: ${text}`)
  return Object.fromEntries(FIELDS.map((field, at) => [field, list[at]!])) as unknown as Words
}

export const WORDS: Readonly<Record<string, Words>> = {
  en: words(
    'Invoice|Invoice number|Invoice date|Due date|Bill to|Item|Description|Qty|Unit price|Amount|Subtotal|VAT|Total|Discount|Shipping|Status|Paid|Unpaid|Credit note|Quote|Order confirmation|Delivery note|Thank you for your purchase|Payment method|Bank transfer|Credit card|Order number|Order date|Your client number|Our details|Invoice details|Billing address|Shipping address|Reference|Your order|Payable without deduction',
  ),
  de: words(
    'Rechnung|Rechnungsnummer|Rechnungsdatum|Zahlbar bis|An|Artikel|Bezeichnung|Menge|Einzelpreis|Betrag|Zwischensumme|MwSt.|Gesamtbetrag|Rabatt|Versand|Status|Bezahlt|Offen|Gutschrift|Angebot|Auftragsbestätigung|Lieferschein|Vielen Dank für Ihren Einkauf|Zahlungsart|Überweisung|Kreditkarte|Bestellnummer|Bestelldatum|Ihre Kundennummer|Unsere Daten|Rechnungsdaten|Rechnungsadresse|Lieferadresse|Art.-Nr.|Ihre Bestellung|Zahlbar ohne Abzug',
  ),
  fr: words(
    "Facture|Numéro de facture|Date de facture|Date d'échéance|Facturé à|Article|Désignation|Qté|Prix unitaire|Montant|Sous-total HT|TVA|Total TTC|Remise|Frais de port|Statut|Payée|Impayée|Avoir|Devis|Confirmation de commande|Bon de livraison|Merci pour votre achat|Mode de paiement|Virement bancaire|Carte bancaire|Numéro de commande|Date de commande|Votre numéro de client|Nos coordonnées|Détails de la facture|Adresse de facturation|Adresse de livraison|Référence|Votre commande|Sans escompte",
  ),
  es: words(
    'Factura|Número de factura|Fecha de factura|Fecha de vencimiento|Facturar a|Artículo|Descripción|Cant.|Precio unitario|Importe|Base imponible|IVA|Total|Descuento|Gastos de envío|Estado|Pagada|Pendiente|Factura rectificativa|Presupuesto|Confirmación de pedido|Albarán de entrega|Gracias por su compra|Forma de pago|Transferencia bancaria|Tarjeta de crédito|Número de pedido|Fecha de pedido|Su número de cliente|Nuestros datos|Datos de la factura|Dirección de facturación|Dirección de envío|Referencia|Su pedido|Pago sin deducciones',
  ),
  it: words(
    'Fattura|Numero fattura|Data fattura|Scadenza|Intestata a|Articolo|Descrizione|Q.tà|Prezzo unitario|Importo|Imponibile|IVA|Totale|Sconto|Spese di spedizione|Stato|Pagata|Da pagare|Nota di credito|Preventivo|Conferma d’ordine|Documento di trasporto|Grazie per il vostro acquisto|Metodo di pagamento|Bonifico bancario|Carta di credito|Numero ordine|Data ordine|Il vostro codice cliente|I nostri dati|Dati della fattura|Indirizzo di fatturazione|Indirizzo di consegna|Riferimento|Il vostro ordine|Pagamento senza deduzioni',
  ),
  nl: words(
    'Factuur|Factuurnummer|Factuurdatum|Vervaldatum|Aan|Artikel|Omschrijving|Aantal|Stukprijs|Bedrag|Subtotaal|BTW|Totaal|Korting|Verzendkosten|Status|Betaald|Openstaand|Creditnota|Offerte|Orderbevestiging|Pakbon|Bedankt voor uw aankoop|Betaalwijze|Overschrijving|Creditcard|Bestelnummer|Besteldatum|Uw klantnummer|Onze gegevens|Factuurgegevens|Factuuradres|Afleveradres|Referentie|Uw bestelling|Betaling zonder aftrek',
  ),
  pt: words(
    'Fatura|Número da fatura|Data da fatura|Data de vencimento|Faturar a|Artigo|Descrição|Qtd.|Preço unitário|Valor|Subtotal|IVA|Total|Desconto|Portes de envio|Estado|Paga|Por pagar|Nota de crédito|Orçamento|Confirmação de encomenda|Guia de remessa|Obrigado pela sua compra|Método de pagamento|Transferência bancária|Cartão de crédito|Número da encomenda|Data da encomenda|O seu número de cliente|Os nossos dados|Dados da fatura|Morada de faturação|Morada de entrega|Referência|A sua encomenda|Pagamento sem deduções',
  ),
  pl: words(
    'Faktura|Numer faktury|Data wystawienia|Termin płatności|Nabywca|Towar|Nazwa|Ilość|Cena netto|Wartość netto|Suma netto|VAT|Razem brutto|Rabat|Wysyłka|Status|Zapłacono|Do zapłaty|Faktura korygująca|Oferta|Potwierdzenie zamówienia|Dowód dostawy|Dziękujemy za zakupy|Forma płatności|Przelew|Karta płatnicza|Numer zamówienia|Data zamówienia|Numer klienta|Sprzedawca|Dane faktury|Adres nabywcy|Adres dostawy|Indeks|Zamówienie|Płatność bez potrąceń',
  ),
  sv: words(
    'Faktura|Fakturanummer|Fakturadatum|Förfallodatum|Till|Artikel|Beskrivning|Antal|À-pris|Belopp|Delsumma|Moms|Att betala|Rabatt|Frakt|Status|Betald|Obetald|Kreditfaktura|Offert|Orderbekräftelse|Följesedel|Tack för ditt köp|Betalningssätt|Banköverföring|Kreditkort|Ordernummer|Orderdatum|Ert kundnummer|Våra uppgifter|Fakturauppgifter|Fakturaadress|Leveransadress|Artikelnr|Er beställning|Betalas utan avdrag',
  ),
  da: words(
    'Faktura|Fakturanummer|Fakturadato|Forfaldsdato|Til|Vare|Beskrivelse|Antal|Stykpris|Beløb|Subtotal|Moms|I alt|Rabat|Fragt|Status|Betalt|Ubetalt|Kreditnota|Tilbud|Ordrebekræftelse|Følgeseddel|Tak for dit køb|Betalingsmåde|Bankoverførsel|Kreditkort|Ordrenummer|Ordredato|Jeres kundenummer|Vores oplysninger|Fakturaoplysninger|Faktureringsadresse|Leveringsadresse|Varenr.|Jeres ordre|Betales uden fradrag',
  ),
  cs: words(
    'Faktura|Číslo faktury|Datum vystavení|Datum splatnosti|Odběratel|Položka|Popis|Množství|Cena za kus|Částka|Mezisoučet|DPH|Celkem k úhradě|Sleva|Doprava|Stav|Zaplaceno|Nezaplaceno|Dobropis|Cenová nabídka|Potvrzení objednávky|Dodací list|Děkujeme za váš nákup|Způsob platby|Bankovní převod|Platební karta|Číslo objednávky|Datum objednávky|Číslo zákazníka|Dodavatel|Údaje faktury|Fakturační adresa|Dodací adresa|Kód|Vaše objednávka|Splatné bez srážek',
  ),
  fi: words(
    'Lasku|Laskun numero|Laskun päivä|Eräpäivä|Asiakas|Tuote|Kuvaus|Määrä|Yksikköhinta|Summa|Välisumma|ALV|Yhteensä|Alennus|Toimituskulut|Tila|Maksettu|Maksamatta|Hyvityslasku|Tarjous|Tilausvahvistus|Lähetyslista|Kiitos ostoksestasi|Maksutapa|Tilisiirto|Luottokortti|Tilausnumero|Tilauspäivä|Asiakasnumeronne|Tietomme|Laskun tiedot|Laskutusosoite|Toimitusosoite|Tuotenro|Tilauksenne|Maksetaan ilman vähennyksiä',
  ),
  hu: words(
    'Számla|Számlaszám|Számla kelte|Fizetési határidő|Vevő|Termék|Megnevezés|Mennyiség|Egységár|Összeg|Nettó összesen|ÁFA|Fizetendő összesen|Kedvezmény|Szállítási díj|Állapot|Fizetve|Fizetendő|Jóváíró számla|Árajánlat|Rendelés visszaigazolása|Szállítólevél|Köszönjük a vásárlást|Fizetési mód|Átutalás|Bankkártya|Rendelésszám|Rendelés kelte|Ügyfélszám|Eladó adatai|Számla adatai|Számlázási cím|Szállítási cím|Cikkszám|Az Ön rendelése|Levonás nélkül fizetendő',
  ),
  nb: words(
    'Faktura|Fakturanummer|Fakturadato|Forfallsdato|Til|Vare|Beskrivelse|Antall|Enhetspris|Beløp|Delsum|MVA|Å betale|Rabatt|Frakt|Status|Betalt|Ubetalt|Kreditnota|Tilbud|Ordrebekreftelse|Pakkseddel|Takk for handelen|Betalingsmåte|Bankoverføring|Kredittkort|Ordrenummer|Ordredato|Deres kundenummer|Våre opplysninger|Fakturaopplysninger|Fakturaadresse|Leveringsadresse|Varenr.|Deres ordre|Betales uten fradrag',
  ),
}
