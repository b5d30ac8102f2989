/** Invoices in southern, northern and eastern languages and from overseas, as software draws them. */
import { drawn, type IssuerFixture } from './types.ts'

export const DRAWN_WORLD: readonly IssuerFixture[] = [
  drawn(
    'spanish telecom',
    {
      date: '2021-06-01',
      total: 63.57,
      id: '60-F1U0-009127',
      currency: 'EUR',
      subtotal: 52.54,
      tax: 11.03,
      merchant: 'Telefonía Meseta S.A.U.',
      buyer: 'Lucía Ferrer Pons',
    },
    { emit: 'words', order: 'columns' },
    `
50 b18: 40 meseta
80 7: 40 Telefonía Meseta S.A.U. C/ Gran Vía 28, 28013 Madrid. CIF A82018474
120: 330 Lucía Ferrer Pons
+12: 330 Carrer de Mallorca 210, 3º 1ª
+12: 330 08008 Barcelona
120 b8: 40 Nº de factura
+11: 40 60-F1U0-009127
+14 b8: 40 Fecha de emisión
+11: 40 1 de junio de 2021
+14 b8: 40 Periodo regular de cuotas
+11: 40 (01 Jun. a 30 Jun. 21)
+14 b8: 40 Titular / NIF
+11: 40 Lucía Ferrer Pons / 46120981Q
240 b12: 40 Resumen de factura | 555r Importe (euros)
+18: 40 Cuotas | 555r 49,54
+13: 40 Consumo | 555r 3,00
+16: 40 Total base imponible | 555r 52,54
+13: 40 IVA (21%) | 555r 11,03
+18 b12: 40 TOTAL A PAGAR | 555r 63,57
360: 40 Fecha de cargo en su cuenta: 8 de junio de 2021
`,
  ),
  drawn(
    'italian fattura with boxed heads',
    {
      date: '2022-05-12',
      total: 1464,
      id: '245/A',
      currency: 'EUR',
      subtotal: 1200,
      tax: 264,
      merchant: 'Officine Brambilla S.r.l.',
      buyer: 'Cantieri Navali Riviera S.p.A.',
    },
    { emit: 'padded', order: 'drawn' },
    `
40 b14: 40 Officine Brambilla S.r.l.
+13 8: 40 Via delle Industrie 12 - 20861 Brugherio (MB)
+10 8: 40 P.IVA 02345670968 - C.F. 02345670968
110 7: 330 Spett.le
+11: 330 Cantieri Navali Riviera S.p.A.
+12: 330 Molo Duca degli Abruzzi 1
+12: 330 16128 Genova (GE)
170 b7: 40 TIPO DOCUMENTO | 150 NUMERO | 220 DATA | 300 COD. CLIENTE | 380 PARTITA IVA | 500 PAG.
+11: 40 FATTURA IMMEDIATA | 150 245/A | 220 12/05/2022 | 300 C00318 | 380 00312400106 | 500 1
200 b7: 40 CONDIZIONI DI PAGAMENTO | 300 BANCA D'APPOGGIO
+11: 40 BONIFICO 60 GG D.F. F.M. | 300 IT60X0542811101000000123456
250 b7: 40 CODICE | 110 DESCRIZIONE | 330r U.M. | 380r Q.TÀ | 450r PREZZO | 490r SC.% | 555r IMPORTO
+13: 40 MAN-01 | 110 Manutenzione pressa idraulica | 330r H | 380r 20,00 | 450r 45,0000 | 555r 900,00
+12: 40 RIC-77 | 110 Guarnizioni HNBR | 330r PZ | 380r 30,00 | 450r 10,0000 | 555r 300,00
680 b7: 40 TOTALE MERCE | 130 SCONTO | 200 SPESE TRASPORTO | 300 IMPONIBILE | 380 IVA % | 430 IMPOSTA | 490 TOTALE DOCUMENTO
+11: 40 1.200,00 | 130 0,00 | 200 0,00 | 300 1.200,00 | 380 22 | 430 264,00 | 490 € 1.464,00
720 b7: 40 SCADENZE
+11: 40 31/07/2022 € 1.464,00
`,
  ),
  drawn(
    'portuguese fatura-recibo',
    {
      date: '2023-04-18',
      total: 92.25,
      id: 'FR 2023A/118',
      currency: 'EUR',
      subtotal: 75,
      tax: 17.25,
      merchant: 'Clínica Veterinária do Rossio, Lda',
      buyer: 'Teresa Nogueira',
    },
    { emit: 'runs' },
    `
50 b13: 40 Clínica Veterinária do Rossio, Lda
+12: 40 Rua da Betesga 11, 1100-090 Lisboa
+12: 40 Contribuinte: 508112233
120: 330 Exmo.(a) Sr.(a)
+12: 330 Teresa Nogueira
+12: 330 Av. Almirante Reis 45
+12: 330 1150-010 Lisboa
200 b12: 40 Fatura-Recibo FR 2023A/118 | 480 Original
+12 8: 40 ATCUD: JFX8T2QZ-118
235 b8: 40 Data de emissão | 150 Vencimento | 250 V/ N.º Contrib. | 380 Moeda
+11: 40 2023-04-18 | 150 2023-04-18 | 250 221334455 | 380 EUR
280 b8: 40 Artigo | 110 Descrição | 330r Qtd. | 400r Pr. Unitário | 460r Desc. | 500r IVA | 555r Valor
+13: 40 CONS | 110 Consulta | 330r 1,00 | 400r 35,00 | 460r 0,00 | 500r 23,00 | 555r 35,00
+12: 40 VAC | 110 Vacina polivalente | 330r 1,00 | 400r 40,00 | 460r 0,00 | 500r 23,00 | 555r 40,00
600 b8: 40 Quadro resumo do IVA | 380 Mercadorias/Serviços | 555r 75,00
+12 8: 40 Taxa 23% | 120 Incid. 75,00 | 220 Valor 17,25 | 380 Desconto comercial | 555r 0,00
+12 8: 380 IVA | 555r 17,25
+14 b: 380 Total ( EUR ) | 555r 92,25
780 7: 40 xK3p-Processado por programa certificado n.º 0006/AT
`,
  ),
  drawn(
    'polish VAT invoice, seller and buyer side by side',
    {
      date: '2021-03-25',
      total: 3075,
      id: 'FV/118/03/2021',
      currency: 'PLN',
      subtotal: 2500,
      tax: 575,
      merchant: 'Drukarnia Wisła Sp. z o.o.',
      buyer: 'Fundacja Zielony Żoliborz',
    },
    { emit: 'runs', font: 'subset' },
    `
50 b15: 40 Faktura VAT nr FV/118/03/2021
75: 380 Data wystawienia: | 555r 25.03.2021
+12: 380 Data sprzedaży: | 555r 24.03.2021
+12: 380 Miejsce wystawienia: | 555r Kraków
140 b: 40 Sprzedawca | 320 Nabywca
+13: 40 Drukarnia Wisła Sp. z o.o. | 320 Fundacja Zielony Żoliborz
+12: 40 ul. Wielicka 44 | 320 ul. Krasińskiego 10/3
+12: 40 30-552 Kraków | 320 01-581 Warszawa
+12: 40 NIP: 6792345678 | 320 NIP: 5252233445
250 b8: 40 Lp. | 65 Nazwa towaru lub usługi | 300r J.m. | 340r Ilość | 400r Cena netto | 460r Wartość netto | 490r VAT | 555r Wartość brutto
+14: 40 1 | 65 Druk ulotek A5 | 300r szt. | 340r 5000 | 400r 0,30 | 460r 1 500,00 | 490r 23% | 555r 1 845,00
+13: 40 2 | 65 Projekt graficzny | 300r usł. | 340r 1 | 400r 1 000,00 | 460r 1 000,00 | 490r 23% | 555r 1 230,00
+16 b8: 400r Razem | 460r 2 500,00 | 490r 575,00 | 555r 3 075,00
340 b12: 40 Do zapłaty: 3 075,00 PLN
+14: 40 Słownie: trzy tysiące siedemdziesiąt pięć złotych 00/100
+14: 40 Sposób płatności: przelew | 250 Termin płatności: 08.04.2021
+14: 40 Zapłacono: 0,00 PLN | 250 Pozostaje: 3 075,00 PLN
`,
  ),
  drawn(
    'swedish faktura with slip',
    {
      date: '2022-10-03',
      total: 1499,
      id: '44871',
      currency: 'SEK',
      merchant: 'Fjällvinden El AB',
      buyer: 'Anna Lindqvist',
      tax: 299.8,
      subtotal: 1199.2,
    },
    { emit: 'runs', space: 'flipped' },
    `
50 b16: 40 Fjällvinden El AB | 400 FAKTURA
90: 400 Fakturanummer | 555r 44871
+12: 400 Fakturadatum | 555r 2022-10-03
+12: 400 Kundnummer | 555r 10293
+12: 400 OCR-nummer | 555r 4487110293
+12: 400 Förfallodatum | 555r 2022-10-31
150: 40 Anna Lindqvist
+12: 40 Björkvägen 3
+12: 40 831 41 Östersund
240 b: 40 Beskrivning | 380r Antal | 450r À-pris | 555r Belopp
+14: 40 Elförbrukning september | 380r 812 kWh | 450r 1,23 | 555r 998,76
+13: 40 Fast avgift | 380r 1 mån | 450r 200,00 | 555r 200,00
320: 380 Netto | 555r 1 199,20
+12: 380 Moms 25 % | 555r 299,80
+12: 380 Öresavrundning | 555r 0,00
+15 b: 380 Att betala SEK | 555r 1 499,00
640 b8: 40 INBETALNING/GIRERING | 400 Bankgiro 5412-3344
+30 8: 40 OCR 4487110293 | 300 Belopp 1499 kr 00 öre | 400 Till bankgironr 5412-3344
`,
  ),
  drawn(
    'czech tax document',
    {
      date: '2020-07-07',
      total: 12281.5,
      id: '202000713',
      currency: 'CZK',
      subtotal: 10150,
      tax: 2131.5,
      merchant: 'Strojírny Kopřiva s.r.o.',
      buyer: 'Pivovar Údolí a.s.',
    },
    { emit: 'runs', font: 'subset', order: 'columns' },
    `
50 b14: 300 Faktura - daňový doklad č. 202000713
90 b8: 40 Dodavatel: | 300 Odběratel:
+13: 40 Strojírny Kopřiva s.r.o. | 300 Pivovar Údolí a.s.
+12: 40 Nádražní 55 | 300 Pod Lipami 2
+12: 40 586 01 Jihlava | 300 471 54 Cvikov
+12: 40 IČ: 25312345 DIČ: CZ25312345 | 300 IČ: 61234567 DIČ: CZ61234567
180: 40 Datum vystavení: | 160 07.07.2020
+12: 40 Datum splatnosti: | 160 21.07.2020
+12: 40 Datum uskutečnění plnění: | 160 06.07.2020
+12: 40 Forma úhrady: | 160 Příkazem
180: 300 Variabilní symbol: | 420 202000713
+12: 300 Číslo účtu: | 420 123456789/0100
260 b8: 40 Označení dodávky | 270r Množství | 340r J.cena | 400r Sleva | 460r Cena | 500r %DPH | 555r Kč Celkem
+14: 40 Oprava čerpadla | 270r 7 hod | 340r 1 450,00 | 460r 10 150,00 | 500r 21 | 555r 12 281,50
330 b8: 40 Rekapitulace DPH v Kč: | 250 Základ v Kč | 330 Sazba | 400 DPH v Kč | 555r Celkem s DPH v Kč
+12: 250 10 150,00 | 330 21% | 400 2 131,50 | 555r 12 281,50
+24 b12: 300 CELKEM K ÚHRADĚ | 555r 12 281,50
`,
  ),
  drawn(
    'indian marketplace tax invoice',
    {
      date: '2018-08-09',
      total: 1299,
      id: 'F0XAB01901234567',
      currency: 'INR',
      merchant: 'Sarita Electronics Retail Private Limited',
      buyer: 'Rohan Deshpande',
      items: 1,
    },
    { emit: 'runs', font: 'subset', space: 'scaled' },
    `
40 b12: 40 Tax Invoice
60 b: 40 Sold By: Sarita Electronics Retail Private Limited , | 400 Invoice Number # F0XAB01901234567
+11 8: 40 Ship-from Address: Plot 41, Bhiwandi, Thane, Maharashtra - 421302, IN
+11 b8: 40 GSTIN - 27AAQCS4259Q1ZA
120 b8: 40 Order ID: OD112233445566778 | 230 Bill To | 400 Ship To
+12 8: 40 Order Date: 08-08-2018 | 230 Rohan Deshpande | 400 Rohan Deshpande
+11 8: 40 Invoice Date: 09-08-2018 | 230 14 Lake Road, Kothrud | 400 14 Lake Road, Kothrud
+11 8: 40 PAN: AAQCS4259Q | 230 Pune 411038 Maharashtra | 400 Pune 411038 Maharashtra
+11 8: 40 CIN: U51909KA2009PTC049889 | 230 Phone: xxxxxxxxxx | 400 Phone: xxxxxxxxxx
185 8: 40 Total items: 1
200 b8: 40 Product | 130 Title | 300r Qty | 350r Gross Amount ₹ | 400r Discount ₹ | 450r Taxable Value ₹ | 490r CGST ₹ | 520r SGST ₹ | 560r Total ₹
+14 8: 40 Headphones | 130 Boom Bass 200 Wireless | 300r 1 | 350r 1499.00 | 400r -200.00 | 450r 1100.84 | 490r 99.08 | 520r 99.08 | 560r 1299.00
+11 8: 40 FSN: ACCEX1234 | 130 Warranty: 1 Year
+11 8: 40 HSN/SAC: 85183000 | 130 CGST: 9.0 % SGST: 9.0 %
+18 b8: 130 Total | 300r 1 | 350r 1499.00 | 400r -200.00 | 450r 1100.84 | 490r 99.08 | 520r 99.08 | 560r 1299.00
280 b12: 400 Grand Total | 560r ₹ 1299.00
+14 8: 440 Sarita Electronics Retail Private Limited
+30 8: 440 Authorized Signatory
`,
  ),
  drawn(
    'mexican CFDI',
    {
      date: '2023-05-04',
      total: 17400,
      id: 'B-2291',
      currency: 'MXN',
      subtotal: 15000,
      tax: 2400,
      merchant: 'Logística del Bajío SA de CV',
      buyer: 'Textiles Aguascalientes SA de CV',
    },
    { emit: 'words', page: [612, 792] },
    `
40 b13: 40 Logística del Bajío SA de CV
+12 8: 40 RFC: LBA110302QX7 | 360 FACTURA
+11 8: 40 Régimen fiscal: 601 General de Ley Personas Morales | 360 Serie y folio: B-2291
+11 8: 40 Lugar de expedición: 37000 | 360 Fecha y hora de expedición: 2023-05-04T12:33:21
+11 8: 360 Folio fiscal: 3F2504E0-4F89-41D3-9A0C-0305E82C3301
+11 8: 360 Fecha y hora de certificación: 2023-05-04T12:35:02
120 b8: 40 Receptor
+11 8: 40 Textiles Aguascalientes SA de CV
+11 8: 40 RFC: TAG9804127K1 | 300 Uso CFDI: G03 Gastos en general
180 b8: 40 Cantidad | 100 Clave | 160 Unidad | 230 Descripción | 470r Valor unitario | 572r Importe
+13 8: 40 3 | 100 78101802 | 160 E48 | 230 Flete León - Aguascalientes | 470r $ 5,000.00 | 572r $ 15,000.00
260 8: 40 Importe con letra: DIECISIETE MIL CUATROCIENTOS PESOS 00/100 M.N. | 430 Subtotal | 572r $ 15,000.00
+12 8: 430 IVA 16% | 572r $ 2,400.00
+12 b8: 430 Total | 572r $ 17,400.00
300 8: 40 Moneda: MXN Peso mexicano | 200 Forma de pago: 03 Transferencia electrónica | 400 Método de pago: PUE
360 6: 40 Sello digital del CFDI: mD8k2Jx9aQ1zP0v7Y6tR5eW4qA3sD2fG1hJ0kL9zX8cV7bN6mQ5wE4rT3yU2iO1pA0sD9fG8hJ7kL6
`,
  ),
  drawn(
    'singapore tax invoice, prepaid deposit',
    {
      date: '2019-12-19',
      total: 8560,
      id: 'TI-19-3320',
      currency: 'SGD',
      subtotal: 8000,
      tax: 560,
      merchant: 'Straits Joinery Pte Ltd',
      buyer: 'Orchid Dental Surgery',
    },
    { emit: 'runs' },
    `
50 b14: 40 Straits Joinery Pte Ltd
+12: 40 10 Kaki Bukit Road 1 #03-11, Singapore 416175
+12: 40 GST Reg No: 201512345K
60 b14: 430 TAX INVOICE
110: 40 To: | 70 Orchid Dental Surgery | 380 Invoice No | 460 : TI-19-3320
+12: 70 290 Orchard Road #12-04 | 380 Date | 460 : 19-Dec-2019
+12: 70 Singapore 238859 | 380 Your PO | 460 : ODS/112
+12: 40 Attn: | 70 Dr Melissa Tan | 380 Terms | 460 : COD
200 b: 40 No | 70 Description | 400r Qty | 470r Unit Price | 555r Amount (S$)
+14: 40 1 | 70 Reception counter, walnut | 400r 1 | 470r 5,600.00 | 555r 5,600.00
+13: 40 2 | 70 Wall cabinet | 400r 4 | 470r 600.00 | 555r 2,400.00
330: 380 Sub Total | 555r 8,000.00
+13: 380 GST 7% | 555r 560.00
+13 b: 380 Grand Total | 555r 8,560.00
+13: 380 Less: Deposit paid | 555r (4,000.00)
+15 b: 380 Balance Payable | 555r 4,560.00
`,
  ),
  drawn(
    'australian trade invoice, GST included',
    {
      date: '2024-02-07',
      total: 616,
      id: 'SYD00481',
      currency: 'AUD',
      merchant: 'Coogee Plumbing Pty Ltd',
      buyer: 'Strata Plan 55120',
      tax: 56,
    },
    { emit: 'runs', order: 'shuffled' },
    `
50 b15: 40 Coogee Plumbing Pty Ltd
+12: 40 ABN 51 824 753 556
+12: 40 PO Box 90, Coogee NSW 2034
50 b18: 440 Tax Invoice
80 b8: 440 Invoice Number
+11: 440 SYD00481
+14 b8: 440 Issue Date
+11: 440 7 Feb 2024
+14 b8: 440 Due Date
+11: 440 21 Feb 2024
120: 40 Strata Plan 55120
+12: 40 c/- Harbour Strata Management
+12: 40 Bondi Junction NSW 2022
210 b: 40 Description | 350r Quantity | 430r Unit Price | 480r GST | 555r Amount AUD
+14: 40 Replace mixing valve | 350r 2.00 | 430r 180.00 | 480r 10% | 555r 360.00
+13: 40 Callout | 350r 1.00 | 430r 200.00 | 480r 10% | 555r 200.00
280: 400 Subtotal | 555r 560.00
+13: 400 TOTAL GST 10% | 555r 56.00
+15 b12: 400 TOTAL AUD | 555r 616.00
`,
  ),
  drawn(
    'turkish e-invoice',
    {
      date: '2023-09-15',
      total: 14160,
      id: 'ABC2023000000417',
      currency: 'TRY',
      merchant: 'Anadolu Makine Sanayi A.Ş.',
      buyer: 'Ege Tarım Ltd. Şti.',
    },
    { emit: 'words', font: 'subset' },
    `
40 b11: 40 Anadolu Makine Sanayi A.Ş.
+11 8: 40 Organize Sanayi Bölgesi 4. Cadde No: 12
+11 8: 40 Selçuklu/ Konya
+11 8: 40 Vergi Dairesi: Selçuk | 250 e-FATURA
+11 8: 40 VKN: 0680412345
120 b8: 40 SAYIN
+11 8: 40 Ege Tarım Ltd. Şti. | 380 Özelleştirme No: | 480 TR1.2
+11 8: 40 Atatürk Bulvarı 9 | 380 Senaryo: | 480 TICARIFATURA
+11 8: 40 İzmir | 380 Fatura Tipi: | 480 SATIS
+11 8: 40 VKN: 3250998877 | 380 Fatura No: | 480 ABC2023000000417
+11 8: 380 Fatura Tarihi: | 480 15-09-2023
+11 8: 380 İrsaliye No: | 480 IRS-118
220 b8: 40 Sıra No | 90 Mal Hizmet | 280r Miktar | 350r Birim Fiyat | 420r KDV Oranı | 480r KDV Tutarı | 555r Mal Hizmet Tutarı
+13 8: 40 1 | 90 Sulama pompası | 280r 4 Adet | 350r 3.000 TL | 420r %18,00 | 480r 2.160,00 TL | 555r 12.000,00 TL
300 8: 380 Mal Hizmet Toplam Tutarı | 555r 12.000,00 TL
+12 8: 380 Toplam İskonto | 555r 0,00 TL
+12 8: 380 Hesaplanan KDV(%18) | 555r 2.160,00 TL
+12 8: 380 Vergiler Dahil Toplam Tutar | 555r 14.160,00 TL
+12 b8: 380 Ödenecek Tutar | 555r 14.160,00 TL
`,
  ),
  drawn(
    'finnish lasku',
    {
      date: '2021-02-11',
      total: 248,
      id: '10558',
      currency: 'EUR',
      subtotal: 200,
      tax: 48,
      merchant: 'Saimaan Siivous Oy',
      buyer: 'Asunto Oy Puistola',
    },
    { emit: 'runs' },
    `
50 b14: 40 Saimaan Siivous Oy | 330 LASKU
80: 330 Laskun numero | 470 10558
+12: 330 Laskun päivä | 470 11.2.2021
+12: 330 Eräpäivä | 470 25.2.2021
+12: 330 Viitenumero | 470 1055 82
+12: 330 Asiakasnumero | 470 402
80: 40 Asunto Oy Puistola
+12: 40 Rantatie 4
+12: 40 53100 Lappeenranta
200 b: 40 Tuote | 330r Määrä | 400r à-hinta | 460r ALV % | 555r Yhteensä
+14: 40 Porrassiivous | 330r 4 | 400r 50,00 | 460r 24 | 555r 200,00
270: 380 Veroton yhteensä | 555r 200,00
+12: 380 ALV 24 % | 555r 48,00
+15 b: 380 Maksettava yhteensä EUR | 555r 248,00
780 7: 40 Saimaan Siivous Oy, Y-tunnus 2345678-9, IBAN FI21 1234 5600 0007 85
`,
  ),
  drawn(
    'danish faktura, mono-spaced feel, values below labels',
    {
      date: '2020-05-20',
      total: 5937.5,
      id: '20051',
      currency: 'DKK',
      subtotal: 4750,
      tax: 1187.5,
      merchant: 'Vestkystens Tømrer ApS',
      buyer: 'Rødovre Kommune',
    },
    { emit: 'glyphs' },
    `
50: 40 Rødovre Kommune | 380 Vestkystens Tømrer ApS
+12: 40 Rødovre Parkvej 150 | 380 Havnegade 9
+12: 40 2610 Rødovre | 380 6700 Esbjerg
+12: 40 EAN: 5798001234567 | 380 CVR-nr. 31234567
160 b16: 40 Faktura 20051
190: 40 Fakturadato: 20. maj 2020
+12: 40 Forfaldsdato: 19. juni 2020
240 b: 40 Tekst | 330r Antal | 420r Pris | 555r Beløb
+14: 40 Udskiftning af vinduer | 330r 19 | 420r 250,00 | 555r 4.750,00
300: 400 Subtotal | 555r 4.750,00
+12: 400 Moms (25%) | 555r 1.187,50
+15 b: 400 Total DKK | 555r 5.937,50
`,
  ),
  drawn(
    'hungarian számla',
    {
      date: '2022-04-22',
      total: 63500,
      id: 'SZ-2022/00388',
      currency: 'HUF',
      merchant: 'Balaton Könyvelő Kft.',
      buyer: 'Kékfrank Pincészet Bt.',
    },
    { emit: 'runs', font: 'subset' },
    `
50 b16: 297c SZÁMLA
70: 400 Számlaszám: SZ-2022/00388
100 b: 40 Eladó | 320 Vevő
+13: 40 Balaton Könyvelő Kft. | 320 Kékfrank Pincészet Bt.
+12: 40 8230 Balatonfüred, Fő utca 2. | 320 9400 Sopron, Várkerület 8.
+12: 40 Adószám: 12345676-2-19 | 320 Adószám: 23456785-2-08
170 b8: 40 Fizetési mód | 140 Teljesítés dátuma | 250 Számla kelte | 360 Fizetési határidő
+12: 40 Átutalás | 140 2022.04.20. | 250 2022.04.22. | 360 2022.05.06.
220 b8: 40 Megnevezés | 280r Menny. | 350r Egységár | 420r Nettó ár | 470r ÁFA | 555r Bruttó ár
+13: 40 Könyvelési díj április | 280r 1 hó | 350r 50 000 | 420r 50 000 | 470r 27% | 555r 63 500
290: 300 Nettó összesen: | 555r 50 000 Ft
+12: 300 ÁFA összesen: | 555r 13 500 Ft
+15 b12: 300 Fizetendő végösszeg: | 555r 63 500 Ft
`,
  ),
]
