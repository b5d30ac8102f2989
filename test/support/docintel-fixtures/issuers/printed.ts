/** Invoices as web software prints them: grids, flex rows, nested tables, floats. */
import { printed, type IssuerFixture } from './types.ts'

const page = (css: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:14mm}body{font:10pt "Liberation Sans",sans-serif;margin:0}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:2px 4px}.r{text-align:right}.f{display:flex;justify-content:space-between}h1{margin:0 0 8px}${css}</style>${body}`

export const PRINTED: readonly IssuerFixture[] = [
  printed(
    'payment platform invoice, amount sentence before the table',
    {
      date: '2023-04-05',
      total: 58.08,
      id: '8F2A11C0-0003',
      currency: 'USD',
      subtotal: 48,
      tax: 10.08,
      merchant: 'Paperkite Labs Inc.',
      buyer: 'Studio Noord',
      items: 2,
    },
    page(
      'h1{font-size:22pt}.g{display:grid;grid-template-columns:110px 1fr;gap:3px}.p{display:grid;grid-template-columns:1fr 1fr 1fr;margin:24px 0}.t{margin-left:50%;}',
      `<div class=f><h1>Invoice</h1><div>paperkite</div></div>
<div class=g><b>Invoice number</b><b>8F2A11C0-0003</b><span>Date of issue</span><span>April 5, 2023</span><span>Date due</span><span>April 5, 2023</span></div>
<div class=p><div><b>Paperkite Labs Inc.</b><br>548 Market Street<br>San Francisco, California 94104<br>United States<br>billing@paperkite.example</div><div><b>Bill to</b><br>Studio Noord<br>Prinsengracht 22<br>1015 DV Amsterdam<br>Netherlands<br>NL VAT NL003123456B12</div></div>
<h2>$58.08 USD due April 5, 2023</h2>
<table><tr><th>Description<th class=r>Qty<th class=r>Unit price<th class=r>Tax<th class=r>Amount</tr><tr><td>Team plan<br><small>Apr 5 – May 5, 2023</small><td class=r>4<td class=r>$10.00<td class=r>21%<td class=r>$40.00<tr><td>Extra storage<br><small>Apr 5 – May 5, 2023</small><td class=r>1<td class=r>$8.00<td class=r>21%<td class=r>$8.00</table>
<div class=t><div class=f><span>Subtotal</span><span>$48.00</span></div><div class=f><span>Total excluding tax</span><span>$48.00</span></div><div class=f><span>VAT - Netherlands (21% on $48.00)</span><span>$10.08</span></div><div class=f><span>Total</span><span>$58.08</span></div><div class=f><b>Amount due</b><b>$58.08 USD</b></div></div>`,
    ),
  ),
  printed(
    'advertising platform monthly statement',
    {
      date: '2021-03-31',
      total: 1204.36,
      id: '3948812207',
      currency: 'EUR',
      merchant: 'Adverra Ireland Limited',
      buyer: 'Reisebüro Sonnenschein GmbH',
    },
    page(
      '.c{display:grid;grid-template-columns:1fr 1fr;gap:40px}.k{display:grid;grid-template-columns:1fr 1fr}.big{font-size:16pt}',
      `<h1>Invoice</h1><div>Invoice number: 3948812207</div>
