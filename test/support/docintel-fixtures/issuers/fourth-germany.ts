/** The fourth set, written by someone who had not read the reader: Germany and its shops. */
import { drawn, printed, sheet, type IssuerFixture } from './types.ts'

const page = sheet({
  marginMm: 15,
  font: '10pt "Liberation Sans"',
  cellPadding: '2px 4px',
  more: '.brk{page-break-before:always}',
})

export const FOURTH_GERMANY: readonly IssuerFixture[] = [
  drawn(
    'german incumbent telecom, spaced numbers, booking account',
    {
      date: '2014-02-14',
      total: 49.94,
      id: '731 884 2901 4471',
      currency: 'EUR',
      subtotal: 41.97,
      tax: 7.97,
      merchant: 'Fernruf Deutschland GmbH',
    },
    { emit: 'glyphs' },
    `
40 b16: 40 Ihre Rechnung für Februar 2014
90 7: 40 Fernruf Deutschland GmbH, Postfach 300463, 53184 Bonn
105: 40 Herrn
+12: 40 Bernd Osterkamp
+12: 40 Lindenweg 9
+12: 40 48431 Rheine
90: 350 Datum | 450 14.02.2014
+12: 350 Seite | 450 1 von 2
+12: 350 Kundennummer | 450 447 118 2290
+12: 350 Rechnungsnummer | 450 731 884 2901 4471
+12: 350 Buchungskonto | 450 281 744 3990
+12: 350 Bei Fragen | 450 0800 33 01000
220 b: 40 Die Summen im Überblick | 540r Beträge (EUR)
+16: 40 Monatliche Beträge | 540r 41,97
+12: 40 Verbindungen | 540r 0,00
+12: 40 Beträge ohne Umsatzsteuer | 540r 41,97
+12: 40 Umsatzsteuer 19 % auf 41,97 EUR | 540r 7,97
+16 b: 40 Zu zahlender Betrag | 540r 49,94
+24: 40 Den Rechnungsbetrag buchen wir frühestens am 7. Tag nach Zugang der Rechnung von Ihrem Konto
+12: 40 DE44 4035 0005 XXXX XX12 88 bei der Sparkasse Rheine ab. Gläubiger-ID DE93ZZZ00000078611,
+12: 40 Mandatsreferenz 0000447118229001.
---
40: 40 Rechnungsnummer 731 884 2901 4471 | 400 Seite 2 von 2
70 b: 40 Ihre Leistungen im Detail | 420r Menge | 540r EUR
+14: 40 Entertain Komfort 01.02.-28.02.2014 | 420r 1 | 540r 37,77
+12: 40 Media Receiver 303 01.02.-28.02.2014 | 420r 1 | 540r 4,20
`,
  ),
  drawn(
    'german mail hosting, written month, three positions',
    {
      date: '2014-10-05',
      total: 34.73,
      id: '30064443',
      currency: 'EUR',
      subtotal: 29.18,
      tax: 5.55,
      merchant: 'GüteHosting AG',
      buyer: 'Tannwald Consulting',
      items: 3,
    },
    { emit: 'runs', order: 'columns' },
    `
60 7: 60 GüteHosting AG, Uferweg 40-42, 63571 Gelnhausen
80: 60 Tannwald Consulting
+12: 60 Herr Jonas Tannwald
+12: 60 Bahnhofstr. 77
+12: 60 79098 Freiburg
80: 380 Rechnungs-Nr.: | 540r 30064443
+12: 380 Kunden-Nr.: | 540r 104882
+12: 380 Auftrags-Nr.: | 540r 2014-118842
+12: 380 Datum: | 540r 5. Oktober 2014
+12: 380 USt-IdNr.: | 540r DE232446240
190 b14: 60 Rechnung
220 b: 60 Nr. | 90 Beschreibung | 380r Menge | 460r Einzelpreis | 540r Betrag EUR
+15: 60 1 | 90 Hosted Exchange Premium, 01.10. - 31.10.2014 | 380r 2 | 460r 9,99 | 540r 19,98
+13: 60 2 | 90 Speichererweiterung 5 GB | 380r 1 | 460r 4,20 | 540r 4,20
+13: 60 3 | 90 Blackberry-Anbindung | 380r 1 | 460r 5,00 | 540r 5,00
310: 380 Summe netto | 540r 29,18
+13: 380 zzgl. 19 % MwSt. | 540r 5,55
+15 b: 380 Rechnungsbetrag | 540r 34,73
370: 60 Der Betrag wird am 15. Oktober 2014 per Lastschrift von Ihrem Konto (Ktn 4471102, BLZ 68050101) eingezogen.
780 7: 60 Vorstand: Ralf Ehlert | 220 HRB 12210 Hanau | 380 VR Bank IBAN DE17 5066 1639 0000 0044 71
`,
  ),
  printed(
    'german data centre, number over table, per product rows',
    {
      date: '2014-02-03',
      total: 58.68,
      id: 'R0003412587',
      currency: 'EUR',
      subtotal: 49.31,
      tax: 9.37,
      merchant: 'Hofner Online GmbH',
      buyer: 'Pixelschmiede OHG',
    },
    page(
      `<div class=f><div><small>Hofner Online GmbH · Industriestr. 25 · 91710 Gunzenhausen</small><br><br>Pixelschmiede OHG<br>Frau Mira Lenz<br>Am Sandtor 3<br>20457 Hamburg<br>Deutschland</div><table style="width:40%"><tr><td>Kundennr.:<td>K0447118822<tr><td>Ihre USt-ID:<td>DE118844220<tr><td>Rechnungsdatum:<td>03.02.2014<tr><td>Rechnungsnr.:<td>R0003412587</table></div><h3>Rechnung R0003412587</h3><p>Sehr geehrte Frau Lenz,<br>für unsere Leistungen berechnen wir Ihnen:</p><table><tr><th>Produkt<th>Leistung<th class=r>Menge<th class=r>Einzelpreis<th class=r>Preis (netto)</tr><tr><td colspan=4><b>Root Server EX40 #188442</b> (Leistungszeitraum 01/2014)<td class=r>41,1765 €<tr><td><td>Grundgebühr<td class=r>1<td class=r>41,1765 €<td class=r>41,1765 €<tr><td colspan=4><b>Backup Space #188443</b><td class=r>8,1345 €<tr><td><td>100 GB<td class=r>1<td class=r>8,1345 €<td class=r>8,1345 €</table><table style="margin-top:20px"><tr><td>Zwischensumme (netto)<td class=r>49,31 €<tr><td>USt. (19 %)<td class=r>9,37 €<tr><td><b>Zu zahlender Betrag</b><td class=r><b>58,68 €</b></table><p>Wir werden den Betrag in Höhe von 58,68 € in den nächsten Tagen von Ihrer Kreditkarte einziehen.</p>`,
    ),
  ),
  drawn(
    'word processor invoice of a german freelancer, number in the subject line',
    {
      date: '2014-03-28',
      total: 1240,
      id: 'R-2014-00034',
      currency: 'EUR',
      merchant: 'Katrin Hollweg',
      buyer: 'Museum am Kai gGmbH',
      items: 2,
    },
    { emit: 'words', font: 'subset' },
    `
50 b: 70 Katrin Hollweg
+13: 70 Grafik & Illustration
+13: 70 Kastanienallee 81
+13: 70 10435 Berlin
130: 70 Museum am Kai gGmbH
+13: 70 z. Hd. Frau Ihde
+13: 70 Kaistraße 4
+13: 70 24103 Kiel
210: 525r Berlin, den 28.03.14
240 b: 70 Rechnung Nr. R-2014-00034
+13: 70 Steuernummer 31/334/61882 | 300 Leistungszeitraum: 03.02. bis 21.03.2014
280: 70 Sehr geehrte Frau Ihde,
+13: 70 vielen Dank für den Auftrag vom 30.01.2014. Ich erlaube mir zu berechnen:
330: 70 Plakatgestaltung „Meerblick“, 16 Stunden à 65,00 € | 525r 1.040,00 €
+14: 70 Einräumung der Nutzungsrechte | 525r 200,00 €
+20 b: 70 Gesamtbetrag | 525r 1.240,00 €
+26: 70 Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.
+13: 70 Bitte überweisen Sie den Betrag bis zum 11.04.2014 auf mein Konto
+13: 70 IBAN DE02 1203 0000 0088 4471 20, BIC BYLADEM1001.
+30: 70 Mit freundlichen Grüßen
+30: 70 Katrin Hollweg
`,
  ),
  drawn(
    'marketplace order invoice of Luxembourg seller in German',
    {
      date: '2014-06-23',
      total: 84.98,
      id: 'EUVINS1-OF5-DE-120725895',
      currency: 'EUR',
      merchant: 'Mercado EU S.à r.l.',
      tax: 13.57,
      items: 2,
    },
    { emit: 'runs' },
    `
40 b18: 40 mercado.de | 550r Rechnung
80: 330 Rechnungsdatum/Lieferdatum: | 550r 23. Juni 2014
+12: 330 Rechnungsnummer: | 550r EUVINS1-OF5-DE-120725895
+12: 330 Bestellnummer: | 550r 303-4471882-2091344
+12: 330 Bestelldatum: | 550r 21. Juni 2014
80 b: 40 Rechnungsadresse
+12: 40 Oliver Brandt
+12: 40 Seestr. 110
+12: 40 13353 Berlin
+12: 40 DE
170 b: 40 Verkauft von
+12: 40 Mercado EU S.à r.l.
+12: 40 5 rue Plaetis, L-2338 Luxembourg
+12: 40 USt-IDNr. DE 814584193
230 b12: 40 Zahlbetrag | 550r € 84,98
260 b: 40 Beschreibung | 300r Menge | 370r Stückpreis (ohne USt.) | 420r USt. % | 485r Stückpreis | 550r Zwischensumme
+15: 40 Aqua Wasserfilter Kanne 2,4 l | 300r 1 | 370r 25,20 € | 420r 19% | 485r 29,99 € | 550r 29,99 €
+10 7: 40 ASIN: B00447188Q
+14: 40 Ersatzkartusche 6er Pack | 300r 1 | 370r 46,21 € | 420r 19% | 485r 54,99 € | 550r 54,99 €
+10 7: 40 ASIN: B009911VX2
+14: 40 Versandkosten | 370r 0,00 € | 485r 0,00 € | 550r 0,00 €
+20 b: 330 Gesamtpreis | 550r 84,98 €
380: 330 USt. % | 440r Nettobetrag | 550r USt.
+12: 330 19% | 440r 71,41 € | 550r 13,57 €
+14: 330 USt. Gesamt | 440r 71,41 € | 550r 13,57 €
`,
  ),
]
