/** The fourth set: clouds, subscriptions, rides and other sellers on the web. */
import { drawn, printed, sheet, type IssuerFixture } from './types.ts'

const page = sheet({
  marginMm: 15,
  font: '10pt "Liberation Sans"',
  cellPadding: '2px 4px',
  more: '.brk{page-break-before:always}',
})

export const FOURTH_WEB: readonly IssuerFixture[] = [
  drawn(
    'cloud invoice summary, spaced comma in dates, usage pages',
    {
      date: '2014-08-03',
      total: 27.61,
      id: '42183017',
      currency: 'USD',
      merchant: 'Stratus Web Services, Inc.',
      buyer: 'Marlow Analytics',
    },
    { emit: 'kerned', page: [612, 792] },
    `
40 b16: 40 Stratus Web Services Invoice
66: 40 Email or talk to us about your account or bill, visit stratus.example/contact-us/
96 b: 330 Invoice Summary
+14: 330 Invoice Number: | 560r 42183017
+12: 330 Invoice Date: | 560r August 3 , 2014
+16 b: 330 TOTAL AMOUNT DUE ON August 3 , 2014 | 560r $27.61
96: 40 Account number:
+12: 40 4471-8822-0913
+18: 40 Bill to Address:
+12: 40 Marlow Analytics
+12: 40 ATTN: Accounts Payable
+12: 40 1100 Alder Street, Suite 9
+12: 40 Portland , OR , 97205 , US
210: 40 This invoice is for the billing period July 1 - July 31 , 2014
+20: 40 Greetings from Stratus Web Services, we're writing to provide you with an electronic invoice for your use of
+12: 40 our services. Additional information regarding your bill is available on the Account Activity page.
270 b: 40 Summary
+14: 40 Service Charges | 560r $27.61
+12: 55 Charges | 560r $31.00
+12: 55 Credits | 560r -$3.39
+12: 55 Tax * | 560r $0.00
+14 b: 40 Total for this invoice | 560r $27.61
380 b: 40 Detail
+14: 40 Stratus Elastic Compute | 560r $19.21
+12: 55 Charges | 560r $22.60
+12: 55 Credits | 560r -$3.39
+14: 40 Stratus Object Storage | 560r $8.40
+12: 55 Charges | 560r $8.40
+12: 55 US Sales Tax to be collected | 560r $0.00
700 7: 40 * May include estimated US sales tax, VAT, GST and CT. Stratus Web Services, Inc., P.O. Box 84023, Seattle, WA 98124-8423
---
40 b: 40 Usage
+16: 40 Instance hours | 300r 744.000 Hrs | 560r $22.60
+12: 40 Storage first 1 TB / month | 300r 93.333 GB-Mo | 560r $8.40
+12: 40 Requests PUT, COPY, POST | 300r 12,004 | 560r $0.00
`,
  ),
  printed(
    'droplet cloud, final invoice for a month, grouped usage',
    {
      date: '2019-02-01',
      total: 18.15,
      id: '331884207',
      currency: 'USD',
      subtotal: 15,
      tax: 3.15,
      merchant: 'TidalOcean LLC',
      buyer: 'Ruben Claes',
    },
    page(
      `<h2>Final invoice for the January 2019 billing period</h2><div class=f><div><b>From</b><br>TidalOcean LLC<br>101 Avenue of the Americas, 10th Floor<br>New York, NY 10013<br>VAT ID: EU528002224</div><div><b>Details</b><br>Invoice number: 331884207<br>Date of issue: February 1, 2019<br>Payment due on: February 1, 2019</div></div><div style="margin-top:14px"><b>For</b><br>Ruben Claes<br>&lt;ruben@claes.example&gt;<br>Stationsplein 3<br>3000 Leuven, BE</div><h3>Summary</h3><div class=f><span>Total usage charges</span><span>$15.00</span></div><div class=f><span>Subtotal</span><span>$15.00</span></div><div class=f><span>VAT - Belgium (21.00%)</span><span>$3.15</span></div><div class=f><b>Total due</b><b>$18.15</b></div><p>If you have a credit card on file, it will be automatically charged within 24 hours.</p><h3 class=brk>Product usage charges</h3><p>Detailed usage information is available via the API or can be downloaded from the billing section of your account.</p><table><tr><th>Droplets<th class=r>Hours<th>Start<th>End<th class=r>$15.00</tr><tr><td>web-1 (s-1vcpu-2gb)<td class=r>744<td>01-01 00:00<td>02-01 00:00<td class=r>$10.00<tr><td>ci-runner (s-1vcpu-1gb)<td class=r>744<td>01-01 00:00<td>02-01 00:00<td class=r>$5.00</table>`,
    ),
  ),
  printed(
    'code hosting receipt, transaction as number, time of day',
    {
      date: '2014-02-03',
      total: 22,
      id: '8EKDN9X4',
      currency: 'USD',
      merchant: 'Gitforge, Inc.',
    },
    page(
      `<h1>Gitforge Receipt</h1><p>We received payment for your Gitforge.com subscription. Thanks for your business!</p><p>Questions? Please contact support@gitforge.example</p><pre style="font:9pt 'Liberation Mono',monospace">
------------------------------------
GITFORGE RECEIPT - ORGANIZATION

Gitforge Plan: Bronze, Month
Amount: USD $25.00
Credit: USD -$3.00
Tax: USD $0.00
Total: USD $22.00*

Charged to: Visa (4*** **** **** 1881)
Transaction ID: 8EKDN9X4
Date: 03 Feb 2014 08:32AM PST
For service through: 02 Mar 2014

Gitforge, Inc.
88 Colin P. Kelly Jr. Street
San Francisco, CA 94107
------------------------------------

* EU customers: prices exclude VAT</pre>`,
    ),
  ),
  drawn(
    'ride invoice issued on behalf of a driver',
    {
      date: '2016-05-21',
      total: 18.42,
      id: 'NLVHQWAA-03-2016-0000007',
      currency: 'EUR',
      subtotal: 17.38,
      tax: 1.04,
      buyer: 'Hanna Mulder',
      items: 1,
    },
    { emit: 'words', font: 'subset' },
    `
40 b15: 40 Invoice
+16 7: 40 Invoice issued by Zipp B.V. on behalf of:
+14: 40 Y. Demirtas Taxi
+12: 40 Slotermeerlaan 122, 1063 JN Amsterdam
+12: 40 VAT number: NL188442071B01
60: 560r Invoice number: NLVHQWAA-03-2016-0000007
+12: 560r Invoice date: 21-05-2016
+12: 560r Tax point date: 20-05-2016
150: 40 Hanna Mulder
+12: 40 Amsterdam, Netherlands
200 b: 40 Date | 110 Description | 290r Qty | 370r Net amount | 430r VAT % | 500r VAT amount | 560r Gross amount
+14: 40 20-05-2016 | 110 Transportation service fare | 290r 1 | 370r 17.38 € | 430r 6% | 500r 1.04 € | 560r 18.42 €
280: 420 Total net amount | 560r 17.38 €
+13: 420 Total VAT 6% | 560r 1.04 €
+15 b: 420 Total amount payable | 560r 18.42 €
`,
  ),
  drawn(
    'latex invoice with iso date and plain rules',
    {
      date: '2018-06-30',
      total: 3841.75,
      id: '2018-017',
      currency: 'CHF',
      subtotal: 3567.08,
      tax: 274.67,
      merchant: 'Dr. Elia Rusconi',
      buyer: 'Institut für Schneeforschung',
      items: 2,
    },
    { emit: 'kerned', font: 'subset' },
    `
60 b17: 100 Invoice
100: 100 Dr. Elia Rusconi | 380 Invoice no. 2018-017
+13: 100 Scientific Software | 380 2018-06-30
+13: 100 Via al Ponte 4
+13: 100 6900 Lugano
170: 100 To:
+13: 100 Institut für Schneeforschung
+13: 100 Flüelastrasse 11
+13: 100 7260 Davos Dorf
240 b: 100 Activity | 330r Rate/Unit | 410r Count | 500r Amount
+16: 100 Model calibration (hours) | 330r 135.00 | 410r 24.50 | 500r 3’307.50
+13: 100 Cluster time | 330r 1.298 | 410r 200 | 500r 259.58
+18: 330r Subtotal | 500r 3’567.08
+13: 330r VAT 7.7% | 500r 274.67
+15 b: 330r Total | 500r CHF 3’841.75
400: 100 Payable within 30 days to IBAN CH93 0076 2011 6238 5295 7, VAT no. CHE-447.188.220 MWST.
`,
  ),
  drawn(
    'software subscription debited, bill no. and tiny header labels',
    {
      date: '2014-02-03',
      total: 46.8,
      id: 'BL-2014-118',
      currency: 'GBP',
      subtotal: 39,
      tax: 7.8,
      buyer: 'Foxglove Florists',
      items: 2,
    },
    { emit: 'words', order: 'reverse' },
    `
40 b16: 40 Tallybird
70 7: 40 Bill no. | 140 Billing date | 230 Customer ID | 330 Purchase order
+11: 40 BL-2014-118 | 140 2014/02/03 | 230 447188 | 330 4500018842
110: 40 Foxglove Florists
+12: 40 3 Mill Lane
+12: 40 Ludlow SY8 1NN
180 b: 40 Item | 320r Users | 400r Price | 540r Net
+14: 40 Bookkeeping plan, 3 Feb - 2 Mar 2014 | 320r 3 | 400r £11.00 | 540r £33.00
+12: 40 Bank feed | 320r 1 | 400r £6.00 | 540r £6.00
+18: 400r Total net | 540r £39.00
+12: 400r VAT 20% | 540r £7.80
+14 b: 400r Amount debited | 540r £46.80
+20: 40 This amount was taken by Direct Debit. You don't need to do anything.
780 7: 40 Tallybird Software Ltd, registered in England and Wales no. 0447188. VAT GB 118 8420 71
`,
  ),
  drawn(
    'advertising statement, statement date only in the head',
    {
      date: '2014-01-31',
      total: 312.4,
      id: '5582-0118-8447-01',
      currency: 'USD',
      buyer: 'Juniper Cycles',
    },
    { emit: 'runs' },
    `
40 b14: 40 Seekwell Ads | 550r Statement
70: 40 Seekwell Inc. 1600 Creek Parkway, Palo Alto, CA 94301
100: 40 Statement number | 200 5582-0118-8447-01
+12: 40 Statement date | 200 Jan 31, 2014
+12: 40 Billing ID | 200 9911-0447-1882
100: 340 Juniper Cycles
+12: 340 77 Hill Street
+12: 340 Boulder CO 80302
170 b: 40 Jan 1, 2014 - Jan 31, 2014
+16: 40 Starting balance | 540r $0.00
+12: 40 Total new activity | 540r $312.40
+12: 40 Total payments received | 540r $0.00
+14 b: 40 Total amount due | 540r $312.40
+30 b: 40 Campaign | 330r Clicks | 430r Impressions | 540r Amount ($)
+13: 40 Spring frames | 330r 1,204 | 430r 88,420 | 540r 240.80
+12: 40 Helmets | 330r 358 | 430r 20,711 | 540r 71.60
`,
  ),
]