<div class=c style="margin-top:20px"><div><b>Bill to</b><br>Reisebüro Sonnenschein GmbH<br>Marktplatz 4<br>70173 Stuttgart<br>Germany</div><div><b>Adverra Ireland Limited</b><br>Barrow Street 1<br>Dublin 4<br>Ireland<br>VAT number: IE6388047V</div></div>
<div class=c style="margin-top:20px"><div><b>Details</b><div class=k><span>Invoice number</span><span>3948812207</span><span>Invoice date</span><span>31 Mar 2021</span><span>Billing ID</span><span>4432-1190-7723</span><span>Account ID</span><span>778-201-4432</span></div></div>
<div><b>Adverra Ads</b><div>Total amount due in EUR</div><div class=big>€1,204.36</div><div>Due 30 Apr 2021</div></div></div>
<h3>Summary for 1 Mar 2021 - 31 Mar 2021</h3><div class=f><span>Subtotal in EUR</span><span>€1,204.36</span></div><div class=f><span>VAT (0%)</span><span>€0.00</span></div><div class=f><b>Total in EUR</b><b>€1,204.36</b></div><p style="font-size:7pt">Services subject to the reverse charge - VAT to be accounted for by the recipient.</p>`,
    ),
  ),
  printed(
    'azure kind: values under labels in three columns, total on page two',
    {
      date: '2019-10-09',
      total: 412.5,
      id: 'E0600S7XQ2',
      currency: 'EUR',
      buyer: 'Kalliope Data AG',
      merchant: 'Skyfield Operations Limited',
    },
    page(
      '.g{display:grid;grid-template-columns:1fr 1fr 1fr;row-gap:10px}.g b{display:block;font-weight:normal;color:#777}.brk{page-break-before:always}',
      `<div class=f><h1>Skyfield</h1><h1>Invoice</h1></div><div class=g><div><b>Sold To</b>Kalliope Data AG<br>Seefeldstrasse 60<br>8008 Zürich<br>Switzerland</div><div><b>Bill To</b>Kalliope Data AG<br>Seefeldstrasse 60<br>8008 Zürich<br>Switzerland</div><div><b>Service Usage Address</b>Kalliope Data AG<br>8008 Zürich</div></div>
<hr><div class=g><div><b>Invoice Number</b>E0600S7XQ2</div><div><b>Invoice Date</b>09/10/2019</div><div><b>Due Date</b>08/11/2019</div><div><b>Billing Number</b>7710200</div><div><b>Order Number</b>5c0e-11aa-77</div><div><b>Payment Terms</b>Net 30 days</div></div>
<h3>Billing Summary</h3><div class=f><span>Charges</span><span>EUR 450.00</span></div><div class=f><span>Credits</span><span>EUR -37.50</span></div>
<p>Remit to: Skyfield Operations Limited, 70 Sir John Rogerson's Quay, Dublin 2, Ireland, VAT ID IE8256796U</p>
<div class=brk></div><table><tr><th>Service<th>Consumed<th class=r>Rate<th class=r>Charges<th class=r>Tax<th class=r>Total</tr><tr><td>Virtual Network<td>744.00<td class=r>0.3024<td class=r>225.00<td class=r>0.00<td class=r>225.00<tr><td>Storage Blocks<td>1,500.00<td class=r>0.1500<td class=r>225.00<td class=r>0.00<td class=r>225.00<tr><td>Account credit<td>1.00<td class=r><td class=r>-37.50<td class=r>0.00<td class=r>-37.50</table>
<div style="margin-left:55%"><div class=f><span>Net Amount</span><span>412.50</span></div><div class=f><span>VAT 0.00%</span><span>0.00</span></div><div class=f><b>Total (including Tax)</b><b>EUR 412.50</b></div></div>`,
    ),
  ),
  printed(
    'domain registrar order receipt',
    {
      date: '2020-08-23',
      total: 22.34,
      id: '61440927',
      currency: 'USD',
      merchant: 'Nameharbor, Inc.',
      buyer: 'Priya Raman',
    },
    page(
      '',
      `<table><tr><td><b style="font-size:18pt">nameharbor</b><br>Nameharbor, Inc.<br>4600 East Washington Street, Suite 305<br>Phoenix, AZ 85034, USA<td class=r><h2>INVOICE</h2>Order Date: August 23, 2020<br>Order # 61440927<br>Transaction ID: 88120447<br>Payment Source: Visa 4421</table>
<p><b>Customer</b><br>Priya Raman<br>22 Gandhi Street<br>Chennai 600017<br>India</p>
<table><tr style="background:#eee"><th>Type<th>Qty<th>Term<th>Title<th class=r>Price<th class=r>Sub Total</tr><tr><td>Domain Registration<td>1<td>1 Year<td>ramanstudio.example<td class=r>$12.98<td class=r>$12.98<tr><td>ICANN Fee<td>1<td>1 Year<td>ramanstudio.example<td class=r>$0.18<td class=r>$0.18<tr><td>Web Hosting<td>1<td>1 Month<td>Stellar<td class=r>$9.18<td class=r>$9.18</table>
<table style="width:40%;margin-left:60%"><tr><td>Sub Total<td class=r>$22.34<tr><td>TOTAL<td class=r><b>$22.34</b><tr><td>Payment (Visa)<td class=r>-$22.34<tr><td>Balance<td class=r>$0.00</table>`,
    ),
  ),
  printed(
    'austrian trade, header table, net/tax/gross row',
    {
      date: '2022-06-27',
      total: 1962,
      id: 'AR2200871',
      currency: 'EUR',
      subtotal: 1635,
      tax: 327,
      merchant: 'Elektro Hinterberger KG',
      buyer: 'Gasthof zum Hirschen',
    },
    page(
      'th{border-bottom:1px solid}',
      `<div class=r><b>Elektro Hinterberger KG</b><br>Bundesstraße 17, A-6330 Kufstein<br>UID: ATU61234567</div>
