/**
 * A fourth set, written from memory of real documents by someone who had read neither the reader
 * nor the other sets. Its four files together, scored unseen: totals 29, dates 26, numbers 29 of
 * 30. Seen now. Here: telecom, energy and small firms of western and southern Europe, Poland.
 */
import { drawn, type IssuerFixture } from './types.ts'

export const FOURTH_EUROPE: readonly IssuerFixture[] = [
  drawn(
    'french hosting company, dates and reference in one sentence',
    {
      date: '2014-02-03',
      total: 71.76,
      id: 'FR11402207',
      currency: 'EUR',
      subtotal: 59.8,
      tax: 11.96,
      merchant: 'NORDHEB SAS',
      buyer: 'Atelier Verdier',
      items: 3,
    },
    { emit: 'words' },
    `
40 b16: 40 NORDHEB
60: 40 NORDHEB SAS au capital de 10 000 000 €
+12: 40 2 rue du Canal - 59100 Roubaix - France
+12: 40 R.C.S. Roubaix-Tourcoing 424 761 419 00045 - Code APE 6202A
+12: 40 N° TVA : FR 22 424 761 419
130: 330 Atelier Verdier
+12: 330 M. Luc Verdier
+12: 330 14 impasse des Tilleuls
+12: 330 37000 TOURS
+12: 330 France
210 b12: 40 Facture n° FR11402207
+16: 40 Émise le 3 février 2014
+12: 40 Commande n° 22518840 du 02/02/2014
+12: 40 Identifiant client : lv4471-nord
280 b: 40 Libellé | 300 Référence | 400r Quantité | 470r P.U. HT | 550r Total HT
+16: 40 Serveur dédié KS-4 - renouvellement 1 mois | 300 ks407712 | 400r 1 | 470r 39,99 € | 550r 39,99 €
+10 7: 40 Du 03/02/2014 au 02/03/2014
+14: 40 Adresse IP supplémentaire | 300 ip-44.12.8 | 400r 4 | 470r 2,00 € | 550r 8,00 €
+14: 40 Nom de domaine atelier-verdier.example | 300 dom-71 | 400r 1 | 470r 11,81 € | 550r 11,81 €
400: 380 Total HT | 550r 59,80 €
+14: 380 TVA 20 % | 550r 11,96 €
+14 b: 380 Montant total TTC | 550r 71,76 €
480: 40 Payée par carte bancaire (référence de paiement 8841207) le 03/02/2014.
+12: 40 Cette facture est acquittée. Reste dû : 0,00 €
780 7: 297c SAS NORDHEB - Siège social 2 rue du Canal 59100 Roubaix - www.nordheb.example - support 09 72 10 10 07
`,
  ),
  drawn(
    'french mobile operator, headline with number and date',
    {
      date: '2014-01-18',
      total: 15.99,
      id: '562044387',
      currency: 'EUR',
      merchant: 'Libria Mobile',
      buyer: 'M. Antoine Delmas',
    },
    { emit: 'runs', order: 'shuffled' },
    `
40 b20: 40 libria mobile
60 7: 40 Libria Mobile - SAS au capital de 365.138.779 Euros - RCS PARIS 499 247 138 - Siège social : 16 rue de la Ville l'Évêque 75008 Paris
120: 320 M. Antoine Delmas
+12: 320 8 B RUE DES ACACIAS
+12: 320 APT 12
+12: 320 69003 LYON
120: 40 Vos identifiants
+12: 40 Identifiant : 10448271
+12: 40 Votre ligne : 06 12 00 34 87
+12: 40 IBAN : FR76 XXXX XXXX XXXX XXXX XXX4 417
+12: 40 RUM : FM-10448271-1
220 b13: 40 Facture n° 562044387 du 18 janvier 2014
250 b: 40 Récapitulatif de votre facture
+16: 40 Votre abonnement et options | 540r 15,99 €
+14: 40 Vos consommations hors forfait du 17/12/2013 au 16/01/2014 | 540r 0,00 €
+20 b: 40 Total à payer (dont TVA 2,67 €) | 540r 15,99 €
+20: 40 Montant prélevé sur votre compte bancaire à partir du 24 janvier 2014
---
40 b: 40 Détail de votre facture n° 562044387
70 b: 40 Description | 300 Période | 420r Montant HT | 480r TVA | 540r Montant TTC
+16: 40 Forfait illimité 3 Go | 300 18/01 - 17/02 | 420r 16,66 € | 480r 20,00% | 540r 19,99 €
+14: 40 Remise abonné box | 300 18/01 - 17/02 | 420r -3,33 € | 480r 20,00% | 540r -4,00 €
+24 b: 40 Date | 120 Heure | 200 Numéro appelé | 320 Durée | 540r Coût
+12: 40 18/12/2013 | 120 08:14:22 | 200 0472xxxx10 | 320 00:04:11 | 540r 0,00 €
+12: 40 19/12/2013 | 120 18:44:01 | 200 0612xxxx77 | 320 00:00:48 | 540r 0,00 €
+12: 40 27/12/2013 | 120 12:02:59 | 200 0033xxxx12 | 320 00:12:30 | 540r 0,00 €
`,
  ),
  drawn(
    'french incumbent operator, short dates and sum to pay',
    { date: '2014-02-03', total: 64.28, id: '0881402N004', currency: 'EUR', tax: 10.71 },
    { emit: 'kerned' },
    `
40 b18: 40 mandarine
40: 400 page 1/3
80 b14: 40 votre facture internet - tv - téléphone
100: 40 du 03.02.14
130: 40 n° client | 160 0 447 218 844
+12: 40 n° de compte | 160 1.44718844
+12: 40 n° de facture | 160 0881402N004
+12: 40 vos contacts | 160 3900 ou mandarine.example
130: 360 MME CLAIRE BOUVET
+12: 360 22 RUE DU PUITS
+12: 360 35000 RENNES
230 b: 40 total de vos abonnements, forfaits et options | 540r 53,57 €
+14: 40 consommations au-delà des forfaits du 03.01.14 au 02.02.14 | 540r 0,00 €
+14: 40 total hors taxes | 540r 53,57 €
+14: 40 TVA (20,00%) payée sur les débits | 540r 10,71 €
+20 b12: 40 somme à payer (TTC) | 540r 64,28 €
+30: 40 Ce montant sera prélevé le 17.02.14 sur le compte FR76 3000 4XXX XXXX XXX8 812.
+12: 40 Votre prochaine facture sera établie autour du 03.03.14.
---
40 b: 40 le détail de votre facture n° 0881402N004
70: 40 abonnements du 03.02.14 au 02.03.14 | 480r HT | 540r TTC
+14: 40 forfait zen fibre | 480r 41,66 | 540r 49,99
+14: 40 option tv grand spectacle | 480r 8,32 | 540r 9,99
+14: 40 location du décodeur | 480r 3,58 | 540r 4,30
+14 b: 40 total | 480r 53,57 | 540r 64,28
---
40: 40 SA au capital de 10 595 541 532 € - 78 rue Olivier de Serres - 75505 Paris cedex 15 - RCS Paris 380 129 866
`,
  ),
  drawn(
    'french business operator, net to pay below carried balance',
    {
      date: '2014-02-06',
      total: 133.2,
      id: 'B714-008817442',
      currency: 'EUR',
      subtotal: 111,
      tax: 22.2,
      buyer: 'SARL MENUISERIE KERBRAT',
    },
    { emit: 'runs' },
    `
40 b18: 40 RF Business
70 b: 40 VOTRE FACTURE du 06/02/2014
+14: 40 Facture n° : B714-008817442
+12: 40 Référence client : 6 00 447 182
+12: 40 N° de TVA intracommunautaire : FR 71 343 059 564
110: 330 SARL MENUISERIE KERBRAT
+12: 330 SERVICE COMPTABILITE
+12: 330 ZA DE PENHOAT
+12: 330 29860 PLABENNEC
200 b: 40 Situation de votre compte
+14: 40 Montant de votre facture précédente du 06/01/2014 | 550r 141,90 €
+14: 40 Votre règlement du 20/01/2014 - merci | 550r -141,90 €
+14: 40 Solde | 550r 0,00 €
270 b: 40 Montant de cette facture
+14: 40 Abonnements, forfaits et options (3 lignes) | 550r 99,00 €
+14: 40 Communications hors forfait | 550r 12,00 €
+14: 40 Total HT | 550r 111,00 €
+14: 40 Montant TVA à 20 % | 550r 22,20 €
+18 b12: 40 NET A PAYER TTC | 550r 133,20 €
+20: 40 Date limite de paiement : 26/02/2014
+12: 40 Mode de paiement : virement IBAN FR76 1820 6002 1054 8726 6700 217
700 7: 40 En cas de retard de paiement, une indemnité forfaitaire de 40 € sera due ainsi que des pénalités au taux de 3 fois l'intérêt légal.
`,
  ),
  drawn(
    'dutch telecom, to be debited',
    {
      date: '2014-02-14',
      total: 57.45,
      id: '904471822014',
      currency: 'EUR',
      tax: 9.97,
      buyer: 'Dhr. P. van Ommeren',
    },
    { emit: 'runs', space: 'flipped' },
    `
40 b18: 40 Zonnet
80: 40 Dhr. P. van Ommeren
+12: 40 Molenstraat 44
+12: 40 5341 GC Oss
80: 340 Factuurdatum | 460 14 februari 2014
+12: 340 Factuurnummer | 460 904471822014
+12: 340 Klantnummer | 460 33188420
+12: 340 Contractnummer | 460 C-118-2207
+12: 340 Rekeningnummer | 460 NL20 INGB 000* *** 471
180 b13: 40 Uw factuur van februari
+20: 40 Vaste kosten 1 februari t/m 28 februari | 540r € 54,95
+14: 40 Gesprekskosten 1 januari t/m 31 januari | 540r € 2,50
+18 b: 40 Te betalen | 540r € 57,45
+14: 40 Waarvan 21% btw over € 47,48 | 540r € 9,97
+24: 40 Het bedrag wordt rond 26 februari 2014 automatisch van uw rekening afgeschreven.
+12: 40 Incassant ID: NL08ZZZ302081850000 Machtigingskenmerk: 0000331884201
780 7: 40 Zonnet B.V. Postbus 43048, 3540 AA Utrecht - KvK 30208185 - BTW NL8129.57.450.B01
`,
  ),
  drawn(
    'belgian telecom, pay before date, structured message',
    {
      date: '2014-02-05',
      total: 67.45,
      id: '7310442188',
      currency: 'EUR',
      subtotal: 55.74,
      tax: 11.71,
    },
    { emit: 'kerned', space: 'scaled' },
    `
40 b16: 40 Belnet & Co
80 b: 40 Uw factuur van 5 februari 2014
+14: 40 Factuurnummer: 7310442188
+12: 40 Klantnummer: 611 447 182
80: 340 MEVROUW AN DE SMEDT
+12: 340 KERKSTRAAT 12 BUS 3
+12: 340 9000 GENT
160 b12: 40 Te betalen vóór 25/02/2014 | 540r 67,45 EUR
190: 40 Factuuroverzicht | 540r EUR
+14: 40 Abonnementen (05/02/2014 - 04/03/2014) | 540r 49,54
+12: 40 Verbruik (05/01/2014 - 04/02/2014) | 540r 6,20
+12: 40 Totaal exclusief btw | 540r 55,74
+12: 40 Btw 21% | 540r 11,71
+14 b: 40 Totaal inclusief btw | 540r 67,45
330: 40 Gelieve te betalen op rekening BE31 0001 7100 3155 met vermelding van +++731/0442/18812+++
+14: 40 Zit u al aan domiciliëring? Dan hoeft u niets te doen.
760 7: 40 Belnet & Co NV van publiek recht, Koning Albert II-laan 27, B-1030 Brussel, BTW BE 0202.239.951, RPR Brussel
`,
  ),
  drawn(
    'spanish electricity bill, data box, reading table',
    {
      date: '2014-02-07',
      total: 58.91,
      id: 'P1M401N0447182',
      currency: 'EUR',
      tax: 10.22,
      merchant: 'Luzibérica Clientes, S.A.U.',
    },
    { emit: 'runs' },
    `
40 b16: 40 Luzibérica
60: 40 Luzibérica Clientes, S.A.U. CIF A-95758389. C/ Larraskitu 1, 48012 Bilbao
90 b: 40 DATOS DE LA FACTURA
+14: 40 Nº factura: P1M401N0447182
+12: 40 Referencia: 447182233107
+12: 40 Fecha emisión factura: 07/02/2014
+12: 40 Periodo de facturación: del 04/12/2013 a 03/02/2014 (61 días)
+12: 40 Fecha de cargo: 14 de febrero de 2014
100: 360 ROSA MARÍA PEINADO GIL
+12: 360 C/ MAYOR 8 2º B
+12: 360 28013 MADRID
190 b: 40 RESUMEN DE LA FACTURA
+14: 40 Por potencia contratada | 400r 20,44 €
+12: 40 Por energía consumida | 400r 25,15 €
+12: 40 Impuesto electricidad | 400r 2,33 €
+12: 40 Alquiler equipos de medida | 400r 0,77 €
+12: 40 IVA 21 % s/ 48,69 € | 400r 10,22 €
+16 b12: 40 TOTAL IMPORTE FACTURA | 400r 58,91 €
300 b: 40 DATOS DEL CONTRATO
+14: 40 Titular: ROSA MARÍA PEINADO GIL | 330 NIF: 00447182K
+12: 40 CUPS: ES0021000004471822AB | 330 Nº contrato: 331188420
+12: 40 Potencia contratada: 3,45 kW | 330 Peaje: 2.0A
+12: 40 Forma de pago: domiciliación ES91 2100 0418 45** **** 1332
---
40 b: 40 DETALLE DE FACTURACIÓN
+16: 40 Potencia facturada 3,45 kW x 61 días x 0,097131 €/kW día | 540r 20,44 €
+12: 40 Energía facturada 181 kWh x 0,138950 €/kWh | 540r 25,15 €
+12: 40 Impuesto electricidad 4,864% s/ 45,59 x 1,05113 | 540r 2,33 €
+12: 40 Lectura anterior 04/12/2013: 11.447 kWh | 330 Lectura actual 03/02/2014: 11.628 kWh
+30: 40 Importe total factura | 540r 58,91 €
`,
  ),
  drawn(
    'italian energy bill, number and day in one line',
    {
      date: '2014-02-10',
      total: 93.4,
      id: '004471822014',
      currency: 'EUR',
      merchant: 'Lumen Energia S.p.A.',
    },
    { emit: 'padded' },
    `
40 b16: 40 Lumen Energia S.p.A.
58 7: 40 Viale Regina Margherita 125 - 00198 Roma - P.IVA 06655971007 - Reg. Imprese di Roma R.E.A. 1150724
90: 340 GIANNI FERRANTE
+12: 340 VIA DEI MILLE 31
+12: 340 50131 FIRENZE FI
90: 40 N. CLIENTE 884 471 220
+12: 40 CODICE FISCALE FRRGNN70A01D612X
+12: 40 POD IT001E44718220
150 b: 40 Bolletta per la fornitura di energia elettrica
+14: 40 Fattura n. 004471822014 del 10/02/2014
+12: 40 Periodo: dicembre 2013 - gennaio 2014
+12: 40 Tipologia: uso domestico residente
220 b: 40 SINTESI DEGLI IMPORTI FATTURATI
+14: 40 Servizi di vendita | 540r 47,12
+12: 40 Servizi di rete | 540r 26,03
+12: 40 Imposte erariali | 540r 4,41
+12: 40 Totale imponibile | 540r 77,56
+12: 40 IVA 10% | 540r 7,76
+12: 40 Canone e altre partite (fuori campo IVA) | 540r 8,08
+18 b12: 40 TOTALE DA PAGARE | 540r € 93,40
+14: 40 Entro il 03/03/2014
+20: 40 Le bollette precedenti risultano pagate. Grazie.
+12: 40 Consumo annuo dal 01/02/2013 al 31/01/2014: 2.671 kWh
`,
  ),
  drawn(
    'italian small company invoice, header boxes with values below',
    {
      date: '2019-01-31',
      total: 2318,
      id: '14/A',
      currency: 'EUR',
      subtotal: 1900,
      tax: 418,
      merchant: 'Officina Meccanica Brandolini S.r.l.',
      buyer: 'Cartiera del Garda Nord S.p.A.',
      items: 2,
    },
    { emit: 'runs' },
    `
40 b13: 40 Officina Meccanica Brandolini S.r.l.
+13: 40 Via Artigiani 18 - 25080 Prevalle (BS)
+12: 40 P.IVA / C.F. 03344718229 - Tel. 030 6801188
110 7: 320 Spett.le
+12: 320 Cartiera del Garda Nord S.p.A.
+12: 320 Viale Rovereto 15
+12: 320 38066 Riva del Garda (TN)
+12: 320 P.IVA 01188440227
190 7: 40 Tipo documento | 140 Numero | 220 Data | 310 Cod. cliente | 400 Pagamento
+12: 40 FATTURA | 140 14/A | 220 31/01/2019 | 310 00447 | 400 R.B. 60 gg. f.m.
230 b: 40 Descrizione | 330r Q.tà | 400r Prezzo | 470r Importo | 540r IVA
+14: 40 Rettifica rulli di calandra | 330r 2 | 400r 800,00 | 470r 1.600,00 | 540r 22
+12: 40 Trasporto e montaggio (DDT 33 del 22/01/2019) | 330r 1 | 400r 300,00 | 470r 300,00 | 540r 22
620 7: 40 Imponibile | 160 Aliquota | 240 Imposta | 360 Scadenze | 540r Totale fattura
+13: 40 1.900,00 | 160 22% | 240 418,00 | 360 31/03/2019 € 2.318,00 | 540r € 2.318,00
+24: 40 Banca d'appoggio: IT60 X054 2811 1010 0000 0123 456
`,
  ),
  drawn(
    'polish vat invoice, place and day of issue, words of the amount',
    {
      date: '2014-12-03',
      total: 1476,
      id: 'FV/12/2014',
      currency: 'PLN',
      subtotal: 1200,
      tax: 276,
      merchant: 'Kreska Studio Anna Zielińska',
      buyer: 'Drukarnia Wiślana Sp. z o.o.',
      items: 1,
    },
    { emit: 'runs' },
    `
50: 560r Miejsce wystawienia: Kraków
+13: 560r Data wystawienia: 2014/12/03
+13: 560r Data sprzedaży: 2014/11/28
110 b15: 300c Faktura VAT nr FV/12/2014
150 b: 40 Sprzedawca | 320 Nabywca
+14: 40 Kreska Studio Anna Zielińska | 320 Drukarnia Wiślana Sp. z o.o.
+12: 40 ul. Długa 44/7, 31-147 Kraków | 320 ul. Portowa 3, 80-555 Gdańsk
+12: 40 NIP: 676-11-88-442 | 320 NIP: 583-44-71-822
+12: 40 Nr konta: 61 1090 1014 0000 0712 1981 2874
240 7: 40 Lp. | 60 Nazwa towaru / usługi | 270r J.m. | 310r Ilość | 370r Cena netto | 430r Wartość netto | 460r VAT | 510r Kwota VAT | 560r Brutto
+13 8: 40 1 | 60 Skład katalogu jesień | 270r szt. | 310r 1 | 370r 1 200,00 | 430r 1 200,00 | 460r 23% | 510r 276,00 | 560r 1 476,00
+20 8: 370r Razem | 430r 1 200,00 | 510r 276,00 | 560r 1 476,00
340 b: 40 Do zapłaty: 1 476,00 PLN
+13: 40 Słownie: jeden tysiąc czterysta siedemdziesiąt sześć zł 00/100
+13: 40 Sposób zapłaty: przelew, termin płatności: 2014/12/17
`,
  ),
]
