/** Receipts of other countries as text, written out by hand; cells are parted by ' | '. */
import { written, type Fixture } from './types.ts'

const receipt = written('receipt')

export const WORLD_RECEIPTS: readonly Fixture[] = [
  receipt(
    'naivas',
    {
      merchant: 'NAIVAS LIMITED',
      date: '2023-06-14',
      total: 1245,
      id: '00348821',
      tax: 150.21,
      currency: 'KES',
    },
    `
NAIVAS LIMITED
P.O BOX 61600-00200 NAIROBI
MOI AVENUE BRANCH
TEL: 0709 807000
PIN: P000609694Q
CASH SALE
Receipt No: 00348821 | Till: 04
Date: 14/06/2023 18:44:02
ITEM | QTY | PRICE | AMOUNT
BROOKSIDE MILK 500ML | 2 | 60.00 | 120.00
JOGOO MAIZE FLOUR 2KG | 1 | 205.00 | 205.00
OMO 1KG | 2 | 460.00 | 920.00
TOTAL KES | 1,245.00
M-PESA | 1,245.00
MPESA CODE: RFE4K9X2LM
CHANGE | 0.00
TOTAL ITEMS 5
VAT SUMMARY
CODE | VATABLE AMT | VAT AMT
A 16% | 938.79 | 150.21
E 0% | 156.00 | 0.00
CU SERIAL NO: KRAMW017202208020488
CU INVOICE NO: 0170204880000034221
THANK YOU FOR SHOPPING WITH US`,
  ),
  receipt(
    'uganda',
    { merchant: 'CAPITAL SHOPPERS LTD', date: '2024-02-03', total: 86500, currency: 'UGX' },
    `
CAPITAL SHOPPERS LTD
NTINDA, KAMPALA
TIN: 1000023456
FISCAL RECEIPT
FDN: 124003245678
Date: 03/02/2024 | Time: 10:21
SUGAR KAKIRA 2KG | 1 x 9,500 | 9,500
RICE SUPER 5KG | 2 x 28,500 | 57,000
COOKING OIL 3L | 1 x 20,000 | 20,000
NET AMOUNT | 73,305
VAT 18% | 13,195
TOTAL UGX | 86,500
CASH | 100,000
CHANGE | 13,500
Webale nyo`,
  ),
  receipt(
    'tanzania',
    {
      merchant: 'SHOPPERS PLAZA LTD',
      date: '2023-11-09',
      total: 47200,
      tax: 7200,
      currency: 'TZS',
    },
    `
*** START OF LEGAL RECEIPT ***
SHOPPERS PLAZA LTD
MASAKI, DAR ES SALAAM
SIMU: 0222 600 111
TIN: 100-234-567
VRN: 40-012345-K
TAREHE: 09-11-2023 | MUDA: 16:20:11
RISITI NA: 55231
MAJI KILIMANJARO | 12,000
MKATE | 3,500
NYAMA KG 2 | 31,700
JUMLA BILA KODI | 40,000.00
KODI 18% | 7,200.00
JUMLA | 47,200.00
TASLIMU | 50,000.00
CHENJI | 2,800.00
ASANTE KARIBU TENA
*** END OF LEGAL RECEIPT ***`,
  ),
  receipt(
    'nigeria',
    { merchant: 'SHOPRITE NIGERIA', date: '2022-08-21', total: 8675.5, currency: 'NGN' },
    `
SHOPRITE NIGERIA
PALMS SHOPPING MALL, LEKKI, LAGOS
TEL: 01-2706800
VAT NO: 01234567-0001
TAX INVOICE
INDOMIE 70G X40 | N5,200.00
PEAK MILK 850G | N2,950.00
BREAD | N525.50
SUBTOTAL | N8,675.50
TOTAL | N8,675.50
POS | N8,675.50
VAT 7.5% INCLUDED | N605.27
21/08/22 14:12 | SLIP 4432 TILL 11`,
  ),
  receipt(
    'tesco',
    { merchant: 'TESCO', date: '2023-03-05', total: 14.35, currency: 'GBP' },
    `
TESCO
Express
121 KINGSWAY LONDON WC2B 6PA
VAT NO: GB 220 4302 31
MILK 2PT | £1.30
WHITE BREAD | £1.15
CHICKEN BREAST | £6.50
BANANAS 0.755 kg @ £0.80/kg | £0.60
OLIVE OIL | £5.30
SUB-TOTAL | £14.85
CLUBCARD SAVINGS | -£0.50
TOTAL | £14.35
VISA CONTACTLESS | £14.35
CHANGE DUE | £0.00
CLUBCARD POINTS EARNED 14
TOTAL UP TO 04/03/23 | 352
05/03/23 18:22 2341 004 1022 9921`,
  ),
  receipt(
    'walmart',
    {
      merchant: 'Walmart',
      date: '2021-05-17',
      total: 33.01,
      subtotal: 30.53,
      tax: 2.48,
      currency: 'USD',
    },
    `
Walmart
Save money. Live better.
(512) 555-0142
MANAGER JOHN DOE
1030 NORWOOD PARK BLVD
AUSTIN TX 78753
ST# 01253 OP# 009044 TE# 44 TR# 01396
GV 2% MILK | 007874235186 F | 3.12 N
BREAD | 007225003712 F | 2.44 N
T-SHIRT | 088541022110 | 24.97 X
SUBTOTAL | 30.53
TAX 1 8.250 % | 2.48
TOTAL | 33.01
VISA TEND | 33.01
CHANGE DUE | 0.00
EFT DEBIT | PAY FROM PRIMARY
33.01 TOTAL PURCHASE
REF # 113700123456
# ITEMS SOLD 3
05/17/21 | 16:54:08`,
  ),
  receipt(
    'diner-tip',
    {
      merchant: "JOE'S DINER",
      date: '2022-07-23',
      total: 58.6,
      tax: 3.6,
      subtotal: 45,
      currency: 'USD',
    },
    `
JOE'S DINER
455 Main Street
Springfield, IL 62701
217-555-0199
Server: Anna | Table 12
Check #: 2231 | 07/23/2022 7:15 PM
2 Burger Deluxe | 28.00
1 Caesar Salad | 11.00
2 Iced Tea | 6.00
Subtotal | 45.00
Tax | 3.60
Tip | 10.00
Total | 58.60
Visa ****4242
Suggested Tip
15% = $6.75
18% = $8.10
20% = $9.00
Thank you!`,
  ),
  receipt(
    'rewe',
    {
      merchant: 'REWE Markt GmbH',
      date: '2022-11-12',
      total: 23.47,
      currency: 'EUR',
      address: 'Domstr. 20 50668 Köln',
    },
    `
REWE Markt GmbH
Domstr. 20
50668 Köln
UID Nr.: DE812706034
EUR
BIO BANANEN | 1,99 B
VOLLMILCH 3,5% | 1,19 B
2 Stk x | 0,89
JOGHURT | 1,78 B
ROTWEIN | 18,51 A
--------------------------------
SUMME | EUR 23,47
================================
Geg. BAR | EUR 50,00
Rückgeld BAR | EUR 26,53
Steuer % | Netto | Steuer | Brutto
A= 19,0% | 15,55 | 2,96 | 18,51
B= 7,0% | 4,64 | 0,32 | 4,96
Gesamtbetrag | 20,19 | 3,28 | 23,47
12.11.2022 | 17:31 | Bon-Nr.:4433
Markt:0123 | Kasse:2 | Bed.:272727
Vielen Dank für Ihren Einkauf`,
  ),
  receipt(
    'carrefour',
    { merchant: 'CARREFOUR CITY', date: '2023-01-19', total: 17.84, currency: 'EUR' },
    `
CARREFOUR CITY
15 RUE DE RENNES
75006 PARIS
Tél : 01 45 48 00 00
SIRET 45132133501234 TVA FR27451321335
BAGUETTE TRADITION | 1,30 €
FROMAGE COMTE 250G | 5,45 €
2 x 2,10 VIN DE TABLE | 4,20 €
POULET FERMIER | 6,89 €
TOTAL (5 articles) | 17,84 €
CB | 17,84 €
DONT TVA 5,5% | 0,71
DONT TVA 20% | 0,70
19/01/2023 19:04 CAISSE 3 TICKET 0554
MERCI DE VOTRE VISITE`,
  ),
  receipt(
    'albert-heijn',
    { merchant: 'Albert Heijn 1521', date: '2023-02-08', total: 18.06, currency: 'EUR' },
    `
Albert Heijn 1521
Leidsestraat 12, 1017 PA Amsterdam
020-1234567
AANTAL | OMSCHRIJVING | PRIJS | BEDRAG
1 | AH HALFV MELK | 1,29
2 | KAAS JONG | 4,50 | 9,00
1 | WIJN ROOD | 7,77
4 | SUBTOTAAL | 18,06
TOTAAL | 18,06
PINNEN | 18,06
BTW | OVER | EUR
9% | 9,44 | 0,85
21% | 6,42 | 1,35
TOTAAL | 15,86 | 2,20
08-02-2023 | 12:44 | Bonnr 5521`,
  ),
  receipt(
    'mercadona',
    {
      merchant: 'MERCADONA, S.A.',
      date: '2023-04-22',
      total: 31.15,
      currency: 'EUR',
      id: '2341-014-552211',
    },
    `
MERCADONA, S.A. A-46103834
C/ VALENCIA 5
46016 TAVERNES BLANQUES
TELÉFONO: 961234567
22/04/2023 20:11 OP: 112233
FACTURA SIMPLIFICADA: 2341-014-552211
Descripción | P. Unit | Importe
1 ACEITE OLIVA 5L | 24,95
2 LECHE ENTERA | 0,95 | 1,90
1 JAMON SERRANO | 4,30
TOTAL (€) | 31,15
TARJETA BANCARIA | 31,15
IVA | BASE IMPONIBLE (€) | CUOTA (€)
10% | 5,64 | 0,56
5% | 23,76 | 1,19
TOTAL | 29,40 | 1,75
TARJ. BANCARIA: **** 4444`,
  ),
  receipt(
    'scontrino',
    { merchant: 'TRATTORIA DA GIGI S.R.L.', date: '2022-09-30', total: 54.5, currency: 'EUR' },
    `
TRATTORIA DA GIGI S.R.L.
VIA GARIBALDI 22
20121 MILANO
P.IVA 00743110157
DOCUMENTO COMMERCIALE
di vendita o prestazione
DESCRIZIONE | IVA | Prezzo(€)
COPERTO X2 | 10% | 5,00
RISOTTO MILANESE | 10% | 14,00
OSSOBUCO | 10% | 22,50
VINO ROSSO | 10% | 13,00
TOTALE COMPLESSIVO | 54,50
di cui IVA | 4,95
Pagamento contante | 60,00
Resto | 5,50
30/09/2022 21:45
DOCUMENTO N. 0123-0045`,
  ),
  receipt(
    'pingo-doce',
    {
      merchant: 'PINGO DOCE - DISTRIBUICAO ALIMENTAR, S.A.',
      date: '2023-05-14',
      total: 12.37,
      currency: 'EUR',
    },
    `
PINGO DOCE - DISTRIBUICAO ALIMENTAR, S.A.
RUA DO OURO 120, 1100-063 LISBOA
NIF: 500829993
FATURA SIMPLIFICADA: FS 0044/123456
Data: 2023-05-14 | Hora: 11:20
ARROZ AGULHA | 1,49
AZEITE VIRGEM | 6,99
2 X 1,89
LEITE MEIO GORDO | 3,78
CUPAO | -0,11
TOTAL ILIQUIDO | 12,48
SUBTOTAL | 12,37
TOTAL A PAGAR | 12,37
MULTIBANCO | 12,37
%IVA | Total Liq. | IVA | Total
6% | 11,67 | 0,70 | 12,37
ATCUD: ABCD1234-123456`,
  ),
  receipt(
    'india',
    { merchant: 'SARAVANA BHAVAN', date: '2023-07-11', total: 441, currency: 'INR', subtotal: 420 },
    `
SARAVANA BHAVAN
No 29, Usman Road, T Nagar, Chennai - 600017
Ph: 044-24345577
GSTIN: 33AAPFU0939F1ZV
TAX INVOICE
Bill No: 2214 | Date: 11-07-2023 13:05
Item | Qty | Rate | Amount
Masala Dosa | 2 | 95.00 | 190.00
Filter Coffee | 2 | 40.00 | 80.00
Mini Meals | 1 | 150.00 | 150.00
Sub Total | 420.00
CGST @2.5% | 10.50
SGST @2.5% | 10.50
Grand Total | Rs. 441.00
Thank You Visit Again`,
  ),
  receipt(
    'australia',
    { merchant: 'WOOLWORTHS METRO', date: '2022-10-02', total: 22.3, currency: 'AUD', tax: 0.95 },
    `
WOOLWORTHS METRO
580 GEORGE STREET SYDNEY NSW 2000
PH: 02 8321 4455
TAX INVOICE - ABN 88 000 014 675
# WW LEMONADE 1.25L | 2.50
FULL CREAM MILK 2L | 3.10
CHICKEN BREAST | 8.75
# CHOCOLATE | 7.95
4 SUBTOTAL | $22.30
TOTAL | $22.30
EFTPOS | $22.30
CHANGE | $0.00
TOTAL includes GST | $0.95
# Taxable items
02/10/2022 17:58 POS 012 TRANS 3321`,
  ),
  receipt(
    'fuel',
    { merchant: 'SHELL', date: '2019-02-27', total: 41.83, currency: 'USD' },
    `
SHELL
8812 KATY FWY
HOUSTON TX 77024
02/27/2019 08:12:45
PUMP# 07
UNLEADED REG
GALLONS | 18.599
PRICE/GAL | $2.249
FUEL TOTAL | $ 41.83
TOTAL | $ 41.83
VISA
XXXX XXXX XXXX 1881
AUTH #: 081277
THANK YOU`,
  ),
  receipt(
    'pharmacy',
    {
      merchant: 'GUARDIAN HEALTH AND BEAUTY SDN BHD',
      date: '2018-04-18',
      total: 38.9,
      currency: 'MYR',
    },
    `
GUARDIAN HEALTH AND BEAUTY SDN BHD
(COMPANY NO. 250546-H)
LOT G12, MID VALLEY MEGAMALL
59200 KUALA LUMPUR
GST ID: 000123456789
18/04/2018 12:31 PM | R0021 #88312
PANADOL ACTIFAST 20S | 12.90 Z
VITAMIN C 1000MG | 26.00 S
TOTAL RM | 38.90
VISA | 38.90
YOU SAVED RM 5.00
ITEMS: 2
GST SUMMARY | NET AMT(RM) | TAX(RM)
S = 6% | 24.53 | 1.47
Z = 0% | 12.90 | 0.00`,
  ),
  receipt(
    'usa-coffee',
    {
      merchant: 'Blue Bottle Coffee',
      date: '2023-09-08',
      total: 12.71,
      currency: 'USD',
      subtotal: 11.75,
    },
    `
Blue Bottle Coffee
66 Mint Plaza
San Francisco, CA 94103
Sep 8, 2023 at 9:41 AM
Receipt #bXk3
Latte x 1 | $5.75
Croissant | $6.00
Subtotal | $11.75
Sales Tax (8.625%) | $0.96
Total | $12.71
Mastercard 5454 (Contactless) | $12.71
Auth code: 03351D`,
  ),
  receipt(
    'parking',
    {
      merchant: 'SECURE PARKING CORPORATION SDN BHD',
      date: '2018-01-07',
      total: 6,
      currency: 'MYR',
    },
    `
SECURE PARKING CORPORATION SDN BHD
GST ID NO. 001262837760
TAX INVOICE
TICKET NO: 033221
ENTRY 07/01/18 10:02
EXIT 07/01/18 13:15
PARKING FEE | RM 5.66
GST 6% | RM 0.34
TOTAL | RM 6.00`,
  ),
  receipt(
    'southafrica',
    { merchant: 'PICK N PAY', date: '2022-12-23', total: 289.93, currency: 'ZAR', tax: 37.82 },
    `
PICK N PAY
GARDENS CENTRE, CAPE TOWN
TEL: 021 461 0123
VAT NO: 4090105588
TAX INVOICE
WHITE BREAD | 16.99
CHEDDAR 900G | 129.99
BRAAI PACK | 142.95
DUE VAT INCL | 289.93
CASH | 300.00
CHANGE | 10.05
ROUNDING | 0.02
TAXABLE | 252.11
VAT @ 15% | 37.82
TOTAL | 289.93
23-12-2022 15:20 | TILL 07 | TRX 12231`,
  ),
]
