/**
 * A fifth set, written after the fourth was mended. Scored unseen: totals 7, dates 10, numbers 10 of
 * 10. Seen now.
 */
import { drawn, type IssuerFixture } from './types.ts'

export const FIFTH: readonly IssuerFixture[] = [
  drawn(
    'ticket office, amount paid only, order and receipt numbers',
    { date: '2015-06-14', total: 86.5, id: 'TR-7718842', currency: 'GBP', merchant: 'Railhop Ltd' },
    { emit: 'words' },
    `
40 b15: 40 railhop
70: 40 Receipt number: TR-7718842
+12: 40 Order reference: 4471-RHX
+12: 40 Purchased on 14 June 2015 at 21:07
+12: 40 Outward: York to London Kings Cross, 19 June 2015 06:31
+12: 40 Return: London Kings Cross to York, 19 June 2015 18:00
150: 40 2 x Off-Peak Return | 540r £84.00
+12: 40 Booking fee | 540r £1.50
+12: 40 Card fee | 540r £1.00
+16 b: 40 Amount debited | 540r £86.50
+12: 40 Card: Visa ending 4471
780 7: 40 Railhop Ltd, registered in England no. 03846791. VAT no. GB 791 7261 06
`,
  ),
  drawn(
    'swiss telecom, total in francs with rounding, payment part',
    { date: '2016-09-01', total: 118.35, id: '1609-447188', currency: 'CHF' },
    { emit: 'runs' },
    `
40 b15: 40 Alpcom (Schweiz) AG
+13: 40 Postfach, 3050 Bern
100: 340 Frau Regula Amstutz
+12: 340 Dorfstrasse 8
+12: 340 6078 Lungern
100: 40 Rechnung vom 01.09.2016
+12: 40 Rechnungsnummer 1609-447188
+12: 40 Kundennummer 3.118.842
+12: 40 Rechnungsperiode 01.08.2016 - 31.08.2016
190: 40 Abonnemente | 540r 99.00
+12: 40 Verbindungen | 540r 10.57
+12: 40 Total exkl. MWST | 540r 109.57
+12: 40 MWST 8.0 % | 540r 8.77
+12: 40 Rundungsdifferenz | 540r 0.01
+16 b: 40 Rechnungstotal inkl. MWST, zahlbar bis 30.09.2016 | 540r CHF 118.35
600: 40 Empfangsschein | 240 Einzahlung für Alpcom (Schweiz) AG
+14: 40 Konto 01-4471-8 | 240 Referenz 00 00003 11884 20160 90144 71880
+14: 40 CHF 118.35
`,
  ),
  drawn(
    'belgian incumbent in french, extract of account and structured message',
    { date: '2015-03-09', total: 45.12, id: '404471882', currency: 'EUR' },
    { emit: 'kerned' },
    `
40 b15: 40 Belmobile
70 b: 40 Votre facture du 9 mars 2015
+13: 40 Numéro de facture 404471882
+13: 40 Numéro de client 6118842
+13: 40 Date limite de paiement 31 mars 2015
70: 340 MONSIEUR J. LEJEUNE
+12: 340 RUE HAUTE 3
+12: 340 5000 NAMUR
170: 40 Abonnement mobile | 540r 37,29 €
+12: 40 Communications | 540r 0,00 €
+12: 40 TVA 21 % | 540r 7,83 €
+16 b: 40 Montant à payer | 540r 45,12 €
+20: 40 Communication structurée : +++404/4718/82033+++ IBAN BE68 5390 0754 7034
`,
  ),
  drawn(
    'american hosting receipt with balance forward',
    {
      date: '2013-12-01',
      total: 39.95,
      id: '884471',
      currency: 'USD',
      merchant: 'Pinecone Hosting LLC',
    },
    { emit: 'runs', page: [612, 792] },
    `
40 b15: 40 Pinecone Hosting LLC
+13: 40 PO Box 4471, Boise, ID 83701
70 b: 420 Invoice #884471
+13: 420 Invoice Date: Sunday, December 1st, 2013
+13: 420 Due Date: Sunday, December 15th, 2013
130 b: 40 Invoiced To
+13: 40 Garnet Bakery
+12: 40 Ms. Ivy Chen
+12: 40 50 Pearl St, Albany, New York, 12207
220 b: 40 Description | 560r Total
+14: 40 VPS Plan 2 - garnetbakery.example (12/01/2013 - 12/31/2013) | 560r $29.95 USD
+12: 40 cPanel License (12/01/2013 - 12/31/2013) | 560r $10.00 USD
+16: 480r Sub Total | 560r $39.95 USD
+12: 480r Credit | 560r $0.00 USD
+14 b: 480r Total | 560r $39.95 USD
330 b: 40 Transactions
+13 b: 40 Transaction Date | 180 Gateway | 320 Transaction ID | 560r Amount
+13: 40 Monday, December 2nd, 2013 | 180 Credit Card | 320 8847118820 | 560r $39.95 USD
+14: 480r Balance | 560r $0.00 USD
`,
  ),
  drawn(
    'spanish mobile operator, columns of labels, apostrophe day',
    { date: '2013-11-21', total: 24.2, id: 'CI0447188221', currency: 'EUR', tax: 4.2 },
    { emit: 'runs', order: 'columns' },
    `
40 b16: 40 Naranjito
70: 40 Factura | 160 CI0447188221
+12: 40 Fecha de factura | 160 21 nov 2013
+12: 40 Número de cliente | 160 1.18842207
+12: 40 Periodo facturado | 160 21 oct - 20 nov 2013
70: 340 JAVIER ORTUÑO SALAS
+12: 340 AVDA. DEL PUERTO 11 4ºC
+12: 340 46021 VALENCIA
160: 40 Cuotas | 400r 20,00 €
+12: 40 Llamadas | 400r 0,00 €
+12: 40 Base imponible | 400r 20,00 €
+12: 40 IVA (21%) | 400r 4,20 €
+16 b12: 40 Total a pagar (IVA incluido) | 400r 24,20 €
+18: 40 El importe se cargará en su cuenta ES12 2100 **** **** **** 4471 el 2 dic 2013
`,
  ),
  drawn(
    'indian telecom bill, relationship number, dues and charges boxes',
    {
      date: '2016-04-18',
      total: 1034.55,
      id: '884471182-1604',
      currency: 'INR',
    },
    { emit: 'words' },
    `
40 b14: 40 Vaani Telecom
60: 40 Mr. Suresh Iyer
+12: 40 4/12 Lake View Road, West Mambalam
+12: 40 Chennai 600033
60: 340 Relationship number | 460 1.118842207
+12: 340 Bill number | 460 884471182-1604
+12: 340 Bill date | 460 18-Apr-2016
+12: 340 Bill period | 460 18-Mar-2016 to 17-Apr-2016
+12: 340 Pay by date | 460 06-May-2016
150: 40 Previous balance | 150 Payments | 250 Adjustments | 350 This month's charges | 480 Amount due
+12: 40 911.20 | 150 -911.20 | 250 0.00 | 350 1,034.55 | 480 1,034.55
200 b: 40 This month's charges
+13: 40 Monthly rentals | 540r 899.00
+12: 40 Usage | 540r 4.50
+12: 40 Service tax @ 14.5% | 540r 131.05
+14 b: 40 Total | 540r 1,034.55
`,
  ),
  drawn(
    'german energy supplier, yearly bill with prepayments',
    { date: '2015-01-15', total: 812.44, id: 'VR 114 471 882', currency: 'EUR' },
    { emit: 'runs' },
    `
40 b15: 40 Stadtwerke Erlenau GmbH
+12 7: 40 Stadtwerke Erlenau GmbH, Werkstr. 1, 64711 Erlenau
100: 40 Familie Dietz
+12: 40 Am Hang 5
+12: 40 64711 Erlenau
100: 350 Rechnungsnummer: | 540r VR 114 471 882
+12: 350 Kundennummer: | 540r 20118842
+12: 350 Zählernummer: | 540r 1EMH000447188
+12: 350 Rechnungsdatum: | 540r 15.01.2015
180 b: 40 Ihre Jahresrechnung Strom
+13: 40 Abrechnungszeitraum 01.01.2014 bis 31.12.2014
+16: 40 Verbrauch 2.914 kWh | 540r 598,22
+12: 40 Grundpreis | 540r 84,50
+12: 40 Nettobetrag | 540r 682,72
+12: 40 Umsatzsteuer 19 % | 540r 129,72
+14 b: 40 Rechnungsbetrag brutto | 540r 812,44
+12: 40 abzüglich geleistete Abschläge | 540r -780,00
+14 b: 40 Nachzahlung | 540r 32,44
`,
  ),
  drawn(
    'british solicitor, bill no and our ref, time spent, vat on fees',
    {
      date: '2014-05-09',
      total: 1158,
      id: '44718',
      currency: 'GBP',
      subtotal: 965,
      tax: 193,
    },
    { emit: 'runs' },
    `
40 b14: 297c Hobday & Strutt Solicitors
+13: 297c 14 Minster Yard, Lincoln LN2 1PN
80: 40 Dr A Penhaligon
+12: 40 The Old Forge
+12: 40 Navenby LN5 0EP
80: 380 Our ref: HS/AP/2207.1
+12: 380 Bill No: 44718
+12: 380 Date/Tax point: 9 May 2014
160 b: 40 Re: Boundary at The Old Forge
+14: 40 To our professional charges from 3 March 2014 to 2 May 2014 | 540r 940.00
+12: 40 Land Registry search fees | 540r 25.00
+14: 460r Net | 540r 965.00
+12: 460r VAT @ 20% | 540r 193.00
+14 b: 460r TOTAL DUE | 540r £1,158.00
700 7: 40 Terms strictly 28 days. Interest may be charged at 8%. VAT Reg No. 118 4471 88
`,
  ),
  drawn(
    'french hotel bill, note number, deposit and tourist tax',
    { date: '2017-07-08', total: 276.4, id: '2017-04471', currency: 'EUR' },
    { emit: 'padded' },
    `
40 b15: 297c HÔTEL DES GLYCINES
+13: 297c 5 place du Marché - 84400 APT
80: 40 M. et Mme Roussin | 360 Chambre : 12
+12: 40 Séjour du 05/07/2017 au 08/07/2017 | 360 Facture N° : 2017-04471
+12: 360 Le 08/07/2017
140 b: 40 Date | 110 Désignation | 330r Qté | 430r P.U. TTC | 540r Montant TTC
+13: 40 05/07/2017 | 110 Chambre double | 330r 3 | 430r 82,00 | 540r 246,00
+12: 40 06/07/2017 | 110 Petit déjeuner | 330r 2 | 430r 12,50 | 540r 25,00
+12: 40 08/07/2017 | 110 Taxe de séjour | 330r 6 | 430r 0,90 | 540r 5,40
+18: 430r Total TTC | 540r 276,40
+12: 430r Arrhes versées | 540r -82,00
+12 b: 430r Reste à payer | 540r 194,40
+20: 40 Dont TVA 10% : 24,64
`,
  ),
  drawn(
    'dutch energy supplier, amount in a sentence and invoice spec',
    { date: '2019-10-02', total: 131, id: '5500447188', currency: 'EUR' },
    { emit: 'runs' },
    `
40 b15: 40 Windkracht Energie
80: 40 De heer M. Bakker
+12: 40 Wilgenlaan 3
+12: 40 8011 AB Zwolle
80: 350 Datum | 450 2 oktober 2019
+12: 350 Klantnummer | 450 1188422
+12: 350 Factuurnummer | 450 5500447188
160 b13: 40 Termijnfactuur oktober 2019
+16: 40 Stroom, voorschot | 540r € 58,00
+12: 40 Gas, voorschot | 540r € 73,00
+14 b: 40 Totaal termijnbedrag (incl. btw) | 540r € 131,00
+12: 40 Btw 21% | 540r € 22,74
+20: 40 We schrijven het bedrag op 16 oktober 2019 af van NL44 RABO 0118 8422 07.
`,
  ),
]