<p>Gasthof zum Hirschen<br>Dorfplatz 1<br>6335 Thiersee</p><h2>Ausgangsrechnung AR2200871</h2>
<table><tr><th>Belegdatum<th>Kunden-Nr.<th>Ihre Bestellung<th>Sachbearbeiter<th>Lieferdatum</tr><tr><td>27.06.2022<td>20177<td>tel. Hr. Moser<td>A. Rainer<td>22.06.2022</table><br>
<table><tr><th>Pos<th>Artikel<th class=r>Menge<th class=r>EH<th class=r>Preis<th class=r>Rabatt<th class=r>Betrag</tr><tr><td>1<td>Verteilerkasten UP 3-reihig<td class=r>1<td class=r>Stk<td class=r>480,00<td class=r>10%<td class=r>432,00<tr><td>2<td>FI-Schutzschalter 40A<td class=r>4<td class=r>Stk<td class=r>58,00<td class=r><td class=r>232,00<tr><td>3<td>Monteurstunde<td class=r>13<td class=r>h<td class=r>74,6923<td class=r><td class=r>971,00</table><hr>
<table><tr><th class=r>Netto<th class=r>USt. %<th class=r>USt. EUR<th class=r>Gesamtbetrag EUR</tr><tr><td class=r>1.635,00<td class=r>20<td class=r>327,00<td class=r><b>1.962,00</b></table><p>Zahlbar binnen 14 Tagen mit 2% Skonto: 1.922,76 EUR, 30 Tage netto.</p>`,
    ),
  ),
  printed(
    'canadian invoice with GST and PST',
    {
      date: '2023-01-09',
      total: 1260,
      id: 'CA-10472',
      currency: 'CAD',
      subtotal: 1125,
      merchant: 'Granville Sign & Print Ltd.',
      buyer: 'Kitsilano Yoga Collective',
    },
    page(
      '',
      `<div class=f><div><h1>Granville Sign &amp; Print Ltd.</h1>1188 Homer St<br>Vancouver BC V6B 2X6<br>GST/HST No. 81234 5678 RT0001</div><div><table><tr><td>Invoice No.<td>CA-10472<tr><td>Date<td>January 9, 2023<tr><td>Customer PO<td>—<tr><td>Rep<td>Joan</table></div></div>
<div class=f style="margin:20px 0"><div><b>Sold to</b><br>Kitsilano Yoga Collective<br>2200 W 4th Ave<br>Vancouver BC</div><div><b>Ship to</b><br>Same</div></div>
<table border=1><tr><th>Item<th>Description<th>Qty<th>Unit<th>Amount</tr><tr><td>SGN-4<td>Aluminium sign 4x8<td class=r>1<td class=r>875.00<td class=r>875.00<tr><td>VNL<td>Window vinyl, installed<td class=r>10<td class=r>25.00<td class=r>250.00<tr><td colspan=4 class=r>Subtotal<td class=r>$1,125.00<tr><td colspan=4 class=r>GST 5%<td class=r>$56.25<tr><td colspan=4 class=r>PST 7%<td class=r>$78.75<tr><td colspan=4 class=r><b>Invoice Total (CAD)</b><td class=r><b>$1,260.00</b></table>`,
    ),
  ),
  printed(
    'software vendor, totals in two currencies',
    {
      date: '2022-11-30',
      total: 1190,
      id: 'INV22-11-5530',
      currency: 'EUR',
      subtotal: 1000,
      tax: 190,
      merchant: 'Quillmark Software GmbH',
      buyer: 'Oberon Verlag GmbH',
    },
    page(
      '.m{float:right;width:230px}',
      `<div class=m><table><tr><td>Invoice ID<td class=r>INV22-11-5530<tr><td>Invoice date<td class=r>2022-11-30<tr><td>Customer ID<td class=r>QM-8812<tr><td>Page<td class=r>1 / 1</table></div><b>Quillmark Software GmbH</b><br>Torstraße 140<br>10119 Berlin<br>Germany<br><br>To<br>Oberon Verlag GmbH<br>Accounts payable<br>Schillerstr. 11<br>80336 München
