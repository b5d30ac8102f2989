/** The fourth set: travel, utilities, law and tax invoices of Britain, America, India, Australia. */
import { drawn, type IssuerFixture } from './types.ts'

export const FOURTH_WORLD: readonly IssuerFixture[] = [
  drawn(
    'airline passenger receipt, fare components, ticket numbers',
    {
      date: '2017-09-12',
      total: 412.87,
      id: 'INV-LH7K2P-001',
      currency: 'GBP',
      merchant: 'Caledonia Airways plc',
    },
    { emit: 'runs' },
    `
40 b16: 40 Caledonia Airways
70 b13: 40 Passenger Receipt / Invoice
+16: 40 Invoice No: INV-LH7K2P-001 | 330 Booking reference: LH7K2P
+12: 40 Date of issue: 12 Sep 17 | 330 Ticket number: 220-4471882209
+12: 40 Passenger: MR EDWIN STOKES | 330 Frequent flyer: 99220 4471 882
150 b: 40 Flight | 110 From | 220 To | 330 Departs | 440 Class
+13: 40 CA1442 | 110 London Heathrow | 220 Edinburgh | 330 02 Oct 17 07:15 | 440 Economy
+12: 40 CA1459 | 110 Edinburgh | 220 London Heathrow | 330 05 Oct 17 18:40 | 440 Economy
220 b: 40 Fare details
+14: 40 Base fare | 540r GBP 302.00
+12: 40 Carrier imposed charge | 540r GBP 48.00
+12: 40 Air Passenger Duty (GB) | 540r GBP 26.00
+12: 40 Passenger Service Charge (UB) | 540r GBP 36.87
+16 b: 40 Total amount | 540r GBP 412.87
+20: 40 Form of payment: Visa XXXXXXXXXXXX4471 - authorisation 088412 - GBP 412.87
+12: 40 Baggage allowance: 1 piece up to 23 kg. Change fee GBP 60.00 per person.
780 7: 40 Caledonia Airways plc, Waterside, PO Box 365, Harmondsworth UB7 0GB. Registered in England 1777777. VAT GB 238 7228 44
`,
  ),
  drawn(
    'hotel folio, debits and credits, nil balance',
    {
      date: '2015-11-19',
      total: 417.5,
      id: '118842',
      currency: 'EUR',
      merchant: 'Hotel Zum Alten Anker',
      buyer: 'Brightwater Ltd',
    },
    { emit: 'runs', order: 'columns' },
    `
40 b15: 297c Hotel Zum Alten Anker
+13: 297c Rheinuferstr. 6, 50668 Köln
90: 40 Brightwater Ltd
+12: 40 Mr Colin Fairbank
+12: 40 22 Quay Road
+12: 40 Bristol BS1 4QA
+12: 40 United Kingdom
90 b: 360 INVOICE No. 118842
+13: 360 Room: | 460 412
+12: 360 Arrival: | 460 16-11-15
+12: 360 Departure: | 460 19-11-15
+12: 360 Confirmation: | 460 4471882
+12: 360 Cashier: | 460 17
+12: 360 Date: | 460 19-11-15
200 b: 40 Date | 110 Text | 450r Charges EUR | 540r Credits EUR
+14: 40 16-11-15 | 110 Accommodation | 450r 119.00
+12: 40 16-11-15 | 110 Restaurant Dinner | 450r 38.50
+12: 40 17-11-15 | 110 Accommodation | 450r 119.00
+12: 40 18-11-15 | 110 Accommodation | 450r 119.00
+12: 40 18-11-15 | 110 Parking | 450r 22.00
+12: 40 19-11-15 | 110 Visa Card XXXX4471 | 540r 417.50
+18 b: 110 Total | 450r 417.50 | 540r 417.50
+14 b: 110 Balance | 450r 0.00
380: 40 VAT | 150r Net | 230r Tax | 310r Gross
+12: 40 7% | 150r 333.64 | 230r 23.36 | 310r 357.00
+12: 40 19% | 150r 50.84 | 230r 9.66 | 310r 60.50
700: 40 I agree that my liability for this bill is not waived. Signature ________________
`,
  ),
  drawn(
    'british energy bill, account balance, direct debit',
    {
      date: '2014-02-03',
      total: 187.32,
      id: '60044718',
      currency: 'GBP',
      merchant: 'Pennine Power',
      tax: 8.92,
    },
    { emit: 'kerned' },
    `
40 b17: 40 Pennine Power
80: 40 Mrs J Hartley
+12: 40 17 Weavers Row
+12: 40 Hebden Bridge
+12: 40 HX7 8AD
80: 340 Your account number | 540r 8504 4718 8220
+12: 340 Bill number | 540r 60044718
+12: 340 Bill date | 540r 3 February 2014
+12: 340 Supply period | 540r 2 Nov 2013 - 1 Feb 2014
170 b13: 40 Your electricity and gas bill
+20: 40 Balance on your last bill (5 November 2013) | 540r £164.10
+13: 40 Payment received 19 November 2013 - thank you | 540r £164.10 CR
+13: 40 Electricity charges | 540r £81.44
+13: 40 Gas charges | 540r £96.96
+13: 40 VAT at 5% | 540r £8.92
+18 b12: 40 Total amount due | 540r £187.32
+14: 40 Please pay by 20 February 2014
---
40 b: 40 Your electricity in detail
+16: 40 Meter S82C 18844 previous reading 2 Nov 2013 | 540r 11482
+12: 40 Present reading 1 Feb 2014 (estimated) | 540r 12019
+12: 40 537 kWh at 12.770p | 540r £68.57
+12: 40 Standing charge 92 days at 13.99p | 540r £12.87
+24 b: 40 Bank giro credit - 60044718 | 540r £187.32
`,
  ),
  drawn(
    'law firm statement of fees, time entries, earlier balance',
    {
      date: '2014-02-03',
      total: 2317.85,
      id: '20877',
      currency: 'USD',
      merchant: 'Whitlock, Perrin & Dow LLP',
      buyer: 'Sandpiper Marine Supply Co.',
    },
    { emit: 'runs', page: [612, 792] },
    `
40 b15: 306c Whitlock, Perrin & Dow LLP
+14: 306c Attorneys at Law
+12: 306c 400 Commercial Street, Suite 700 - Portland, Maine 04101
+12: 306c Tax ID 01-0447188
120: 40 Sandpiper Marine Supply Co.
+12: 40 Attn: Mr. Roy Tibbetts
+12: 40 9 Wharf Lane
+12: 40 Rockland, ME 04841
120: 400 February 3, 2014
+12: 400 Invoice No. 20877
+12: 400 Client/Matter: 4471.0002
200: 40 Re: Harbor lease dispute
+16: 40 FOR PROFESSIONAL SERVICES RENDERED THROUGH JANUARY 31, 2014
240 b: 40 Date | 100 Atty | 140 Description | 460r Hours | 560r Amount
+14: 40 01/07/14 | 100 SPW | 140 Review of lease and correspondence | 460r 2.40 | 560r $780.00
+12: 40 01/14/14 | 100 SPW | 140 Conference with client; draft demand letter | 460r 3.10 | 560r $1,007.50
+12: 40 01/22/14 | 100 KLD | 140 Legal research regarding riparian rights | 460r 2.00 | 560r $450.00
+18: 140 Total fees | 460r 7.50 | 560r $2,237.50
+18 b: 40 Disbursements
+13: 40 01/15/14 | 140 Filing fee | 560r $65.00
+12: 40 01/23/14 | 140 Photocopies (102 @ .15) | 560r $15.35
+14: 140 Total disbursements | 560r $80.35
+18 b: 140 TOTAL THIS INVOICE | 560r $2,317.85
+14: 140 Previous balance | 560r $1,105.00
+12: 140 Payment received 01/10/14 | 560r ($1,105.00)
+14 b: 140 Balance due | 560r $2,317.85
`,
  ),
  drawn(
    'indian marketplace tax invoice, order and invoice dates side by side',
    {
      date: '2018-07-24',
      total: 1347,
      id: 'FABHX31900044718',
      currency: 'INR',
      merchant: 'Saraswati Retail Private Limited',
      buyer: 'Nikhil Deshmukh',
    },
    { emit: 'runs' },
    `
40 b13: 40 Tax Invoice | 560r Invoice Number # FABHX31900044718
60 b: 40 Sold By: Saraswati Retail Private Limited ,
+12 8: 40 Ship-from Address: Survey No 18/2, Bhiwandi, Thane, Maharashtra - 421302, India
+12 8: 40 GSTIN - 27AAICS4471A1ZK
100 8: 40 Order ID: OD112847118822091000 | 240 Bill To | 420 Ship To
+12 8: 40 Order Date: 23-07-2018 | 240 Nikhil Deshmukh | 420 Nikhil Deshmukh
+12 8: 40 Invoice Date: 24-07-2018 | 240 12 Karve Road, Erandwane | 420 12 Karve Road, Erandwane
+12 8: 40 PAN: AAICS4471A | 240 Pune 411004 Maharashtra | 420 Pune 411004 Maharashtra
+12 8: 40 CIN: U74900MH2011PTC447188 | 240 Phone: xxxxxxxxxx | 420 Phone: xxxxxxxxxx
180 8: 40 Total items: 1
200 b8: 40 Product | 160 Title | 320r Qty | 380r Gross Amount ₹ | 430r Discount ₹ | 480r Taxable Value ₹ | 510r CGST ₹ | 535r SGST ₹ | 565r Total ₹
+14 8: 40 Headphones | 160 Zeb Thunder Wireless Headset | 320r 1 | 380r 1499.00 | 430r -152.00 | 480r 1141.52 | 510r 102.74 | 535r 102.74 | 565r 1347.00
+11 7: 40 HSN: 85183000 | 160 1. [IMEI/Serial No: 4471882 ]
+11 7: 40 CGST: 9.0 % SGST: 9.0 %
+14 8: 160 Shipping And Handling Charges | 320r 1 | 380r 0.00 | 430r 0 | 480r 0.00 | 510r 0.00 | 535r 0.00 | 565r 0.00
+16 b8: 40 Total | 320r 1 | 380r 1499.00 | 430r -152.00 | 480r 1141.52 | 510r 102.74 | 535r 102.74 | 565r 1347.00
+24 b12: 430 Grand Total | 565r ₹ 1347.00
+12 7: 565r Saraswati Retail Private Limited
+40 7: 565r Authorized Signatory
700 7: 40 Returns Policy: At Bazario we try to deliver perfectly each and every time. Regd. office: 447 Outer Ring Road, Bengaluru - 560103
`,
  ),
  drawn(
    'indian accounting software invoice, boxes with values below, rounding',
    {
      date: '2014-02-03',
      total: 58410,
      id: 'SE/1142/13-14',
      currency: 'INR',
      merchant: 'Shree Engineering Works',
      buyer: 'Coromandel Castings Pvt Ltd',
      items: 2,
    },
    { emit: 'words' },
    `
36 b12: 297c TAX INVOICE | 560r (ORIGINAL FOR RECIPIENT)
60 b: 40 Shree Engineering Works
+12: 40 Plot 44, SIDCO Industrial Estate
+12: 40 Ambattur, Chennai - 600098
+12: 40 TIN: 33471188220
60 7: 320 Invoice No. | 440 Dated
+11 b: 320 SE/1142/13-14 | 440 3-Feb-2014
+13 7: 320 Delivery Note | 440 Mode/Terms of Payment
+11 b: 320 DC-884 | 440 30 Days
+13 7: 320 Buyer's Order No. | 440 Dated
+11 b: 320 CCPL/PO/2207 | 440 20-Jan-2014
120 7: 40 Buyer
+11 b: 40 Coromandel Castings Pvt Ltd
+12: 40 12 Poonamallee High Road, Chennai - 600084
+12: 40 State Name : Tamil Nadu, Code : 33
200 7: 40 Sl No. | 70 Description of Goods | 300r Quantity | 380r Rate | 420r per | 560r Amount
+14: 40 1 | 70 Steel Flange 4" | 300r 120 Nos | 380r 350.00 | 420r Nos | 560r 42,000.00
+13: 40 2 | 70 Machining Charges | 300r 20 Nos | 380r 510.00 | 420r Nos | 560r 10,200.00
+14: 560r 52,200.00
+13: 200 Output VAT @ 11.9 % | 380r 11.9 | 420r % | 560r 6,211.80
+13: 200 Less : Round Off | 560r (-)1.80
+40 b: 70 Total | 300r 140 Nos | 560r ₹ 58,410.00
+16 7: 40 Amount Chargeable (in words) | 560r E. & O.E
+11 b: 40 Indian Rupees Fifty Eight Thousand Four Hundred Ten Only
+20 7: 40 Declaration: We declare that this invoice shows the actual price of the goods described.
+11: 560r for Shree Engineering Works
`,
  ),
  drawn(
    'australian tax invoice with payment advice slip',
    {
      date: '2014-02-03',
      total: 1487.2,
      id: 'INV-0447',
      currency: 'AUD',
      subtotal: 1352,
      tax: 135.2,
      merchant: 'Wattle & Gum Electrical Pty Ltd',
      buyer: 'Strata Plan 18842',
      items: 2,
    },
    { emit: 'runs' },
    `
50 b20: 40 TAX INVOICE
90: 40 Strata Plan 18842
+12: 40 C/- Kelso Strata
+12: 40 PO Box 447
+12: 40 NEWTOWN NSW 2042
50 b: 300 Invoice Date
+12: 300 3 Feb 2014
+16 b: 300 Invoice Number
+12: 300 INV-0447
+16 b: 300 Reference
+12: 300 WO 22071
+16 b: 300 ABN
+12: 300 44 718 822 091
50: 430 Wattle & Gum Electrical Pty Ltd
+12: 430 18 Enmore Road
+12: 430 ENMORE NSW 2042
+12: 430 AUSTRALIA
220 b: 40 Description | 320r Quantity | 400r Unit Price | 460r GST | 555r Amount AUD
+15: 40 Replace common area switchboard | 320r 1.00 | 400r 1,100.00 | 460r 10% | 555r 1,100.00
+14: 40 Labour, licensed electrician | 320r 3.00 | 400r 84.00 | 460r 10% | 555r 252.00
+18: 460r Subtotal | 555r 1,352.00
+13: 460r TOTAL GST 10% | 555r 135.20
+16 b: 460r TOTAL AUD | 555r 1,487.20
350 b: 40 Due Date: 17 Feb 2014
+13: 40 BSB 062-447 Account 1188 4420
640 b14: 40 PAYMENT ADVICE
+16: 40 To: Wattle & Gum Electrical Pty Ltd | 320 Customer | 440 Strata Plan 18842
+13: 320 Invoice Number | 440 INV-0447
+13 b: 320 Amount Due | 440 1,487.20
+13: 320 Due Date | 440 17 Feb 2014
+13: 320 Amount Enclosed
+12 7: 440 Enter the amount you are paying above
`,
  ),
  drawn(
    'portuguese water bill, document number with a slash',
    { date: '2021-05-12', total: 23.77, id: 'FT 2021A/118842', currency: 'EUR' },
    { emit: 'runs' },
    `
40 b15: 40 Águas do Vale
60 7: 40 Contribuinte n.º 504 471 882 - Rua das Fontes 12, 3000-119 Coimbra
100 b: 40 Fatura n.º FT 2021A/118842
+13: 40 Data de emissão: 12 de maio de 2021
+13: 40 N.º de cliente: 0447188
+13: 40 Período de faturação: 08/04/2021 a 07/05/2021
100: 340 MARIA DO CARMO SEIXAS
+12: 340 RUA DIREITA 40
+12: 340 3040-091 CERNACHE
200: 40 Água | 540r 11,20 €
+12: 40 Saneamento | 540r 6,80 €
+12: 40 Resíduos sólidos | 540r 4,69 €
+12: 40 IVA 6% (base 18,00 €) | 540r 1,08 €
+18 b: 40 Valor a pagar | 540r 23,77 €
+14: 40 Data limite de pagamento: 2 de junho de 2021
+20: 40 Pagamento multibanco - Entidade: 20447 Referência: 118 842 071 Montante: 23,77 €
`,
  ),
]
