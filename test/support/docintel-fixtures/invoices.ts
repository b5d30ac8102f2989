/** Invoices of many issuers' forms as text; cells are parted by ' | ' and become columns. */
import { written, type Fixture } from './types.ts'

const invoice = written('invoice')

export const INVOICES: readonly Fixture[] = [
  invoice(
    'aws',
    { date: '2014-08-03', total: 4.11, id: '42183017', currency: 'USD' },
    `
Amazon Web Services, Inc. | Invoice
410 Terry Avenue North
Seattle, WA 98109-5210
Email or talk to us about your AWS account or bill
visit aws.amazon.com/contact-us/
Account number: | Invoice Summary
912345678901 | Invoice Number: | 42183017
 | Invoice Date: | August 3 , 2014
 | TOTAL AMOUNT DUE ON August 3 , 2014 | $4.11
Address:
Acme GmbH
This invoice is for the billing period July 1 - July 31 , 2014
Summary
AWS Service Charges | $4.11
Charges | $4.11
Credits | $0.00
Tax | $0.00
Total for this invoice | $4.11
Detail
Amazon Simple Storage Service | $0.08
Charges | $0.08
VAT | $0.00`,
  ),
  invoice(
    'qualityhosting',
    {
      merchant: 'QualityHosting AG',
      date: '2014-07-17',
      total: 34.73,
      id: '30064443',
      currency: 'EUR',
    },
    `
QualityHosting AG • Uferweg 40-42 • 63571 Gelnhausen
Example Software GmbH | Rechnung
Herr Max Mustermann | Rechnungsnr. | 30064443
Musterweg 12 | Kundennr. | 10033
10115 Berlin | Datum | 17. Juli 2014
 | Seite | 1
Pos. | Beschreibung | Menge | Einzelpreis | Betrag
1 | Exchange Professional Postfach | 1 | 29,18 | 29,18
 | 01.07.2014 - 31.07.2014
 | Summe Netto | EUR | 29,18
 | 19% MwSt. | EUR | 5,55
 | Gesamtbetrag | EUR | 34,73
Der Betrag wird per Lastschrift eingezogen.
www.qualityhosting.de | USt-ID: DE208331022 | HRB 12345 Hanau`,
  ),
  invoice(
    'free-fr',
    { date: '2015-07-02', total: 29.99, id: '562044387', currency: 'EUR' },
    `
free
Free SAS - 75371 Paris Cedex 08
SIRET 421 938 861 00016 TVA FR 60421938861
Facture n° 562044387 | du 02 juillet 2015
Identifiant : fo10479674
M. Jean Dupont
12 rue de la Paix
75002 PARIS
Désignation | Total HT | TVA 20% | Total TTC
Forfait Freebox | 24,99 | 5,00 | 29,99
Total facture | 24,99 | 5,00 | 29,99
Total à payer TTC | 29,99 €
Prélèvement le 08 juillet 2015`,
  ),
  invoice(
    'coolblue',
    {
      merchant: 'Coolblue B.V.',
      date: '2014-10-22',
      total: 717.9,
      id: '993548900',
      currency: 'EUR',
    },
    `
Coolblue B.V. | Factuur
Weena 664
3012 CN Rotterdam
Factuurnummer: | 993548900
Factuurdatum: | 22-10-2014
Klantnummer: | 4455667
Factuuradres
Jan Jansen
Dorpsstraat 1
1234 AB Utrecht
Artikel | Aantal | Prijs | Totaal
Samsung TV | 1 | € 699,00 | € 699,00
HDMI kabel | 2 | € 9,45 | € 18,90
Subtotaal exclusief BTW | € 593,31
BTW 21% | € 124,59
Totaal inclusief BTW | € 717,90
BTW nr. NL810433941B01 KvK 24330087`,
  ),
  invoice(
    'uk-services',
    {
      merchant: 'Bluebird Studio Ltd',
      date: '2024-04-02',
      total: 1140,
      id: 'BB-2024-031',
      subtotal: 950,
      tax: 190,
      currency: 'GBP',
      items: 2,
    },
    `
Bluebird Studio Ltd | INVOICE
14 Canal Street
Manchester M1 3HE
VAT No: GB 980 7806 84
Bill to: | Invoice number: | BB-2024-031
Harbour Cafe Ltd | Invoice date: | 2 April 2024
1 Quay Road | Due date: | 2 May 2024
Bristol BS1 4QA
Description | Qty | Unit price | Amount
Menu design | 1 | 450.00 | 450.00
Photography | 2 | 250.00 | 500.00
Subtotal | £950.00
VAT 20% | £190.00
Total due | £1,140.00
Sort code 20-00-00 Account 12345678`,
  ),
  invoice(
    'boxes-header',
    {
      merchant: 'Northwind Traders Inc.',
      date: '2021-12-15',
      total: 2587.5,
      id: '100234',
      currency: 'USD',
      subtotal: 2500,
    },
    `
Northwind Traders Inc.
500 Market Street, Suite 12
San Francisco, CA 94105
INVOICE
Invoice # | Invoice Date | Terms | Due Date
100234 | 12/15/2021 | Net 30 | 01/14/2022
Bill To | Ship To
Contoso LLC | Contoso Warehouse
99 Ocean Ave | 1 Dock Rd
Santa Monica, CA 90401 | Oakland, CA 94607
Item | Description | Quantity | Rate | Amount
A-100 | Office chairs | 10 | 150.00 | 1,500.00
B-200 | Standing desk | 2 | 500.00 | 1,000.00
 | Subtotal | $2,500.00
 | Sales Tax (3.5%) | $87.50
 | Total | $2,587.50
 | Payments/Credits | $0.00
 | Balance Due | $2,587.50`,
  ),
  invoice(
    'spain',
    {
      merchant: 'Suministros García S.L.',
      date: '2022-03-12',
      total: 605,
      id: 'A/2022/55',
      subtotal: 500,
      tax: 105,
      currency: 'EUR',
    },
    `
Suministros García S.L.
C/ Mayor 14, 28013 Madrid
CIF: B83156745
FACTURA
Nº Factura: A/2022/55
Fecha: 12/03/2022
Cliente: Talleres Pérez
NIF: 12345678Z
Concepto | Cantidad | Precio | Importe
Tornillos M8 | 1000 | 0,50 | 500,00
Base imponible | 500,00 €
IVA 21% | 105,00 €
TOTAL FACTURA | 605,00 €
Forma de pago: transferencia`,
  ),
  invoice(
    'italy',
    {
      merchant: 'ROSSI INFORMATICA S.R.L.',
      date: '2023-01-31',
      total: 1220,
      id: '12/2023',
      subtotal: 1000,
      tax: 220,
      currency: 'EUR',
    },
    `
ROSSI INFORMATICA S.R.L.
Via Roma 1 - 10121 Torino
P.IVA IT00743110157
Fattura n. 12/2023 | Data: 31/01/2023
Spett.le
Bianchi SpA
Corso Francia 10, 10143 Torino
Descrizione | Quantità | Prezzo | Importo
Consulenza | 10 | 100,00 | 1.000,00
Totale imponibile | 1.000,00
IVA 22% | 220,00
Totale fattura EUR | 1.220,00
Scadenza: 28/02/2023`,
  ),
  invoice(
    'portugal',
    {
      merchant: 'Oficina Silva, Lda',
      date: '2023-10-05',
      total: 246,
      id: 'FT 2023/155',
      currency: 'EUR',
    },
    `
Oficina Silva, Lda
Rua das Flores 10, 4050-262 Porto
NIF 508123456
Fatura N.º: FT 2023/155
Data de emissão: 2023-10-05
Exmo. Sr.: Manuel Costa
Descrição | Qtd | Preço Unit. | Valor
Mudança de óleo | 1 | 120,00 | 120,00
Filtros | 2 | 40,00 | 80,00
Total Ilíquido | 200,00
IVA 23% | 46,00
Total a pagar | 246,00 €`,
  ),
  invoice(
    'kenya',
    {
      merchant: 'Savannah Tech Solutions Ltd',
      date: '2024-05-20',
      total: 139200,
      id: 'STS/0456',
      subtotal: 120000,
      tax: 19200,
      currency: 'KES',
    },
    `
Savannah Tech Solutions Ltd | TAX INVOICE
P.O. Box 12345-00100, Nairobi, Kenya
Tel: +254 722 000 111
PIN: P051234567X
Invoice No: STS/0456
Date: 20th May 2024
To: Rift Valley Growers Co-op
PIN: P059876543Z
Description | Qty | Unit Price (KES) | Total (KES)
Network installation | 1 | 80,000.00 | 80,000.00
Routers | 4 | 10,000.00 | 40,000.00
Sub Total | 120,000.00
VAT 16% | 19,200.00
Total | 139,200.00
Pay via M-PESA Paybill 522522`,
  ),
  invoice(
    'azure',
    { date: '2015-01-26', total: 40.24, id: 'E010002ALX', currency: 'EUR' },
    `
Microsoft Ireland Operations Ltd | Invoice
Atrium Building Block B
Carmenhall Road, Sandyford Industrial Estate
Dublin 18, Ireland
VAT Registration number: IE8256796U
Invoice Number | E010002ALX
Billing Period | 24/12/2014 - 23/01/2015
Invoice Date | 26/01/2015
Due Date | 25/02/2015
Bill To
Acme Srl
Summary
Charges | 33.00
Discounts | 0.00
Credits | 0.00
Total (excl. VAT) | EUR 33.00
VAT 21.95% | EUR 7.24
Grand Total | EUR 40.24`,
  ),
  invoice(
    'germany-heads',
    {
      merchant: 'Muster & Söhne GmbH',
      date: '2023-08-01',
      total: 1190,
      id: 'RE-2023-118',
      subtotal: 1000,
      tax: 190,
      currency: 'EUR',
    },
    `
Muster & Söhne GmbH, Hauptstr. 5, 80331 München
Kunde AG | Rechnung
Postfach 12
20095 Hamburg
Rechnungs-Nr. | Rechnungsdatum | Kunden-Nr. | Fällig am
RE-2023-118 | 01.08.2023 | K-5001 | 15.08.2023
Pos | Bezeichnung | Menge | Einheit | E-Preis | Gesamt
1 | Beratung | 8 | Std | 125,00 | 1.000,00
Nettobetrag | MwSt-Satz | MwSt-Betrag | Rechnungsbetrag
1.000,00 | 19 % | 190,00 | 1.190,00
Zahlbar innerhalb von 14 Tagen ohne Abzug.
Steuernummer 143/123/45678 | USt-IdNr. DE136695976`,
  ),
  invoice(
    'saas',
    {
      merchant: 'Example Labs, Inc.',
      date: '2023-05-01',
      total: 96,
      id: 'A1B2C3D4-0007',
      currency: 'USD',
    },
    `
Invoice
Invoice number A1B2C3D4-0007
Date of issue May 1, 2023
Date due May 1, 2023
Example Labs, Inc. | Bill to
548 Market St | Jane Roe
San Francisco, California 94104 | jane@roe.example
United States
$96.00 due May 1, 2023
Pay online
Description | Qty | Unit price | Amount
Pro plan
May 1 – Jun 1, 2023 | 4 | $24.00 | $96.00
Subtotal | $96.00
Total | $96.00
Amount due | $96.00`,
  ),
  invoice(
    'flipkart',
    { date: '2015-06-28', total: 319, id: '#BLR_WFLD20150600182364', currency: 'INR' },
    `
Tax Invoice
Sold By: WS Retail Services Pvt. Ltd. ,
Address: Ozone Manay Tech Park, Hongasandra Village, Bengaluru, Karnataka, India - 560068
Invoice No: #BLR_WFLD20150600182364
Order ID: OD403229483719382000
Order Date: 27-06-2015
Invoice Date: 28-06-2015
VAT/TIN: 29730885464 | CST: 29730885464
Billing Address | Shipping Address
Ravi Kumar | Ravi Kumar
MG Road Bangalore | MG Road Bangalore
Product | Title | Qty | Price | Tax | Total
Books | Head First Java | 1 | 319.00 | 0.00 | 319.00
Total | 1 | 319.00 | 0.00 | 319.00
Grand Total | Rs. 319.00`,
  ),
  invoice(
    'paid-in-full',
    { total: 250, date: '2022-02-14', id: '7781', currency: 'AUD' },
    `
Harbour Plumbing Pty Ltd
ABN 53 004 085 616
12 Wharf Rd, Sydney NSW 2000
TAX INVOICE 7781
Date: 14/02/2022
Customer: B. Smith
Labour 2 hrs @ $85.00 | $170.00
Parts | $57.27
Subtotal | $227.27
GST 10% | $22.73
Total | $250.00
Amount paid | $250.00
Balance due | $0.00`,
  ),
]