<h2>Invoice</h2><table><tr><th>#<th>Product<th class=r>Seats<th class=r>Price/seat<th class=r>Net</tr><tr><td>1<td>Quillmark Pro, annual<td class=r>10<td class=r>€100.00<td class=r>€1,000.00</table>
<table style="width:50%;margin-left:50%"><tr><td>Net amount<td class=r>€1,000.00<tr><td>VAT 19%<td class=r>€190.00<tr><td><b>Gross amount</b><td class=r><b>€1,190.00</b><tr><td>Equivalent in USD (1 EUR = 1.0376)<td class=r>$1,234.74</table><p>VAT ID: DE811569869 · IBAN DE44 5001 0517 5407 3249 31</p>`,
    ),
  ),
  printed(
    'train operator, ticket invoice, german',
    {
      date: '2019-09-18',
      total: 89.9,
      id: '2019-0776-4521',
      currency: 'EUR',
      tax: 14.35,
      subtotal: 75.55,
      merchant: 'Schnellbahn Vertrieb GmbH',
      buyer: 'Jonas Achterberg',
    },
    page(
      '.l{width:60%}',
      `<div class=f><div class=l><small>Schnellbahn Vertrieb GmbH · 60643 Frankfurt</small><br><br>Herrn<br>Jonas Achterberg<br>Uhlandstr. 30<br>72072 Tübingen</div><div>Rechnungs-Nr.: <b>2019-0776-4521</b><br>Auftragsnummer: R7K2PL<br>Rechnungsdatum: 18.09.2019<br>Buchungsdatum: 17.09.2019</div></div><h2>Rechnung</h2><p>Sehr geehrter Herr Achterberg, für Ihre Buchung berechnen wir Ihnen:</p>
<table><tr><th>Positionen<th class=r>Preis<th class=r>MwSt (D) 19%</tr><tr><td>1x Flexpreis, Tübingen Hbf - Köln Hbf, 20.09.2019<td class=r>85,40€<td class=r>13,63€<tr><td>1x Sitzplatzreservierung<td class=r>4,50€<td class=r>0,72€<tr><td><b>Gesamtsumme</b><td class=r><b>89,90€</b><td class=r><b>14,35€</b></table><p>Nettobetrag: 75,55€. Der Betrag von 89,90€ wurde am 17.09.2019 Ihrer Kreditkarte belastet.</p><p style="font-size:7pt">USt-IdNr.: DE814160246, Amtsgericht Frankfurt HRB 79808</p>`,
    ),
  ),
  printed(
    'freight forwarder with several sums',
    {
      date: '2018-11-05',
      total: 3412.75,
      id: 'SE18110042',
      currency: 'EUR',
      merchant: 'Transmare Forwarding BV',
      buyer: 'Delta Fruit Import BV',
    },
    page(
      'td{font-size:8.5pt}',
      `<div class=f><div><b>Transmare Forwarding BV</b><br>Waalhaven Z.z. 44<br>3088 HH Rotterdam<br>VAT NL804455123B01</div><div>Delta Fruit Import BV<br>Handelsweg 2<br>2988 DB Ridderkerk</div></div><h2>INVOICE</h2>
