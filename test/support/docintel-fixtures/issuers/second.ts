/**
 * A second set of issuers, written before the faults of the first were mended. Scored unseen: totals
 * 19, dates 20, numbers 15 of 20. What it showed has been mended since, so it is seen now.
 */
import { drawn, printed, sheet, type IssuerFixture } from './types.ts'

const page = sheet({ marginMm: 12, font: '9.5pt "DejaVu Sans"', cellPadding: '2px 5px' })

export const SECOND: readonly IssuerFixture[] = [
  drawn(
    'us telecom, account summary with previous charges',
    {
      date: '2021-05-19',
      total: 131.42,
      id: '9877123344',
      currency: 'USD',
      merchant: 'Cascade Wireless',
      buyer: 'JENNIFER COLE',
    },
    { emit: 'words', page: [612, 792], order: 'shuffled' },
    `
50 b20: 40 Cascade Wireless
60 8: 430 Account number | 572r 44-7719-0032
+11 8: 430 Invoice number | 572r 9877123344
+11 8: 430 Issued | 572r May 19, 2021
+11 8: 430 Billing period | 572r Apr 20 - May 19
110: 40 JENNIFER COLE
+12: 40 1821 NE ALBERTA ST
+12: 40 PORTLAND, OR 97211-5804
180 b12: 40 Hello Jennifer, here's your bill for May
205: 40 Previous balance | 300r $128.90
+13: 40 Payment - thank you! May 2 | 300r -$128.90
+13: 40 Monthly charges May 20 - Jun 19 | 300r $115.00
+13: 40 Taxes and government fees | 300r $9.77
+13: 40 Surcharges | 300r $6.65
+18 b12: 40 Total amount due Jun 10 | 300r $131.42
330 8: 40 AutoPay is scheduled for June 8, 2021
`,
  ),
  drawn(
    'german craftsman, sums in a footer table, rotated margin',
    {
      date: '2018-09-06',
      total: 833,
      id: '18-0932',
      currency: 'EUR',
      subtotal: 700,
      tax: 133,
      merchant: 'Sanitär Obermaier',
      buyer: 'WEG Ahornweg 7',
    },
    { emit: 'runs', space: 'scaled' },
    `
45 b16: 40 Sanitär Obermaier
+13: 40 Meisterbetrieb · Heizung · Bad
110 6: 40 Sanitär Obermaier · Talstr. 2 · 83646 Bad Tölz
128: 40 WEG Ahornweg 7
+12: 40 c/o Hausverwaltung Lechner
+12: 40 Marktstraße 30
+12: 40 83646 Bad Tölz
128: 380 Rechnungs-Nr. | 480 18-0932
+12: 380 Datum | 480 06.09.2018
+12: 380 Auftrag | 480 A18-2210
+12: 380 Ausführung | 480 27.08. - 29.08.2018
220 b13: 40 RECHNUNG
250 b8: 40 Pos | 80 Menge | 120 Einheit | 180 Leistung | 470r EP | 555r GP
+14: 40 01 | 80 8,00 | 120 Std | 180 Monteur, Austausch Umwälzpumpe | 470r 52,50 | 555r 420,00
+13: 40 02 | 80 1,00 | 120 Stk | 180 Hocheffizienzpumpe 25-60 | 470r 280,00 | 555r 280,00
330 b8: 40 Nettosumme | 200 MwSt-Satz | 320 MwSt-Betrag | 460 Rechnungsbetrag
+12: 40 700,00 EUR | 200 19,00 % | 320 133,00 EUR | 460 833,00 EUR
380: 40 Bei Zahlung innerhalb 8 Tagen gewähren wir 2% Skonto = 816,34 EUR.
500 7v: 20 Freistellungsbescheinigung des Finanzamts liegt vor
800 7: 40 Sparkasse Bad Tölz IBAN DE22 7005 4306 0000 1234 56 | 400 Steuernummer 139/256/40011
`,
  ),
  drawn(
    'french avoir',
    {
      date: '2022-02-28',
      total: -89.4,
      id: 'AV-2202-014',
      currency: 'EUR',
      merchant: 'Papeterie Lacombe SAS',
      buyer: 'Lycée Jean Moulin',
    },
    { emit: 'kerned' },
    `
50 b14: 40 Papeterie Lacombe SAS
+12: 40 12 rue de Metz, 31000 Toulouse
60 b16: 450 AVOIR
+20: 400 N° AV-2202-014
+12: 400 Date : 28/02/2022
+12: 400 Facture d'origine : FA-2201-377
130: 330 Lycée Jean Moulin
+12: 330 Service intendance
+12: 330 31600 Muret
220 b8: 40 Désignation | 330r Qté | 420r Prix HT | 555r Total HT
+14: 40 Ramettes A4 80 g (retour) | 330r -20 | 420r 3,725 | 555r -74,50
280: 400 Total HT | 555r -74,50 €
+12: 400 TVA 20 % | 555r -14,90 €
+14 b: 400 Total TTC | 555r -89,40 €
`,
  ),
  drawn(
    'flemish garage, label over value in boxes',
    {
      date: '2020-01-17',
      total: 302.5,
      id: 'F2020/00118',
      currency: 'EUR',
      subtotal: 250,
      tax: 52.5,
      merchant: 'Garage Vandeputte BV',
      buyer: 'Lies Claes',
    },
    { emit: 'runs', order: 'columns' },
    `
45 b15: 40 Garage Vandeputte BV
+12: 40 Gentsesteenweg 210 - 9300 Aalst
+11: 40 BE 0456.789.123
110: 360 Lies Claes
+12: 360 Molenstraat 4
+12: 360 9310 Moorsel
180 b7: 40 FACTUUR | 150 DATUM | 240 NUMMERPLAAT | 340 KM-STAND | 440 VERVALDATUM
+12: 40 F2020/00118 | 150 17/01/2020 | 240 1-ABC-234 | 340 88.412 | 440 16/02/2020
230 b8: 40 Omschrijving | 380r Aantal | 460r Eenheidsprijs | 555r Bedrag
+13: 40 Groot onderhoud | 380r 1 | 460r 180,00 | 555r 180,00
+12: 40 Remblokken vooraan | 380r 1 | 460r 70,00 | 555r 70,00
320: 400 Totaal excl. btw | 555r 250,00
+12: 400 Btw 21% | 555r 52,50
+12 b: 400 Te betalen | 555r € 302,50
`,
  ),
  drawn(
    'italian utility, total in the head, page two details',
    {
      date: '2021-09-10',
      total: 148.33,
      id: '4102993817',
      currency: 'EUR',
      merchant: 'Luce Adriatica S.p.A.',
      buyer: 'ROSSI CARLA',
    },
    { emit: 'words', font: 'subset' },
    `
45 b18: 40 luce adriatica
60 7: 40 Luce Adriatica S.p.A. - Via Marina 3, 60121 Ancona - P.IVA 01234560420
110: 330 ROSSI CARLA
+12: 330 VIA GARIBALDI 15
+12: 330 62100 MACERATA MC
110 b8: 40 Bolletta n.
+11: 40 4102993817
+14 b8: 40 Data di emissione
+11: 40 10 settembre 2021
+14 b8: 40 Periodo di riferimento
+11: 40 01/07/2021 - 31/08/2021
+14 b8: 40 Codice cliente
+11: 40 800112938
250 b10: 40 Totale da pagare | 200 Entro il
+16 b16: 40 148,33 € | 200 30/09/2021
310: 40 Spesa per la materia energia | 300r 71,10 €
+12: 40 Spesa per il trasporto e la gestione del contatore | 300r 29,42 €
+12: 40 Spesa per oneri di sistema | 300r 21,06 €
+12: 40 Imposte e IVA | 300r 26,75 €
---
50 b11: 40 Dettaglio della bolletta n. 4102993817
70: 40 Quota fissa | 300r 18,00 €
+12: 40 Quota energia | 300r 53,10 €
`,
  ),
  drawn(
    'spanish services, IRPF withheld',
    {
      date: '2023-03-31',
      total: 1060,
      id: '2023-07',
      currency: 'EUR',
      subtotal: 1000,
      merchant: 'Núria Casals Vidal',
      buyer: 'Editorial Ponent S.L.',
    },
    { emit: 'runs' },
    `
50 b14: 40 Núria Casals Vidal
+12: 40 Traductora jurada · NIF 40345678X
+12: 40 Carrer Major 12, 17001 Girona
60 b16: 555r FACTURA
+18: 400 Número: | 555r 2023-07
+12: 400 Fecha: | 555r 31/03/2023
140 b8: 40 Facturar a:
+12: 40 Editorial Ponent S.L.
+12: 40 Calle Lepanto 20, 08013 Barcelona
+12: 40 CIF B65123456
220 b8: 40 Concepto | 380r Palabras | 460r Tarifa | 555r Importe
+13: 40 Traducción alemán-español | 380r 10.000 | 460r 0,10 € | 555r 1.000,00 €
290: 380 Base imponible | 555r 1.000,00 €
+12: 380 IVA 21 % | 555r 210,00 €
+12: 380 Retención IRPF 15 % | 555r -150,00 €
+14 b: 380 Total a percibir | 555r 1.060,00 €
`,
  ),
  drawn(
    'polish telecom, numbers with spaces',
    {
      date: '2022-07-04',
      total: 98.4,
      id: 'F0064412889/007/22',
      currency: 'PLN',
      subtotal: 80,
      tax: 18.4,
      merchant: 'Telmax Polska S.A.',
      buyer: 'Jan Wójcik',
    },
    { emit: 'kerned', font: 'subset' },
    `
45 b16: 40 Telmax
60 7: 40 Telmax Polska S.A., ul. Prosta 5, 00-838 Warszawa, NIP 5261040567
110: 330 Jan Wójcik
+12: 330 ul. Długa 8 m. 4
+12: 330 80-827 Gdańsk
110: 40 Faktura VAT nr
+12 b: 40 F0064412889/007/22
+14: 40 data wystawienia: 4 lipca 2022
+12: 40 termin płatności: 18 lipca 2022
+12: 40 numer klienta: 1.2299381
220 b11: 40 Podsumowanie | 400r netto | 470r VAT 23% | 555r brutto
+14: 40 Abonament 04.07-03.08.2022 | 400r 65,00 | 470r 14,95 | 555r 79,95
+12: 40 Rozmowy międzynarodowe | 400r 15,00 | 470r 3,45 | 555r 18,45
+14 b: 40 Razem | 400r 80,00 | 470r 18,40 | 555r 98,40
+24 b12: 40 Do zapłaty | 555r 98,40 zł
`,
  ),
  drawn(
    'swedish consultancy, english and swedish labels',
    {
      date: '2023-10-31',
      total: 46875,
      id: '2310-07',
      currency: 'SEK',
      subtotal: 37500,
      tax: 9375,
      merchant: 'Nordanvind Konsult AB',
      buyer: 'Skärgårdsbolaget AB',
    },
    { emit: 'glyphs' },
    `
50 b18s3: 40 FAKTURA
50 b12: 555r Nordanvind Konsult AB
90: 40 Fakturanr / Invoice no | 200 2310-07
+12: 40 Fakturadatum / Date | 200 2023-10-31
+12: 40 Förfallodatum / Due date | 200 2023-11-30
90: 360 Skärgårdsbolaget AB
+12: 360 Strandvägen 7
+12: 360 114 56 Stockholm
180 b8: 40 Beskrivning | 350r Timmar | 440r Pris/tim | 555r Summa SEK
+13: 40 Systemutveckling oktober | 350r 30 | 440r 1 250,00 | 555r 37 500,00
260: 400 Summa exkl. moms | 555r 37 500,00
+12: 400 Moms 25% | 555r 9 375,00
+14 b: 400 Att betala | 555r 46 875,00 kr
780 7: 40 Org.nr 559123-4567 | 200 Momsreg.nr SE559123456701 | 400 Bankgiro 123-4567
`,
  ),
  drawn(
    'airline ticket receipt invoice',
    {
      date: '2019-02-26',
      total: 412.18,
      id: '2203399887711',
      currency: 'EUR',
      merchant: 'Baltic Wings AS',
    },
    { emit: 'padded' },
    `
50 b14: 40 Baltic Wings AS
+12: 40 Tehnika 2, Marupe, LV-1053, Latvia | 400 Invoice
100: 40 Invoice number | 180 2203399887711
+12: 40 Invoice date | 180 26FEB2019
+12: 40 Passenger | 180 OZOLS/MARTINS MR
+12: 40 Booking reference | 180 X4KL9P
170 b: 40 Flight | 120 Date | 200 From / To | 330 Class | 555r Amount EUR
+13: 40 BT 691 | 120 14MAR2019 | 200 Riga - London Gatwick | 330 Y | 555r 175.00
+12: 40 BT 692 | 120 18MAR2019 | 200 London Gatwick - Riga | 330 Y | 555r 160.00
+16: 330 Fare | 555r 335.00
+12: 330 Taxes, fees and charges | 555r 77.18
+14 b: 330 Total | 555r 412.18
+12: 330 Form of payment: CCVI XXXXXXXXXXXX1128
`,
  ),
  drawn(
    'brazilian fatura de serviços',
    {
      date: '2022-08-15',
      total: 1850,
      id: '000.004.417',
      currency: 'BRL',
      merchant: 'Nuvem Sul Hospedagem Ltda',
      buyer: 'Padaria Trigo Bom Ltda',
    },
    { emit: 'runs' },
    `
50 b13: 40 Nuvem Sul Hospedagem Ltda
+12: 40 Av. Ipiranga 1200, Porto Alegre - RS
+12: 40 CNPJ 12.345.678/0001-95
55 b12: 400 FATURA Nº 000.004.417
+14: 400 Emissão: 15/08/2022
+12: 400 Vencimento: 25/08/2022
140 b8: 40 Cliente
+12: 40 Padaria Trigo Bom Ltda
+12: 40 CNPJ 98.765.432/0001-10
200 b8: 40 Descrição dos serviços | 400r Qtde | 470r Valor unit. | 555r Valor total
+13: 40 Servidor dedicado - agosto | 400r 1 | 470r 1.500,00 | 555r 1.500,00
+12: 40 Backup gerenciado | 400r 1 | 470r 350,00 | 555r 350,00
270: 400 Subtotal | 555r R$ 1.850,00
+12: 400 Descontos | 555r R$ 0,00
+14 b: 400 TOTAL A PAGAR | 555r R$ 1.850,00
`,
  ),
  drawn(
    'south african statement-like tax invoice',
    {
      date: '2023-06-30',
      total: 4025,
      id: 'INV10388',
      currency: 'ZAR',
      subtotal: 3500,
      tax: 525,
      merchant: 'Karoo Fencing (Pty) Ltd',
      buyer: 'Blouberg Guest Farm',
    },
    { emit: 'words' },
    `
50 b14: 40 Karoo Fencing (Pty) Ltd
+12: 40 VAT No: 4180223344
60 b14: 440 TAX INVOICE
100 b8: 40 From | 220 To | 400 Document details
+12: 40 Karoo Fencing (Pty) Ltd | 220 Blouberg Guest Farm | 400 Number: INV10388
+12: 40 14 Voortrekker Road | 220 PO Box 77 | 400 Date: 30/06/2023
+12: 40 Beaufort West 6970 | 220 Blouberg 7441 | 400 Page: 1/1
+12: 220 VAT No: 4990112233 | 400 Reference: PO 551
+12: 400 Due date: 30/07/2023
200 b8: 40 Description | 300r Quantity | 370r Excl. price | 420r Disc % | 470r VAT % | 555r Incl. total
+13: 40 Game fence, per metre | 300r 100.00 | 370r R35.00 | 420r 0.00% | 470r 15.00% | 555r R4,025.00
280: 400 Total discount: | 555r R0.00
+12: 400 Total exclusive: | 555r R3,500.00
+12: 400 Total VAT: | 555r R525.00
+12: 400 Sub total: | 555r R4,025.00
+16 b: 400 Grand total: | 555r R4,025.00
+12: 400 Balance due: | 555r R4,025.00
`,
  ),
  drawn(
    'romanian factura fiscala',
    {
      date: '2022-12-05',
      total: 1190,
      id: '20871',
      currency: 'RON',
      subtotal: 1000,
      tax: 190,
      merchant: 'Carpatica Media SRL',
      buyer: 'Hotel Predeal SRL',
    },
    { emit: 'runs', font: 'subset' },
    `
50 b14: 250 FACTURA FISCALA
+14: 250 Seria CM nr. 20871
+12: 250 Data (zi/luna/an): 05.12.2022
100 b8: 40 Furnizor: | 380 Cumparator:
+12: 40 Carpatica Media SRL | 380 Hotel Predeal SRL
+12: 40 Reg. com.: J08/123/2015 | 380 Reg. com.: J08/456/2001
+12: 40 CIF: RO34567890 | 380 CIF: RO12345678
+12: 40 Str. Lungă 10, Brașov | 380 Bd. Săulescu 3, Predeal
200 b8: 40 Nr. crt. | 80 Denumirea produselor sau a serviciilor | 300r U.M. | 350r Cant. | 420r Pret unitar | 490r Valoare | 555r Valoare TVA
+14: 40 1 | 80 Campanie publicitară noiembrie | 300r buc | 350r 1 | 420r 1000,00 | 490r 1000,00 | 555r 190,00
300: 420 Total | 490r 1000,00 | 555r 190,00
+14 b: 380 Total de plată | 555r 1190,00 lei
`,
  ),
  printed(
    'saas in pounds, table head labels',
    {
      date: '2024-01-03',
      total: 95.88,
      id: 'PK-88213',
      currency: 'GBP',
      subtotal: 79.9,
      tax: 15.98,
      merchant: 'Parcelkit Ltd',
      buyer: 'Willow & Thread',
    },
    page(
      `<div class=f><b style="font-size:20pt">parcelkit</b><div class=r>Parcelkit Ltd<br>Unit 4, Spike Island<br>Bristol BS1 6UX<br>VAT GB 334 5566 77</div></div><h2>VAT invoice</h2><table><tr><th>Invoice no.<th>Tax point<th>Customer<th>Plan</tr><tr><td>PK-88213<td>3 January 2024<td>Willow &amp; Thread<td>Growth</table><br><table><tr><th>Service<th>Period<th class=r>Net<th class=r>VAT<th class=r>Gross</tr><tr><td>Growth plan<td>03/01/2024 – 02/02/2024<td class=r>£59.90<td class=r>£11.98<td class=r>£71.88<tr><td>Label credits x 200<td>03/01/2024<td class=r>£20.00<td class=r>£4.00<td class=r>£24.00<tr><td><b>Totals</b><td><td class=r>£79.90<td class=r>£15.98<td class=r><b>£95.88</b></table><p>Paid by card ending 0043 on 3 January 2024. No further action needed.</p>`,
    ),
  ),
  printed(
    'german web shop, order mail style',
    {
      date: '2021-12-15',
      total: 64.9,
      id: 'RG2021-99812',
      currency: 'EUR',
      tax: 10.36,
      merchant: 'Wollwerk Versand e.K.',
      buyer: 'Hanna Siebert',
    },
    page(
      `<table><tr><td><h2>Wollwerk Versand</h2>Inh. Petra Dorn<td class=r>Rechnung RG2021-99812<br>vom 15.12.2021<br>Bestellung #100871 vom 13.12.2021</table><p>Lieferung und Rechnung an:<br><b>Hanna Siebert</b><br>Gartenstr. 41<br>50672 Köln</p><table><tr><th>Anzahl<th>Artikel<th class=r>Einzelpreis<th class=r>Summe</tr><tr><td>6<td>Merinogarn petrol, 50 g<td class=r>8,50 €<td class=r>51,00 €<tr><td>1<td>Rundstricknadel 4,0<td class=r>8,95 €<td class=r>8,95 €<tr><td><td>Versandkosten<td class=r><td class=r>4,95 €<tr><td colspan=3 class=r>Gesamtsumme inkl. MwSt.<td class=r><b>64,90 €</b><tr><td colspan=3 class=r>darin enthaltene MwSt. 19 %<td class=r>10,36 €</table><p>Zahlungsart: PayPal. Der Betrag wurde bereits beglichen.</p><p style="font-size:7pt">Wollwerk Versand e.K., Rosenweg 8, 27283 Verden, USt-ID DE245678901</p>`,
    ),
  ),
  printed(
    'us agency, hours and retainer, us dates',
    {
      date: '2023-07-05',
      total: 3150,
      id: 'INV-000214',
      currency: 'USD',
      subtotal: 4150,
      merchant: 'Bright Fern Studio',
      buyer: 'Oak & Anvil Brewing',
    },
    page(
      `<div class=f><div><h1 style="letter-spacing:4px">INVOICE</h1><b># INV-000214</b></div><div class=r><b>Bright Fern Studio</b><br>411 W 6th St<br>Austin TX 78701<br>U.S.A</div></div><div class=r style="margin:14px 0">Balance Due<br><b style="font-size:15pt">$3,150.00</b></div><div class=f><div>Bill To<br><b>Oak &amp; Anvil Brewing</b><br>Denver CO 80205</div><table style="width:45%"><tr><td class=r>Invoice Date :<td class=r>07/05/2023<tr><td class=r>Terms :<td class=r>Net 15<tr><td class=r>Due Date :<td class=r>07/20/2023</table></div><br><table><tr style="background:#333;color:#fff"><th>#<th>Item &amp; Description<th class=r>Qty<th class=r>Rate<th class=r>Amount</tr><tr><td>1<td>Brand workshop<td class=r>10.00<td class=r>175.00<td class=r>1,750.00<tr><td>2<td>Label artwork<td class=r>16.00<td class=r>150.00<td class=r>2,400.00</table><table style="width:45%;margin-left:55%"><tr><td class=r>Sub Total<td class=r>4,150.00<tr><td class=r>Retainer applied<td class=r>(-) 1,000.00<tr><td class=r><b>Total</b><td class=r><b>$3,150.00</b><tr><td class=r>Balance Due<td class=r>$3,150.00</table>`,
    ),
  ),
  printed(
    'dutch freelancer, amounts with dash cents',
    {
      date: '2022-05-30',
      total: 1573,
      id: '2022031',
      currency: 'EUR',
      subtotal: 1300,
      tax: 273,
      merchant: 'Studio Tegenwind',
      buyer: 'Gemeente Zwolle',
    },
    page(
      `<h1>Studio Tegenwind</h1><p>Oude Vest 7, 2312 XP Leiden · KvK 61234567 · btw-id NL001987654B44</p><p>Aan:<br>Gemeente Zwolle<br>t.a.v. crediteurenadministratie<br>Postbus 538<br>8000 AM Zwolle</p><h3>Factuur</h3><table style="width:50%"><tr><td>Factuurnummer<td>: 2022031<tr><td>Factuurdatum<td>: 30 mei 2022<tr><td>Uw kenmerk<td>: PO 8812</table><br><table><tr><th>Werkzaamheden<th class=r>Uren<th class=r>Tarief<th class=r>Totaal</tr><tr><td>Ontwerp wandelroutekaart<td class=r>20<td class=r>€ 65,-<td class=r>€ 1.300,-</table><p class=r>Subtotaal € 1.300,-<br>21% btw € 273,-<br><b>Totaal te voldoen € 1.573,-</b></p><p>Graag betalen binnen 30 dagen op NL40 TRIO 0198 7654 32.</p>`,
    ),
  ),
  printed(
    'french restaurant group invoice, bilingual table',
    {
      date: '2023-11-17',
      total: 1188,
      id: 'F23-1187',
      currency: 'EUR',
      subtotal: 1080,
      tax: 108,
      merchant: 'Brasserie du Parc SARL',
      buyer: 'Cabinet Delorme & Fils',
    },
    page(
      `<div class=f><div><b>Brasserie du Parc SARL</b><br>1 place Bellecour<br>69002 Lyon<br>TVA intracom. FR40303265045</div><div><b>Cabinet Delorme &amp; Fils</b><br>25 cours Vitton<br>69006 Lyon</div></div><h2>Facture F23-1187</h2><p>Lyon, le 17 novembre 2023</p><table><tr><th>Prestation<th class=r>Couverts<th class=r>P.U. TTC<th class=r>Montant TTC</tr><tr><td>Menu séminaire, 16/11/2023<td class=r>24<td class=r>44,00 €<td class=r>1 056,00 €<tr><td>Forfait boissons<td class=r>24<td class=r>5,50 €<td class=r>132,00 €</table><table style="width:60%;margin-left:40%"><tr><th>Taux<th class=r>Base HT<th class=r>TVA<th class=r>TTC</tr><tr><td>10,00 %<td class=r>1 080,00 €<td class=r>108,00 €<td class=r>1 188,00 €</table><p class=r><b>Total à régler : 1 188,00 €</b></p>`,
    ),
  ),
  printed(
    'cloud reseller, total due sentence, euro before number, page break',
    {
      date: '2020-10-01',
      total: 2310.75,
      id: 'C-20201001-55',
      currency: 'EUR',
      merchant: 'Stratus Reseller GmbH',
      buyer: 'Fachklinik Waldsee',
    },
    page(
      `<div class=f><div><b>Stratus Reseller GmbH</b><br>Hanauer Landstr. 200<br>60314 Frankfurt am Main</div><div><b>Invoice</b><br>No.: C-20201001-55<br>Date: 01 Oct 2020<br>Customer no.: 30117</div></div><p>Fachklinik Waldsee<br>IT-Abteilung<br>Kurpark 2<br>88339 Bad Waldsee</p><p>Usage 01 Sep 2020 – 30 Sep 2020. Total due: <b>EUR 2,310.75</b>, payable by 31 Oct 2020.</p><div style="page-break-before:always"></div><table><tr><th>Subscription<th class=r>Units<th class=r>Unit price<th class=r>Amount EUR</tr><tr><td>Compute<td class=r>730<td class=r>2.1000<td class=r>1,533.00<tr><td>Storage<td class=r>5,000<td class=r>0.0817<td class=r>408.81</table><table style="width:50%;margin-left:50%"><tr><td>Net<td class=r>1,941.81<tr><td>VAT 19.00 %<td class=r>368.94<tr><td>Gross<td class=r>2,310.75</table>`,
    ),
  ),
  printed(
    'danish web shop receipt invoice',
    {
      date: '2023-02-09',
      total: 879,
      id: '58812',
      currency: 'DKK',
      tax: 175.8,
      merchant: 'Havblik Design ApS',
      buyer: 'Mette Sørensen',
    },
    page(
      `<div class=f><h1>Havblik Design</h1><div>Faktura 58812<br>Dato: 9. februar 2023</div></div><div class=f><p>Mette Sørensen<br>Søndergade 12, 2. tv<br>8000 Aarhus C</p><p>Havblik Design ApS<br>Strandvej 88<br>8240 Risskov<br>CVR 39876543</p></div><table><tr><th>Varenr.<th>Vare<th class=r>Antal<th class=r>Stk. pris<th class=r>I alt</tr><tr><td>LV-22<td>Bordlampe messing<td class=r>1<td class=r>830,00<td class=r>830,00<tr><td><td>Fragt, pakkeshop<td class=r>1<td class=r>49,00<td class=r>49,00</table><p class=r><b>I alt inkl. moms: 879,00 kr.</b><br>Heraf moms: 175,80 kr.</p><p>Betalt med Dankort 9. februar 2023</p>`,
    ),
  ),
  printed(
    'insurance premium note, letter text with one amount',
    {
      date: '2022-01-20',
      total: 412.6,
      id: 'KH 2210 448',
      currency: 'EUR',
      merchant: 'Elbe Versicherung AG',
      buyer: 'Klaus Petersen',
    },
    page(
      `<div class=f><b style="font-size:15pt">Elbe Versicherung</b><div class=r>Rechnungsdatum: 20.01.2022<br>Rechnungsnummer: KH 2210 448<br>Versicherungsschein: 77-188-221</div></div><p><small>Elbe Versicherung AG, 20095 Hamburg</small></p><p>Herrn<br>Klaus Petersen<br>Deichstraße 9<br>25348 Glückstadt</p><h3>Beitragsrechnung Kfz-Versicherung</h3><p>Sehr geehrter Herr Petersen,<br>für den Zeitraum vom 01.02.2022 bis 31.01.2023 berechnen wir:</p><table style="width:70%"><tr><td>Haftpflicht<td class=r>281,40 EUR<tr><td>Teilkasko<td class=r>65,33 EUR<tr><td>Versicherungsteuer 19 %<td class=r>65,87 EUR<tr><td><b>Zu zahlender Beitrag</b><td class=r><b>412,60 EUR</b></table><p>Wir buchen den Betrag am 01.02.2022 ab.</p>`,
    ),
  ),
]
