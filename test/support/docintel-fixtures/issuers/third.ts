/**
 * A third set of issuers, written after the second was mended. Scored unseen: totals 14, dates 14,
 * numbers 13 of 14. Seen now.
 */
import { drawn, printed, sheet, type IssuerFixture } from './types.ts'

const page = sheet({ marginMm: 15, font: '10pt "Liberation Sans"', cellPadding: '2px 4px' })

export const THIRD: readonly IssuerFixture[] = [
  printed(
    'erp invoice, number as headline with slashes',
    {
      date: '2023-03-20',
      total: 320.85,
      id: 'INV/2023/03/0008',
      currency: 'USD',
      subtotal: 279,
      tax: 41.85,
      merchant: 'Cobalt Furnishings',
      buyer: 'Harbour Interiors',
    },
    page(
      `<div style="border-bottom:1px solid"><b>Cobalt Furnishings</b><br>250 Executive Park Blvd, Suite 3400<br>San Francisco CA 94134<br>United States</div><p style="margin-left:60%">Harbour Interiors<br>4557 De Silva St<br>Fremont CA 94538<br>United States</p><h2>Invoice INV/2023/03/0008</h2><div style="display:grid;grid-template-columns:1fr 1fr 1fr"><div><b>Invoice Date:</b><br>03/20/2023</div><div><b>Due Date:</b><br>04/19/2023</div><div><b>Source:</b><br>S00016</div></div><br><table><tr><th>Description<th class=r>Quantity<th class=r>Unit Price<th class=r>Taxes<th class=r>Amount</tr><tr><td>Customizable Desk (CONFIG)<td class=r>1.000<td class=r>279.00<td class=r>Tax 15%<td class=r>$ 279.00</table><table style="width:45%;margin-left:55%"><tr><td><b>Untaxed Amount</b><td class=r>$ 279.00<tr><td>Tax 15%<td class=r>$ 41.85<tr><td><b>Total</b><td class=r>$ 320.85</table><p>Please use the following communication for your payment : INV/2023/03/0008</p>`,
    ),
  ),
  printed(
    'hotel booking platform, indian rupees without decimals',
    { date: '2018-05-31', total: 1939, id: 'HBKG4417', currency: 'INR', buyer: 'Ananya Iyer' },
    page(
      `<div class=f><b style="font-size:18pt">ROOMLY</b><div class=r>Booking ID<br><b>HBKG4417</b></div></div><p>Date: May 31, 2018</p><p>Thanks for staying with us, Ananya Iyer</p><table><tr><td>Check in<td>Check out<td>Guests</tr><tr><td>30 May 2018<td>31 May 2018<td>2 Guests, 1 Room</table><br><table><tr><th>Guest name<td>Ananya Iyer<tr><th>Hotel<td>Roomly Premium Banjara Hills, Hyderabad 500034</table><br><table><tr><td>Room tariff (1 Room x 1 Night)<td class=r>₹ 1731<tr><td>CGST @6%<td class=r>₹ 104<tr><td>SGST @6%<td class=r>₹ 104<tr><td><b>Grand Total</b><td class=r><b>₹ 1939</b><tr><td>Amount paid<td class=r>₹ 1939<tr><td>Balance<td class=r>₹ 0</table><p>INVOICE issued by Roomly Hospitality Private Limited GSTIN 36AABCR1234Q1Z5</p>`,
    ),
  ),
  drawn(
    'fiber operator, plain letter with one total line',
    { date: '2016-11-04', total: 29.99, id: '677120988', currency: 'EUR', tax: 5, subtotal: 24.99 },
    { emit: 'runs', order: 'reverse' },
    `
60 b18: 40 fibreo
100: 40 M. Paul ETIENNE
+12: 40 3 RUE DES LILAS
+12: 40 69100 VILLEURBANNE
160: 40 Ligne téléphonique n° : 0912345678
+12: 40 Identifiant : fo1234567
200 b: 40 Facture n°677120988 du 4 novembre 2016
230: 40 Désignation | 380r Total HT | 460r TVA | 555r Total TTC
+14: 40 Forfait Fibreo Révolution du 04/11/16 au 03/12/16 | 380r 24.99 | 460r 5.00 | 555r 29.99
+24 b: 40 Total facture | 380r 24.99 | 460r 5.00 | 555r 29.99
+20: 40 Total à payer | 555r 29.99 Euros
+13: 40 Cette somme sera prélevée le 10/11/2016
`,
  ),
  drawn(
    'press subscription, number and date in one line',
    {
      date: '2017-01-12',
      total: 118.8,
      id: '33120',
      currency: 'EUR',
      subtotal: 116.36,
      tax: 2.44,
      merchant: 'Presse Directe SAS',
      buyer: 'Cabinet dentaire Morel',
    },
    { emit: 'glyphs' },
    `
50 b13: 40 Presse Directe SAS
+12: 40 45 avenue du Général Leclerc 92100 Boulogne
120: 330 Cabinet dentaire Morel
+12: 330 2 place de la République
+12: 330 72000 Le Mans
190 b12: 40 FACTURE N° 33120 - Le 12/01/2017 - Client 90112
230 b8: 40 Titre | 300r Nb n° | 380r Durée | 460r TVA % | 555r Prix TTC
+14: 40 Gala - abonnement 1 an | 300r 52 | 380r 12 mois | 460r 2,10 | 555r 118,80
290: 400 Total HT | 555r 116,36
+12: 400 TVA 2,10 % | 555r 2,44
+14 b: 400 TOTAL TTC en Euros | 555r 118,80
`,
  ),
  drawn(
    'droplet hosting, us date long, amount in words of period',
    {
      date: '2022-08-01',
      total: 42.35,
      id: '451233907',
      currency: 'USD',
      subtotal: 35,
      tax: 7.35,
      merchant: 'Tidal Cloud LLC',
      buyer: 'Joris Maes',
    },
    { emit: 'words' },
    `
50 b16: 40 Final invoice for the July 2022 billing period
80: 40 From | 330 Details
+13: 40 Tidal Cloud LLC | 330 Invoice number: | 470 451233907
+12: 40 101 Avenue of the Americas | 330 Date of issue: | 470 August 1, 2022
+12: 40 New York, NY 10013 | 330 Payment due on: | 470 August 1, 2022
+20: 40 For
+13: 40 Joris Maes
+12: 40 Kerkstraat 5, 2000 Antwerpen, Belgium
220 b12: 40 Summary
+16: 40 Total usage charges | 555r $35.00
+13: 40 Subtotal | 555r $35.00
+13: 40 VAT (21%) | 555r $7.35
+16 b: 40 Total due | 555r $42.35
+18 8: 40 If you have a credit card on file, it will be automatically charged within 24 hours
300 b12: 40 Product usage charges
+14: 40 Droplets | 555r $28.00
+12: 60 web-01 (s-2vcpu-4gb) | 340 07-01 00:00 | 420 08-01 00:00 | 555r $28.00
+12: 40 Volumes | 555r $7.00
`,
  ),
  drawn(
    'german dedicated server host, label value pairs without colon',
    {
      date: '2024-02-03',
      total: 53.43,
      id: 'R0020114877',
      currency: 'EUR',
      subtotal: 44.9,
      tax: 8.53,
      merchant: 'Falkenhost Online GmbH',
      buyer: 'Webagentur Küstennebel',
    },
    { emit: 'kerned', font: 'subset' },
    `
45 b18: 555r FALKENHOST
110 6: 40 Falkenhost Online GmbH | 150 Industriestr. 25 | 240 91710 Gunzenhausen
128: 40 Webagentur Küstennebel
+12: 40 Jan Thoms
+12: 40 Hafenstr. 8
+12: 40 18439 Stralsund
128 8: 400 Rechnungsnr.: | 480 R0020114877
+11 8: 400 Kundennr.: | 480 K0447712024
+11 8: 400 Datum: | 480 03.02.2024
+11 8: 400 Fällig: | 480 10.02.2024
220 b13: 40 Rechnung
250 b8: 40 Server | 250r Menge | 380r Einzelpreis (netto) | 555r Gesamt (netto)
+14: 40 AX41-NVMe #1884210 | 250r 1 | 380r 39,90 € | 555r 39,90 €
+12: 40 Primary IPv4 | 250r 5 | 380r 1,00 € | 555r 5,00 €
310: 400 Zwischensumme (netto) | 555r 44,90 €
+12: 400 Umsatzsteuer (19%) | 555r 8,53 €
+14 b: 400 Zu zahlender Betrag | 555r 53,43 €
`,
  ),
  printed(
    'ride invoice issued on behalf of a driver',
    {
      date: '2023-09-22',
      total: 18.4,
      id: 'KQWERTZX-03-2023-0000412',
      currency: 'EUR',
      tax: 1.2,
      subtotal: 17.2,
      buyer: 'Elif Kaya',
    },
    page(
      `<div class=f><h2>Invoice</h2><div class=r>Issued on behalf of<br>Mietwagen Berlin Ost GmbH</div></div><table><tr><td>Elif Kaya<br>Sonnenallee 40<br>12045 Berlin<td class=r>Invoice number: KQWERTZX-03-2023-0000412<br>Invoice date: 22 September 2023</table><br><table><tr><th>Tax Point Date<th>Description<th class=r>Qty<th class=r>VAT<th class=r>VAT amount<th class=r>Net amount</tr><tr><td>22 September 2023<td>Transportation service fare<td class=r>1<td class=r>7%<td class=r>1.20<td class=r>€17.20</table><table style="width:45%;margin-left:55%"><tr><td>Total net amount<td class=r>€17.20<tr><td>Total VAT 7%<td class=r>€1.20<tr><td><b>Total amount payable</b><td class=r><b>€18.40</b></table>`,
    ),
  ),
  drawn(
    'indian broadband tax invoice, charges box',
    {
      date: '2021-09-07',
      total: 943,
      id: 'MH2209113388',
      currency: 'INR',
      buyer: 'MR. VIKRAM SHINDE',
    },
    { emit: 'runs', space: 'scaled' },
    `
40 b12: 300c TAX INVOICE
60 b14: 40 SkyNet Broadband Ltd.
+11 7: 40 GSTIN: 27AAACS8577K2ZO | 200 PAN: AAACS8577K
90: 40 MR. VIKRAM SHINDE
+11: 40 Flat 12, Sai Krupa, Baner Road
+11: 40 Pune 411045
90 8: 360 Bill no | 450 : MH2209113388
+11 8: 360 Bill date | 450 : 07-SEP-2021
+11 8: 360 Bill period | 450 : 06-AUG-2021 to 05-SEP-2021
+11 8: 360 Due date | 450 : 22-SEP-2021
+11 8: 360 Account no | 450 : 20018833411
180 b8: 40 Previous balance | 150 Payments received | 260 Charges this month | 380 Amount due | 480 Amount after due date
+13 b: 40 943.00 | 150 943.00 | 260 943.00 | 380 943.00 | 480 1043.00
230 b: 40 This month's charges
+13: 40 Monthly rental | 555r 799.00
+12: 40 CGST 9% | 555r 71.91
+12: 40 SGST 9% | 555r 71.91
+12: 40 Rounding | 555r 0.18
+14 b: 40 Total | 555r 943.00
`,
  ),
  printed(
    'british train and energy style: amounts column with CR, we charge you',
    {
      date: '2022-05-11',
      total: 64.15,
      id: '0091 4471 20',
      currency: 'GBP',
      tax: 3.05,
      merchant: 'Fenland Water Services Ltd',
    },
    page(
      `<div class=f><b style="font-size:16pt">Fenland Water</b><table style="width:45%"><tr><td>Customer number<td class=r>7710 2288 1<tr><td>Invoice number<td class=r>0091 4471 20<tr><td>Date of this bill<td class=r>11 May 2022</table></div><p>Ms R Patel<br>4 Mill Lane<br>Ely CB7 4AA</p><h3>Your bill summary</h3><table><tr><td>Balance from last bill<td class=r>£58.20<tr><td>What you've paid since<td class=r>£58.20 CR<tr><td>Water charges (1 Feb 2022 to 30 Apr 2022)<td class=r>£61.10<tr><td>VAT at 5.00%<td class=r>£3.05<tr><td><b>Please pay this amount</b><td class=r><b>£64.15</b></table><p>Payment due by 25 May 2022</p><p style="font-size:7pt">Fenland Water Services Ltd. Registered in England No. 02366651</p>`,
    ),
  ),
  drawn(
    'dutch cable operator, table of periods, eur in front',
    {
      date: '2021-12-01',
      total: 72.45,
      id: '7140088123',
      currency: 'EUR',
      tax: 12.57,
      merchant: 'Kabelland B.V.',
      buyer: 'Dhr. P. Jansen',
    },
    { emit: 'padded', order: 'columns' },
    `
50 b20: 40 Kabelland
110: 40 Dhr. P. Jansen
+12: 40 Beukenlaan 12
+12: 40 5616 VD Eindhoven
110: 360 Klantnummer | 470 1188.2270.01
+12: 360 Factuurnummer | 470 7140088123
+12: 360 Datum | 470 1 december 2021
+12: 360 Incassodatum | 470 omstreeks 10 december 2021
210 b12: 40 Uw factuur
+18 b8: 40 Omschrijving | 280 Periode | 555r Bedrag incl. btw
+13: 40 Internet Max | 280 1 dec t/m 31 dec | 555r EUR 57,50
+12: 40 TV Standaard | 280 1 dec t/m 31 dec | 555r EUR 14,95
+18 b: 40 Totaal te betalen | 555r EUR 72,45
+12: 40 Btw 21% (over EUR 59,88) | 555r EUR 12,57
700 7: 40 Kabelland B.V., Postbus 43048, 3540 AA Utrecht, K.v.K. 30124542
`,
  ),
  drawn(
    'software licence quote-like order confirmation invoice, japanese vendor in english',
    {
      date: '2023-02-28',
      total: 132000,
      id: 'JP23-00781',
      currency: 'JPY',
      subtotal: 120000,
      tax: 12000,
      merchant: 'Hoshizora Soft K.K.',
      buyer: 'Maple Trading Co., Ltd.',
    },
    { emit: 'words' },
    `
50 b18: 297c INVOICE
90: 40 Maple Trading Co., Ltd. | 360 Invoice No.: JP23-00781
+12: 40 3-2-1 Minato, Yokohama | 360 Issue date: 2023/02/28
+24: 360 Hoshizora Soft K.K.
+12: 360 1-1-2 Otemachi, Chiyoda-ku, Tokyo 100-0004
+12: 360 Registration No. T1234567890123
190 b11: 40 Total amount due | 200 ¥132,000
230 b8: 40 Item | 330r Qty | 430r Unit price | 555r Amount (JPY)
+13: 40 Annual licence | 330r 10 | 430r 12,000 | 555r 120,000
280: 400 Subtotal | 555r 120,000
+12: 400 Consumption tax (10%) | 555r 12,000
+14 b: 400 Total | 555r ¥132,000
+24: 40 Payment due: 2023/03/31
`,
  ),
  printed(
    'marketplace fee invoice, statement of fees, us',
    {
      date: '2020-04-30',
      total: 87.12,
      id: 'LX-2020-04-552188',
      currency: 'USD',
      merchant: 'Craftlane, Inc.',
      buyer: 'Moss Hollow Pottery',
    },
    page(
      `<table><tr><td><b>Craftlane, Inc.</b><br>117 Adams Street<br>Brooklyn, NY 11201<td class=r><b>Billing statement</b><br>Invoice: LX-2020-04-552188<br>Invoice Date: Apr 30, 2020<br>Statement period: Apr 1 – Apr 30, 2020</table><p>Bill to: Moss Hollow Pottery, 9 Creek Rd, Asheville, NC 28801</p><table><tr><th>Fees<th class=r>Amount</tr><tr><td>Listing fees (31)<td class=r>$6.20<tr><td>Transaction fees<td class=r>$55.40<tr><td>Payment processing fees<td class=r>$27.02<tr><td>Credits<td class=r>-$1.50<tr><td>Sales tax<td class=r>$0.00<tr><td><b>Fees total for April 2020</b><td class=r><b>$87.12</b></table><p>Opening balance $0.00 &nbsp; Payments -$87.12 &nbsp; Closing balance $0.00</p>`,
    ),
  ),
  drawn(
    'spanish electricity, resumen box and dotted lines',
    {
      date: '2022-02-17',
      total: 81.26,
      id: '21220217010044871',
      currency: 'EUR',
      merchant: 'Luz Ibérica Comercializadora S.L.',
      buyer: 'ANTONIO GARCÍA LÓPEZ',
    },
    { emit: 'runs', font: 'subset' },
    `
45 b13: 40 Luz Ibérica Comercializadora S.L.
+12 7: 40 CIF B87654321 · Paseo de la Castellana 100, 28046 Madrid
90 b9: 40 DATOS DE LA FACTURA | 330 DATOS DEL TITULAR
+13: 40 Nº factura: 21220217010044871 | 330 ANTONIO GARCÍA LÓPEZ
+12: 40 Fecha emisión factura: 17/02/2022 | 330 C/ OLMO 7, 2 D
+12: 40 Periodo de consumo: 14/01/2022 a 13/02/2022 | 330 45003 TOLEDO
+12: 40 Fecha de cargo: 24 de febrero de 2022 | 330 NIF: 03812345B
180 b11: 40 RESUMEN DE LA FACTURA
+15: 40 Por potencia contratada ..................... | 300r 12,40 €
+12: 40 Por energía consumida ....................... | 300r 58,77 €
+12: 40 Impuesto electricidad ....................... | 300r 0,36 €
+12: 40 Alquiler equipos de medida .................. | 300r 0,81 €
+12: 40 IVA reducido 10% de 73,87 .................... | 300r 7,39 €
+12: 40 Otros ......................................... | 300r 1,53 €
+16 b11: 40 TOTAL IMPORTE FACTURA ............ | 300r 81,26 €
`,
  ),
  drawn(
    'italian professional, parcella with ritenuta',
    {
      date: '2023-10-09',
      total: 1268.8,
      id: '31',
      currency: 'EUR',
      merchant: 'Studio Legale Avv. Bianca Moretti',
      buyer: 'Ceramiche Faenza S.n.c.',
    },
    { emit: 'kerned' },
    `
50 b13: 40 Studio Legale Avv. Bianca Moretti
+12: 40 Via Zamboni 8, 40126 Bologna - P.IVA 03214560372
110: 350 Spett.le Ceramiche Faenza S.n.c.
+12: 350 Via Firenze 60
+12: 350 48018 Faenza (RA)
180 b12: 40 Fattura n. 31 del 9 ottobre 2023
220: 40 Assistenza stragiudiziale | 555r 1.000,00
+13: 40 Contributo integrativo CPA 4% | 555r 40,00
+13: 40 Imponibile | 555r 1.040,00
+13: 40 IVA 22% | 555r 228,80
+13 b: 40 Totale fattura | 555r 1.268,80
+13: 40 Ritenuta d'acconto 20% | 555r -200,00
+14 b: 40 Netto a pagare | 555r € 1.068,80
`,
  ),
]