<table><tr><td>Invoice no.<td>SE18110042<td>Shipment<td>S00081223<tr><td>Invoice date<td>05-Nov-18<td>Vessel / Voyage<td>MSC ARINA / 842W<tr><td>Due date<td>05-Dec-18<td>Container<td>TGHU 884120-7<tr><td>Terms<td>30 days<td>Weight<td>24,180.00 KG</table><br>
<table><tr><th>Charge<th>Cur<th class=r>Amount<th class=r>Ex. rate<th class=r>EUR excl.<th>VAT</tr><tr><td>Ocean freight<td>USD<td class=r>2,450.00<td class=r>1.1400<td class=r>2,149.12<td>0%<tr><td>THC Rotterdam<td>EUR<td class=r>225.00<td class=r>1.0000<td class=r>225.00<td>0%<tr><td>Customs clearance<td>EUR<td class=r>95.00<td class=r>1.0000<td class=r>95.00<td>21%<tr><td>Import duty (outlay)<td>EUR<td class=r>923.68<td class=r>1.0000<td class=r>923.68<td>0%</table><br>
<table style="width:60%;margin-left:40%"><tr><td>Total excl. VAT<td>EUR<td class=r>3,392.80<tr><td>VAT 21% over 95.00<td>EUR<td class=r>19.95<tr><td><b>Total to be paid</b><td><b>EUR</b><td class=r><b>3,412.75</b></table>`,
    ),
  ),
  printed(
    'french freelance, discount and deposit',
    {
      date: '2021-01-22',
      total: 2052,
      id: 'F-2021-003',
      currency: 'EUR',
      subtotal: 1710,
      tax: 342,
      merchant: 'Camille Rousseau',
      buyer: 'Éditions du Vieux Pont',
    },
    page(
      '',
      `<div class=f><div><b>Camille Rousseau</b><br>Graphiste indépendante<br>5 rue Oberkampf, 75011 Paris<br>SIRET 823 456 789 00014</div><div class=r><h1>Facture</h1>N° F-2021-003<br>Émise le 22 janvier 2021<br>Échéance : 21 février 2021</div></div><p><small>Destinataire</small><br>Éditions du Vieux Pont<br>10 quai de la Fosse<br>44000 Nantes</p>
<table><tr><th>Description<th class=r>Quantité<th class=r>Prix unitaire HT<th class=r>TVA<th class=r>Total HT</tr><tr><td>Maquette du catalogue<td class=r>3 j<td class=r>450,00 €<td class=r>20 %<td class=r>1 350,00 €<tr><td>Illustrations de couverture<td class=r>1<td class=r>550,00 €<td class=r>20 %<td class=r>550,00 €</table>
<table style="width:45%;margin-left:55%"><tr><td>Sous-total HT<td class=r>1 900,00 €<tr><td>Remise 10 %<td class=r>-190,00 €<tr><td>Total HT<td class=r>1 710,00 €<tr><td>TVA 20 %<td class=r>342,00 €<tr><td><b>Total TTC</b><td class=r><b>2 052,00 €</b><tr><td>Acompte versé le 05/01/2021<td class=r>-500,00 €<tr><td><b>Reste à payer</b><td class=r><b>1 552,00 €</b></table>`,
    ),
  ),
  printed(
    'dutch telecom, label column and dotted leaders',
    {
      date: '2023-08-10',
      total: 37.5,
      id: '30128841-0823',
      currency: 'EUR',
      merchant: 'Polder Telecom B.V.',
      buyer: 'mevrouw S. Bakker',
      tax: 6.51,
    },
    page(
      'dl{display:grid;grid-template-columns:130px 1fr;margin:0}dd{margin:0}',
      `<h1>polder</h1><div class=f><div>mevrouw S. Bakker<br>Singel 3<br>2011 AB Haarlem</div><dl><dt>Rekeningdatum</dt><dd>10 augustus 2023</dd><dt>Rekeningnummer</dt><dd>NL 55 RABO 0104 5512 00</dd><dt>Factuurnummer</dt><dd>30128841-0823</dd><dt>Klantnummer</dt><dd>7781240</dd></dl></div><h2>Uw rekening van augustus</h2>
