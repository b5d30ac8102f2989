/** Invoices in English, German, French and Dutch as billing software draws them. */
import { drawn, type IssuerFixture } from './types.ts'

export const DRAWN_WEST: readonly IssuerFixture[] = [
  drawn(
    'cloud provider, summary box beside the account',
    {
      date: '2021-11-02',
      total: 218.47,
      id: '874561239',
      currency: 'USD',
      merchant: 'Nimbus Compute Services, Inc.',
      buyer: 'Lakefront Analytics BV',
    },
    { emit: 'words', space: 'scaled' },
    `
50 b14: 40 Nimbus Compute Services, Inc. | 560r Invoice
+14 8: 40 Email or talk to us about your account or bill, visit nimbus.example/contact-us
100: 40 Account number:
+12: 40 550192837465
100 b11: 330 Invoice Summary
120: 330 Invoice Number: | 560r 874561239
+14: 330 Invoice Date: | 560r November 2 , 2021
+20 b: 330 TOTAL AMOUNT DUE ON November 2 , 2021 | 560r $218.47
150: 40 Bill to Address:
+12: 40 Lakefront Analytics BV
+12: 40 ATTN: Finance
+12: 40 Herengracht 401
+12: 40 Amsterdam , Noord-Holland , 1017 BP , NL
240: 40 This invoice is for the billing period October 1 - October 31 , 2021
+24 8: 40 Greetings from Nimbus Compute Services, we're writing to provide you with an electronic invoice for your use of our services.
290 b11: 40 Summary
+18 b: 40 Nimbus Service Charges | 560r $218.47
+14: 55 Charges | 560r $243.47
+14: 55 Credits | 560r -$25.00
+14: 55 Tax | 560r $0.00
+18 b: 40 Total for this invoice | 560r $218.47
400 b11: 40 Detail
+18 b: 40 Object Storage | 560r $12.20
+14: 55 Charges | 560r $37.20
+14: 55 Credits | 560r -$25.00
+14: 55 VAT ** | 560r $0.00
+18 b: 40 Virtual Machines | 560r $206.27
+14: 55 Charges | 560r $206.27
+14: 55 VAT ** | 560r $0.00
780 7: 40 * May include estimated US sales tax, VAT, GST and CT. ** This is not a VAT invoice.
+9 7: 40 Nimbus Compute Services, Inc. 1200 Harbor Avenue North, Seattle, WA 98109-5210
`,
  ),
  drawn(
    'german hosting, values under a head row',
    {
      date: '2020-03-31',
      total: 71.28,
      id: 'RE-2020-004417',
      currency: 'EUR',
      subtotal: 59.9,
      tax: 11.38,
      merchant: 'Serverhafen GmbH',
      buyer: 'Tischlerei Blomberg OHG',
      items: 2,
    },
    { emit: 'runs', order: 'columns' },
    `
60 b20: 40 Serverhafen
120 6: 40 Serverhafen GmbH · Kaistraße 14 · 20457 Hamburg
140: 40 Tischlerei Blomberg OHG
+12: 40 Frau Ines Blomberg
+12: 40 Am Stadtgraben 3
+12: 40 37073 Göttingen
260 b14: 40 Rechnung
290 b8: 40 Rechnungsnummer | 170 Kundennummer | 290 Rechnungsdatum | 410 Leistungszeitraum
302: 40 RE-2020-004417 | 170 K-88123 | 290 31.03.2020 | 410 01.03.2020 - 31.03.2020
340 b8: 40 Pos. | 75 Bezeichnung | 330r Menge | 400r Einzelpreis | 470r MwSt. | 555r Gesamtpreis
358: 40 1 | 75 Managed Server M, 4 vCPU | 330r 1,00 | 400r 49,90 € | 470r 19 % | 555r 49,90 €
+14: 40 2 | 75 Backup-Speicher 500 GB | 330r 2,00 | 400r 5,00 € | 470r 19 % | 555r 10,00 €
410: 380 Nettobetrag | 555r 59,90 €
+14: 380 zzgl. 19 % MwSt. | 555r 11,38 €
+18 b11: 380 Rechnungsbetrag | 555r 71,28 €
500: 40 Der Betrag wird am 07.04.2020 von Ihrem Konto DE02 1203 0000 0000 2020 51 abgebucht.
790 7: 40 Serverhafen GmbH | 200 Geschäftsführer: Jan Petersen | 400 USt-IdNr.: DE278334912
+9 7: 40 Kaistraße 14, 20457 Hamburg | 200 Amtsgericht Hamburg HRB 99121 | 400 Steuernr.: 48/712/01933
`,
  ),
  drawn(
    'french mobile operator, letter with small box',
    {
      date: '2019-07-02',
      total: 24.98,
      id: '884120973',
      currency: 'EUR',
      tax: 4.16,
      subtotal: 20.82,
      buyer: 'Mme Claire Dufour',
    },
    { emit: 'kerned' },
    `
50 b18: 40 liberté mobile
80 8: 40 Liberté Mobile - SAS au capital de 365.138.779 Euros - RCS PARIS 499 247 138
+10 8: 40 Siège social : 16 rue de la Ville l'Evêque 75008 Paris - N° TVA FR25499247138
140: 330 Mme Claire Dufour
+12: 330 12 allée des Tilleuls
+12: 330 44000 NANTES
200: 40 Votre identifiant : 20174485
+12: 40 Ligne : 06 12 34 56 78
240 b12: 40 Facture n° 884120973 du 02 juillet 2019
280 b: 40 Votre consommation du 01 juin 2019 au 30 juin 2019 | 480r Montant HT | 560r Montant TTC
298: 40 Forfait 100 Go | 480r 16,66 € | 560r 19,99 €
+14: 40 Option international | 480r 4,16 € | 560r 4,99 €
+24 b: 40 Total de la facture HT | 480r 20,82 €
+14: 40 TVA 20,00 % | 480r 4,16 €
+14 b12: 40 Total à payer TTC | 560r 24,98 €
420: 40 Cette somme sera prélevée le 12 juillet 2019 sur votre compte bancaire.
780 7: 40 En cas de retard de paiement, une indemnité forfaitaire de 40 € pourra être exigée.
`,
  ),
  drawn(
    'hosting, french labels, TVA recap, paid',
    {
      date: '2018-02-12',
      total: 57.55,
      id: 'FR18227461',
      currency: 'EUR',
      subtotal: 47.96,
      tax: 9.59,
      merchant: 'Roubaix Datacentres SAS',
      buyer: 'Atelier Numérique du Lac',
    },
    { emit: 'glyphs', space: 'flipped' },
    `
60 b16: 40 Roubaix Datacentres SAS | 555r FACTURE
90: 40 2 rue Kellermann
+12: 40 59100 Roubaix - France
90: 340 Référence de la facture : FR18227461
+12: 340 Date de la facture : 12 février 2018
+12: 340 Date d'échéance : 12 février 2018
+12: 340 Référence de la commande : 75820144
+12: 340 Moyen de paiement : carte bancaire
160 b: 40 Facturé à
+12: 40 Atelier Numérique du Lac
+12: 40 18 quai des Bateliers
+12: 40 74000 Annecy
240 b8: 40 Abonnement | 230 Domaine | 330 Référence | 420r Quantité | 480r Prix unitaire | 555r Prix HT
256 8: 40 Serveur dédié GAME-1 | 230 ns3021.example | 330 game-1-renew | 420r 1 | 480r 44,99 € | 555r 44,99 €
+12 8: 40 IP failover | 230 51.75.0.9 | 330 ip-v4-failover | 420r 1 | 480r 2,97 € | 555r 2,97 €
300: 420 Prix HT | 555r 47,96 €
+12: 420 TVA 20 % | 555r 9,59 €
+14 b: 420 Total TTC | 555r 57,55 €
+20: 420 Payé le 12/02/2018 | 555r 57,55 €
+12: 420 Reste à payer | 555r 0,00 €
800 7: 40 SAS au capital de 10 069 020 € - RCS Lille Métropole 424 761 419 00045 - Code APE 2620Z - N° TVA : FR22424761419
`,
  ),
  drawn(
    'dutch web shop',
    {
      date: '2019-10-29',
      total: 717.85,
      id: '993548900',
      currency: 'EUR',
      merchant: 'Blauwwinkel B.V.',
      buyer: 'J. van der Veen',
      tax: 124.59,
    },
    { emit: 'runs', font: 'subset' },
    `
50 b22: 40 blauwwinkel
100: 40 J. van der Veen | 350 Factuurnummer: | 560r 993548900
+13: 40 Kerkstraat 18 | 350 Factuurdatum: | 560r 29 okt. 2019
+13: 40 3512 LR Utrecht | 350 Klantnummer: | 560r 18277410
+13: 40 Nederland | 350 Ordernummer: | 560r 70112349
190 b16: 40 Factuur
220 b: 40 Omschrijving | 320r Aantal | 400r Prijs | 470r Btw | 560r Totaal
238: 40 Wasmachine WF-80 | 320r 1 | 400r € 679,00 | 470r 21% | 560r € 679,00
+14: 40 Verlengde garantie 5 jaar | 320r 1 | 400r € 38,85 | 470r 21% | 560r € 38,85
290: 380 Totaal excl. btw | 560r € 593,26
+14: 380 21% btw | 560r € 124,59
+14 b: 380 Totaal incl. btw | 560r € 717,85
+14: 380 Betaald met iDEAL | 560r € 717,85
700 8: 40 Blauwwinkel B.V. Weena 664, 3012 CN Rotterdam. KvK 24330087. Btw-nummer NL810433941B01. IBAN NL12INGB0001234567
`,
  ),
  drawn(
    'utility, total on page two',
    {
      date: '2017-11-14',
      total: 342.16,
      id: '2017-11-0098812',
      currency: 'EUR',
      merchant: 'Eaux de la Vallée',
      buyer: 'M. Bernard Lagrange',
    },
    { emit: 'words', order: 'drawn' },
    `
40 b14: 40 Eaux de la Vallée
60 8: 40 Régie intercommunale de distribution d'eau
130: 320 M. Bernard Lagrange
+12: 320 8 chemin des Vergers
+12: 320 26400 CREST
150: 40 Votre facture d'eau
+14: 40 N° de facture : 2017-11-0098812
+12: 40 Date d'émission : 14/11/2017
+12: 40 Référence client : 00447812
+12: 40 Date limite de paiement : 05/12/2017
260 b: 40 Relevé du compteur
+14: 40 Compteur n° 0712A | 240 Ancien index 1 204 | 360 Nouvel index 1 287 | 555r 83 m³
330 b8: 40 Détail | 330r Quantité | 400r Prix unitaire | 480r Montant HT | 555r TVA
+14: 40 Abonnement distribution | 330r 6 | 400r 4,2500 | 480r 25,50 | 555r 5,5 %
+12: 40 Consommation | 330r 83 | 400r 1,8700 | 480r 155,21 | 555r 5,5 %
+12: 40 Collecte des eaux usées | 330r 83 | 400r 1,4200 | 480r 117,86 | 555r 10 %
+12: 40 Organismes publics | 330r 83 | 400r 0,2300 | 480r 19,09 | 555r 10 %
800 8: 555r page 1/2
---
40 b12: 40 Eaux de la Vallée
60: 40 Facture N° 2017-11-0098812 du 14/11/2017 (suite)
100: 300 Total HT | 555r 317,66
+12: 300 TVA 5,5 % sur 180,71 | 555r 9,94
+12: 300 TVA 10 % sur 136,95 | 555r 13,70
+12: 300 Arrondi et régularisation | 555r 0,86
+16 b11: 300 Net à payer | 555r 342,16 €
200: 40 Dépôt de garantie déjà versé : 50,00 €
800 8: 555r page 2/2
`,
  ),
  drawn(
    'german telecom, many sums, spaced numbers',
    {
      date: '2022-01-05',
      total: 54.89,
      id: '462 118 9034',
      currency: 'EUR',
      subtotal: 46.13,
      tax: 8.76,
      merchant: 'Nordfunk GmbH',
      buyer: 'Torsten Weidemann',
    },
    { emit: 'kerned', order: 'columns' },
    `
50 b16: 400 NORDFUNK
120 7: 40 Nordfunk GmbH, Postfach 10 07 09, 28007 Bremen
140: 40 Herrn
+12: 40 Torsten Weidemann
+12: 40 Lindenallee 77
+12: 40 26122 Oldenburg
110 8: 380 Datum | 470 05.01.2022
+12 8: 380 Seite | 470 1 von 3
+12 8: 380 Kundennummer | 470 2 771 034 118
+12 8: 380 Rechnungsnummer | 470 462 118 9034
+12 8: 380 Buchungskonto | 470 660 311 7402
+12 8: 380 Fragen zur Rechnung? | 470 0800 33 01000
240 b13: 40 Ihre Rechnung für Januar 2022
270 b8: 40 Die Leistungen im Überblick (Summen) | 400r Netto (EUR) | 470r USt. | 555r Brutto (EUR)
286: 40 Monatliche Beträge | 400r 42,01 | 470r 19 % | 555r 49,99
+13: 40 Beträge für Verbindungen | 400r 4,12 | 470r 19 % | 555r 4,90
+16: 40 Summe (ohne USt.) | 400r 46,13
+13: 40 Umsatzsteuer 19 % auf 46,13 EUR | 555r 8,76
+16 b11: 40 Rechnungsbetrag | 555r 54,89
380: 40 Den Rechnungsbetrag buchen wir nicht vor dem 7. Tag nach Rechnungszugang ab.
---
50 8: 380 Rechnungsnummer | 470 462 118 9034
80 b: 40 Ihre Rechnung für Januar 2022 im Detail
100 b8: 40 Rufnummer 0441 5551234 | 400r Menge | 470r Netto einzeln | 555r Netto gesamt
+14: 40 Magenta Zuhause L | 400r 1 | 470r 42,0084 | 555r 42,01
+13: 40 Verbindungen ins Ausland | 400r 14 | 470r 0,2943 | 555r 4,12
+16: 40 Summe | 555r 46,13
`,
  ),
  drawn(
    'us contractor, letter-spaced head, values in the row below',
    {
      date: '2022-03-14',
      total: 4860,
      id: '1187',
      currency: 'USD',
      merchant: 'Ridgeline Roofing LLC',
      buyer: 'Dana Whitfield',
      subtotal: 4500,
      tax: 360,
      items: 3,
    },
    { emit: 'words', page: [612, 792] },
    `
60 b24s6: 360 INVOICE
60 b13: 40 Ridgeline Roofing LLC
+14: 40 4410 Mesa Drive
+12: 40 Boulder, CO 80301
+12: 40 (303) 555-0142
150 b8: 40 BILL TO | 220 SHIP TO | 400 INVOICE # | 500 DATE
+13: 40 Dana Whitfield | 220 Same as billing | 400 1187 | 500 03/14/2022
+12: 40 92 Aspen Court
+12: 40 Nederland, CO 80466
200 b8: 400 TERMS | 500 DUE DATE
+13: 400 Net 30 | 500 04/13/2022
260 b8: 40 DESCRIPTION | 380r QTY | 460r RATE | 570r AMOUNT
+16: 40 Tear off existing shingles, 20 sq | 380r 20 | 460r 75.00 | 570r 1,500.00
+14: 40 Architectural shingles installed | 380r 20 | 460r 140.00 | 570r 2,800.00
+14: 40 Dumpster fee | 380r 1 | 460r 200.00 | 570r 200.00
360: 400 SUBTOTAL | 570r 4,500.00
+14: 400 TAX (8%) | 570r 360.00
+14: 400 TOTAL | 570r 4,860.00
+20 b12: 400 BALANCE DUE | 570r $4,860.00
740 8: 306c Thank you for your business! Make checks payable to Ridgeline Roofing LLC
`,
  ),
  drawn(
    'uk energy bill, previous balance and payments',
    {
      date: '2023-02-14',
      total: 187.32,
      id: 'INV-7729-0041',
      currency: 'GBP',
      merchant: 'Beacon Energy Ltd',
      buyer: 'Mr A Okafor',
    },
    { emit: 'runs' },
    `
50 b18: 40 Beacon Energy
110: 40 Mr A Okafor
+12: 40 Flat 2, 15 Marlow Road
+12: 40 Reading RG1 4PL
60 8: 380 Account number | 490 8500 4471 220
+12 8: 380 Invoice number | 490 INV-7729-0041
+12 8: 380 Bill date | 490 14 February 2023
+12 8: 380 Billing period | 490 11 Nov 2022 - 10 Feb 2023
190 b14: 40 Your electricity bill
220: 40 Your last bill | 300r £164.20
+14: 40 Payments received - thank you | 300r -£164.20
+14 b: 40 Balance brought forward | 300r £0.00
+24: 40 Electricity used 512 kWh at 32.4p | 300r £165.89
+14: 40 Standing charge 92 days at 45.0p | 300r £41.40
+14: 40 Government support discount | 300r -£28.89
+14: 40 Total charges before VAT | 300r £178.40
+14: 40 VAT at 5% | 300r £8.92
+18 b12: 40 Total amount to pay by 28 February 2023 | 420r £187.32
780 7: 40 Beacon Energy Ltd, registered in England 05551234. VAT number GB 927 3344 21. Registered office: 1 Dock Street, Leeds LS1 4BR
`,
  ),
  drawn(
    'german credit note',
    {
      date: '2021-08-19',
      total: -119,
      id: 'GS-21-0088',
      currency: 'EUR',
      merchant: 'Möbelwerk Kaltenbach GmbH & Co. KG',
      buyer: 'Hotel Alpenblick',
    },
    { emit: 'padded' },
    `
50 b13: 40 Möbelwerk Kaltenbach GmbH & Co. KG
+13: 40 Industriestr. 8, 87600 Kaufbeuren
130: 40 Hotel Alpenblick
+12: 40 Seeweg 1
+12: 40 87629 Füssen
220 b14: 40 Rechnungskorrektur Nr. GS-21-0088
240: 40 zu Rechnung RE-21-1204 vom 02.08.2021 | 400 Datum: 19.08.2021
+12: 40 Ihre Kundennummer: 10442
280 b8: 40 Art.-Nr. | 110 Bezeichnung | 360r Menge | 440r Preis | 555r Betrag EUR
+14: 40 4711-B | 110 Stuhl Buche, beschädigt geliefert | 360r -2 | 440r 50,00 | 555r -100,00
330: 380 Summe netto | 555r -100,00
+13: 380 19% USt | 555r -19,00
+15 b: 380 Gutschriftbetrag | 555r -119,00
`,
  ),
  drawn(
    'marketplace seller, amount in the head box',
    {
      date: '2021-10-14',
      total: 24.99,
      id: 'DE11XQW2ABEY',
      currency: 'EUR',
      merchant: 'Lumora Lichttechnik UG',
      buyer: 'Sabine Krüger',
      subtotal: 21,
      tax: 3.99,
    },
    { emit: 'runs', space: 'scaled', font: 'subset' },
    `
60 b16: 555r Rechnung
90: 350 Zahlbetrag | 555r 24,99 €
+20: 350 Rechnungsdatum /Lieferdatum | 555r 14 Oktober 2021
+13: 350 Rechnungsnummer | 555r DE11XQW2ABEY
+13: 350 Bestellnummer | 555r 305-8841234-7719900
100: 40 Sabine Krüger
+12: 40 Hauptstr. 9
+12: 40 01067 Dresden
+12: 40 DE
200 b: 40 Rechnungsadresse | 220 Lieferadresse | 400 Verkauft von
+13: 40 Sabine Krüger | 220 Sabine Krüger | 400 Lumora Lichttechnik UG
+12: 40 Hauptstr. 9 | 220 Hauptstr. 9 | 400 Gewerbepark 5
+12: 40 01067 Dresden | 220 01067 Dresden | 400 93059 Regensburg
+12: 400 USt-IdNr. DE301122334
290: 40 Bestellinformationen
+13: 40 Bestelldatum 12 Oktober 2021
330 b8: 40 Beschreibung | 270r Menge | 350r Stückpreis | 410r USt. % | 480r Stückpreis | 555r Zwischensumme
+10 b8: 350r (ohne USt.) | 480r (inkl. USt.) | 555r (inkl. USt.)
+14 8: 40 LED Strahler 30W IP65 | 270r 1 | 350r 21,00 € | 410r 19% | 480r 24,99 € | 555r 24,99 €
+11 8: 40 ASIN: B07XYZ1234
+16 8: 40 Versandkosten | 350r 0,00 € | 480r 0,00 € | 555r 0,00 €
420 b11: 380 Gesamtpreis | 555r 24,99 €
440 b8: 300 USt. % | 430r Zwischensumme (ohne USt.) | 555r USt.
+12 8: 300 19% | 430r 21,00 € | 555r 3,99 €
+12 8: 300 USt. Gesamt | 430r 21,00 € | 555r 3,99 €
`,
  ),
  drawn(
    'carry-over across pages',
    {
      date: '2022-09-30',
      total: 2148.72,
      id: 'F220930-17',
      currency: 'EUR',
      subtotal: 1790.6,
      tax: 358.12,
      merchant: 'Quincaillerie Morvan SARL',
      buyer: 'Menuiserie Le Goff',
      items: 8,
    },
    { emit: 'runs', order: 'drawn' },
    `
50 b14: 40 Quincaillerie Morvan SARL
+13: 40 ZA de Kergaradec, 29490 Guipavas
+12: 40 SIRET 412 345 678 00021 - TVA FR36412345678
60 b16: 480 FACTURE
120: 330 Menuiserie Le Goff
+12: 330 4 rue du Port
+12: 330 29200 Brest
120 b8: 40 Numéro | 120 Date | 190 Code client | 260 Page
+12: 40 F220930-17 | 120 30/09/2022 | 190 LEGOFF | 260 1
200 b8: 40 Réf. | 110 Désignation | 340r Qté | 420r P.U. HT | 555r Montant HT
+14: 40 VIS-440 | 110 Vis inox 4x40 boîte 200 | 340r 10 | 420r 18,50 | 555r 185,00
+13: 40 CHA-102 | 110 Charnière invisible | 340r 24 | 420r 12,40 | 555r 297,60
+13: 40 POI-330 | 110 Poignée bronze | 340r 16 | 420r 22,00 | 555r 352,00
+13: 40 SER-010 | 110 Serrure 3 points | 340r 2 | 420r 148,00 | 555r 296,00
+13: 40 JNT-900 | 110 Joint mousse 25 m | 340r 4 | 420r 9,75 | 555r 39,00
760 b: 340 À reporter | 555r 1 169,60
---
50 b12: 40 Quincaillerie Morvan SARL | 480 FACTURE
70 b8: 40 Numéro | 120 Date | 190 Code client | 260 Page
+12: 40 F220930-17 | 120 30/09/2022 | 190 LEGOFF | 260 2
110 b: 340 Report | 555r 1 169,60
130 b8: 40 Réf. | 110 Désignation | 340r Qté | 420r P.U. HT | 555r Montant HT
+14: 40 RAI-200 | 110 Rail coulissant 2 m | 340r 5 | 420r 64,00 | 555r 320,00
+13: 40 PAN-018 | 110 Panneau OSB 18 mm | 340r 12 | 420r 21,75 | 555r 261,00
+13: 40 COL-300 | 110 Colle PU | 340r 4 | 420r 10,00 | 555r 40,00
300 b8: 40 Base HT | 120 Taux TVA | 200 Montant TVA | 360 Total HT | 555r 1 790,60
+13: 40 1 790,60 | 120 20,00 | 200 358,12 | 360 Total TVA | 555r 358,12
+13: 360 Total TTC | 555r 2 148,72
+13: 360 Acompte | 555r 0,00
+15 b: 360 NET A PAYER | 555r 2 148,72 €
360: 40 Échéance : 31/10/2022 | 360 Règlement : virement 30 jours
`,
  ),
  drawn(
    'swiss bill with payment slip',
    {
      date: '2023-05-08',
      total: 1507.8,
      id: '2023-0412',
      currency: 'CHF',
      merchant: 'Gartenbau Zellweger AG',
      buyer: 'Familie Rüegg',
      subtotal: 1400,
      tax: 107.8,
    },
    { emit: 'kerned' },
    `
50 b15: 40 Gartenbau Zellweger AG
+12: 40 Bachstrasse 22, 8610 Uster
+12: 40 MWST-Nr. CHE-123.456.788 MWST
120: 350 Familie Rüegg
+12: 350 Sonnenhalde 5
+12: 350 8620 Wetzikon
190: 40 Uster, 8. Mai 2023
220 b14: 40 Rechnung Nr. 2023-0412
250 b: 40 Leistung | 360r Std. | 440r Ansatz | 555r Betrag CHF
+14: 40 Gartenpflege Frühling | 360r 16 | 440r 75.00 | 555r 1'200.00
+13: 40 Pflanzmaterial | 360r 1 | 440r 200.00 | 555r 200.00
310: 380 Zwischentotal | 555r 1'400.00
+13: 380 MWST 7.7% | 555r 107.80
+15 b: 380 Total CHF | 555r 1'507.80
340: 40 Zahlbar innert 30 Tagen netto.
560 b11: 40 Empfangsschein | 220 Zahlteil
580 b6: 40 Konto / Zahlbar an | 400 Konto / Zahlbar an
+9 8: 40 CH44 3199 9123 0008 8901 2 | 400 CH44 3199 9123 0008 8901 2
+9 8: 40 Gartenbau Zellweger AG | 400 Gartenbau Zellweger AG
+9 8: 40 8610 Uster | 400 8610 Uster
+16 b6: 40 Referenz | 400 Referenz
+9 8: 40 21 00000 00003 13947 14300 09017 | 400 21 00000 00003 13947 14300 09017
700 b6: 40 Währung | 90 Betrag | 220 Währung | 270 Betrag
+10 8: 40 CHF | 90 1 507.80 | 220 CHF | 270 1 507.80
560 7v: 200 Vor der Einzahlung abzutrennen
`,
  ),
  drawn(
    'consultant, reverse charge, LaTeX letter',
    {
      date: '2020-12-03',
      total: 7350,
      id: '2020/31',
      currency: 'EUR',
      merchant: 'Dr. Henrike Vollmann',
      buyer: 'Brightwater Software Ltd',
      items: 2,
    },
    { emit: 'kerned', font: 'subset' },
    `
60 b14: 297c Dr. Henrike Vollmann
+12: 297c Beratung für Datenschutz
110 7: 70 Dr. H. Vollmann, Parkweg 2, 53113 Bonn
130: 70 Brightwater Software Ltd
+12: 70 88 Camden Quay
+12: 70 Cork, T23 XY56
+12: 70 Irland
140: 400 Bonn, den 3. Dezember 2020
240 b11: 70 Rechnung Nr. 2020/31
270: 70 Sehr geehrte Damen und Herren,
+16: 70 für meine Leistungen im November 2020 erlaube ich mir zu berechnen:
310 b: 70 Leistung | 380r Tage | 450r Satz | 525r Summe
+14: 70 Beratung vor Ort | 380r 4,5 | 450r 1.200,00 € | 525r 5.400,00 €
+13: 70 Gutachten | 380r 1,5 | 450r 1.300,00 € | 525r 1.950,00 €
+18 b: 70 Rechnungsbetrag | 525r 7.350,00 €
380: 70 Steuerschuldnerschaft des Leistungsempfängers (reverse charge).
+13: 70 Ihre USt-IdNr.: IE6388047V. Meine USt-IdNr.: DE198765430
+26: 70 Bitte überweisen Sie den Betrag bis zum 17. Dezember 2020 auf das Konto
+13: 70 DE89 3704 0044 0532 0130 00 bei der Musterbank.
`,
  ),
  drawn(
    'hotel folio paid by card, balance nil',
    {
      date: '2018-06-17',
      total: 486.4,
      id: '204418',
      currency: 'USD',
      merchant: 'The Harborview Inn',
      buyer: 'Marcus Feldman',
    },
    { emit: 'runs', page: [612, 792] },
    `
50 b15: 306c The Harborview Inn
+13: 306c 21 Wharf Street, Portland, ME 04101
110 b12: 306c INVOICE
140: 40 Guest: Marcus Feldman | 380 Folio No.: 204418
+13: 40 Room: 412 | 380 Arrival: 06-14-18
+13: 40 Rate plan: BAR | 380 Departure: 06-17-18
+13: 40 Company: | 380 Invoice date: 06-17-18
220 b: 40 Date | 110 Description | 480r Charges | 570r Credits
+14: 40 06-14-18 | 110 Room charge | 480r 149.00
+12: 40 06-14-18 | 110 Room tax 8% | 480r 11.92
+12: 40 06-15-18 | 110 Room charge | 480r 149.00
+12: 40 06-15-18 | 110 Room tax 8% | 480r 11.92
+12: 40 06-16-18 | 110 Room charge | 480r 149.00
+12: 40 06-16-18 | 110 Room tax 8% | 480r 11.92
+12: 40 06-16-18 | 110 Minibar | 480r 3.64
+12: 40 06-17-18 | 110 Visa XXXX4417 | 570r 486.40
+20 b: 110 Total | 480r 486.40 | 570r 486.40
+14 b: 110 Balance | 570r 0.00
`,
  ),
  drawn(
    'belgian bilingual supplier, crystal report columns',
    {
      date: '2019-04-26',
      total: 968.24,
      id: '19004411',
      currency: 'EUR',
      subtotal: 800.2,
      tax: 168.04,
      merchant: 'Verpakkingen De Smet NV',
      buyer: 'Brasserie Ter Linden BVBA',
    },
    { emit: 'glyphs', order: 'columns' },
    `
40 b13: 40 Verpakkingen De Smet NV
+12 8: 40 Nijverheidslaan 40, 8560 Wevelgem
+10 8: 40 BTW BE 0417.497.106
60 b12: 420 FACTUUR / FACTURE
110: 330 Brasserie Ter Linden BVBA
+12: 330 Grote Markt 7
+12: 330 1500 Halle
180 b7: 40 Factuurnr. / N° facture | 160 Datum / Date | 250 Klantnr. / N° client | 360 Uw ref. / Votre réf. | 470 Vervaldag / Échéance
+12: 40 19004411 | 160 26/04/2019 | 250 400812 | 360 mail 18/04 | 470 26/05/2019
220 b7: 40 Artikel / Article | 120 Omschrijving / Description | 360r Aantal / Qté | 440r Prijs / Prix | 555r Bedrag / Montant
+13: 40 BX-4030 | 120 Dozen 40x30x30 | 360r 500 | 440r 1,2400 | 555r 620,00
+12: 40 TP-50 | 120 Tape bruin 50 mm | 360r 36 | 440r 2,3500 | 555r 84,60
+12: 40 FOL-20 | 120 Rekfolie | 360r 12 | 440r 7,9667 | 555r 95,60
700 b7: 40 Maatstaf / Base | 140 BTW % TVA | 230 BTW / TVA | 310 Totaal excl. / Total HTVA | 415 BTW / TVA | 555r Te betalen / À payer EUR
+13: 40 800,20 | 140 21,00 | 230 168,04 | 310 800,20 | 415 168,04 | 555r 968,24
`,
  ),
]