<div class=f><span>Internet &amp; TV Compleet ..............................</span><span>€ 35,00</span></div><div class=f><span>Belminuten buiten bundel ........................</span><span>€ 2,50</span></div><div class=f><b>Totaalbedrag</b><b>€ 37,50</b></div><div class=f><span>Waarvan 21% btw over € 30,99</span><span>€ 6,51</span></div><p>Wij schrijven het bedrag rond 25 augustus 2023 af van uw rekening.</p><p style="font-size:7pt">Polder Telecom B.V., Postbus 30000, 2500 GA Den Haag, KvK 27124701, btw NL009292056B01</p>`,
    ),
  ),
  printed(
    'us saas credit memo',
    {
      date: '2022-12-01',
      total: -240,
      id: 'CM-00931',
      currency: 'USD',
      merchant: 'Fernwood CRM, Inc.',
      buyer: 'Tallgrass Media LLC',
    },
    page(
      '',
      `<div class=f><h2>Fernwood CRM, Inc.</h2><h2>CREDIT MEMO</h2></div><div class=f><div>77 Geary St<br>San Francisco, CA 94108</div><table style="width:40%"><tr><td>Credit memo #<td>CM-00931<tr><td>Date<td>Dec 1, 2022<tr><td>Original invoice<td>INV-20417</table></div><p><b>Credit to:</b><br>Tallgrass Media LLC<br>PO Box 1190<br>Omaha, NE 68101</p><table><tr><th>Item<th class=r>Quantity<th class=r>Unit price<th class=r>Amount</tr><tr><td>Seats removed (prorated)<td class=r>-4<td class=r>$60.00<td class=r>-$240.00</table><p class=r>Subtotal -$240.00</p><p class=r>Sales tax $0.00</p><p class=r><b>Total credit -$240.00</b></p>`,
    ),
  ),
  printed(
    'spanish shop simplified rows, label over value cards',
    {
      date: '2020-11-27',
      total: 159.98,
      id: 'FW20/0119834',
      currency: 'EUR',
      subtotal: 132.21,
      tax: 27.77,
      merchant: 'Librería Cervantes 1920 S.L.',
      buyer: 'Marta Iglesias Rey',
    },
    page(
      '.k{display:flex;gap:30px}.k div{border:1px solid #ccc;padding:6px}.k b{display:block;font-size:7pt}',
      `<h2>Librería Cervantes 1920 S.L.</h2><p>NIF B33123456 · Calle Uría 20, 33003 Oviedo</p><div class=k><div><b>FACTURA Nº</b>FW20/0119834</div><div><b>FECHA</b>27/11/2020</div><div><b>PEDIDO</b>W-88120</div><div><b>FORMA DE PAGO</b>PayPal</div></div><p><b>Cliente</b><br>Marta Iglesias Rey<br>Av. de Galicia 8, 2ºB<br>33005 Oviedo<br>NIF 71654321K</p><table><tr><th>Ref.<th>Artículo<th class=r>Uds.<th class=r>PVP<th class=r>Dto.<th class=r>Importe</tr><tr><td>978841<td>Atlas histórico<td class=r>1<td class=r>89,99<td class=r>0%<td class=r>89,99<tr><td>978842<td>Lámpara de lectura<td class=r>1<td class=r>69,99<td class=r>0%<td class=r>69,99</table><table style="width:70%;margin-left:30%"><tr><th class=r>Base imponible<th class=r>% IVA<th class=r>Cuota IVA<th class=r>TOTAL FACTURA</tr><tr><td class=r>132,21<td class=r>21<td class=r>27,77<td class=r>159,98 €</table>`,
    ),
  ),
  printed(
    'norwegian, label values inline',
    {
      date: '2024-03-12',
      total: 3125,
      id: '100482',
      currency: 'NOK',
      subtotal: 2500,
      tax: 625,
      merchant: 'Lofoten Regnskap AS',
      buyer: 'Svolvær Fisk AS',
    },
    page(
      '',
      `<div class=f><div><b>Svolvær Fisk AS</b><br>Kaigata 4<br>8300 Svolvær</div><div><b>Lofoten Regnskap AS</b><br>Storgata 1<br>8370 Leknes<br>Org.nr: NO 912 345 678 MVA</div></div><h2>Faktura</h2><div class=f><div>Fakturanr.: 100482<br>Fakturadato: 12.03.2024<br>Forfallsdato: 26.03.2024</div><div>Kundenr.: 10034<br>Leveringsdato: 29.02.2024<br>KID: 1004820034</div></div><table><tr><th>Beskrivelse<th class=r>Pris<th class=r>Antall<th class=r>MVA<th class=r>Beløp</tr><tr><td>Regnskapsføring februar<td class=r>1 250,00<td class=r>2<td class=r>25%<td class=r>2 500,00</table><p class=r>Netto: 2 500,00<br>MVA 25 %: 625,00<br><b>Å betale: NOK 3 125,00</b></p><p>Kontonummer: 1503 12 34567</p>`,
    ),
  ),
]
