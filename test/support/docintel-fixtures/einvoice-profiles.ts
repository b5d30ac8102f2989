/**
 * E-invoices as the profiles really differ: several tax rates, allowances and charges, prepaid sums,
 * credit notes, two currencies, notes, text lines, foreign prefixes, envelopes. Each with its truth.
 */
export interface ProfileInvoice {
  name: string
  xml: string
  truth: {
    document_id: string
    issued_at: string
    currency: string
    merchant: { name: string; tax_id: string | null; country: string }
    buyer: { name: string; tax_id: string | null }
    subtotal: number
    vat: number
    rate: number | null
    total: number
    paid: number | null
    due: number
    lines: [description: string, quantity: number | null, price: number | null, amount: number][]
  }
}

const RSM = 'urn:un:unece:uncefact:data:standard'
/** CII in prefixes of the writer's own choice. */
const cii = (
  p: { doc: string; ram: string; udt: string },
  guideline: string,
  header: string,
  ...transaction: string[]
): string => {
  const tag = (prefix: string): string => (prefix === '' ? '' : `${prefix}:`)
  const declare = (prefix: string, uri: string): string =>
    ` xmlns${prefix === '' ? '' : `:${prefix}`}="${RSM}:${uri}:100"`
  const d = tag(p.doc)
  const body = `${header}<D:SupplyChainTradeTransaction>${transaction.join('')}</D:SupplyChainTradeTransaction>`
  return `<?xml version='1.0' encoding='UTF-8'?>
<!-- written by an accounting program -->
<${d}CrossIndustryInvoice${declare(p.doc, 'CrossIndustryInvoice')}${declare(p.ram, 'ReusableAggregateBusinessInformationEntity')}${declare(p.udt, 'UnqualifiedDataType')} xmlns:qdt="${RSM}:QualifiedDataType:100">
<${d}ExchangedDocumentContext><R:BusinessProcessSpecifiedDocumentContextParameter><R:ID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</R:ID></R:BusinessProcessSpecifiedDocumentContextParameter><R:GuidelineSpecifiedDocumentContextParameter><R:ID>${guideline}</R:ID></R:GuidelineSpecifiedDocumentContextParameter></${d}ExchangedDocumentContext>
${body.replaceAll('<D:', `<${d}`).replaceAll('</D:', `</${d}`)}
</${d}CrossIndustryInvoice>`
    .replaceAll('<R:', `<${tag(p.ram)}`)
    .replaceAll('</R:', `</${tag(p.ram)}`)
    .replaceAll('<U:', `<${tag(p.udt)}`)
    .replaceAll('</U:', `</${tag(p.udt)}`)
}
const head = (id: string, code: string, day: string, notes = ''): string =>
  `<D:ExchangedDocument><R:ID>${id}</R:ID><R:TypeCode>${code}</R:TypeCode><R:IssueDateTime><U:DateTimeString format="102">${day}</U:DateTimeString></R:IssueDateTime>${notes}</D:ExchangedDocument>`
const line = (
  n: number,
  name: string,
  price: string,
  quantity: string,
  amount: string,
  rate: string,
  more = '',
): string =>
  `<R:IncludedSupplyChainTradeLineItem><R:AssociatedDocumentLineDocument><R:LineID>${n}</R:LineID>${more}</R:AssociatedDocumentLineDocument><R:SpecifiedTradeProduct><R:GlobalID schemeID="0160">401244890004${n}</R:GlobalID><R:SellerAssignedID>A-${n}</R:SellerAssignedID><R:Name>${name}</R:Name><R:Description>Langtext zu Posten ${n}</R:Description></R:SpecifiedTradeProduct><R:SpecifiedLineTradeAgreement><R:GrossPriceProductTradePrice><R:ChargeAmount>${Number(price) + 1}</R:ChargeAmount><R:AppliedTradeAllowanceCharge><R:ChargeIndicator><U:Indicator>false</U:Indicator></R:ChargeIndicator><R:ActualAmount>1.00</R:ActualAmount></R:AppliedTradeAllowanceCharge></R:GrossPriceProductTradePrice><R:NetPriceProductTradePrice><R:ChargeAmount>${price}</R:ChargeAmount></R:NetPriceProductTradePrice></R:SpecifiedLineTradeAgreement><R:SpecifiedLineTradeDelivery><R:BilledQuantity unitCode="C62">${quantity}</R:BilledQuantity></R:SpecifiedLineTradeDelivery><R:SpecifiedLineTradeSettlement><R:ApplicableTradeTax><R:TypeCode>VAT</R:TypeCode><R:CategoryCode>S</R:CategoryCode><R:RateApplicablePercent>${rate}</R:RateApplicablePercent></R:ApplicableTradeTax><R:SpecifiedTradeSettlementLineMonetarySummation><R:LineTotalAmount>${amount}</R:LineTotalAmount></R:SpecifiedTradeSettlementLineMonetarySummation></R:SpecifiedLineTradeSettlement></R:IncludedSupplyChainTradeLineItem>`
const parties = (seller: string, sellerIds: string, buyer: string, buyerIds = ''): string =>
  `<R:ApplicableHeaderTradeAgreement><R:BuyerReference>04011000-12345-34</R:BuyerReference><R:SellerTradeParty><R:ID>549910</R:ID><R:GlobalID schemeID="0088">4000001123452</R:GlobalID><R:Name>${seller}</R:Name><R:SpecifiedLegalOrganization><R:ID>HRB 1</R:ID><R:TradingBusinessName>Handelsname</R:TradingBusinessName></R:SpecifiedLegalOrganization><R:DefinedTradeContact><R:PersonName>Max Mustermann</R:PersonName></R:DefinedTradeContact><R:PostalTradeAddress><R:PostcodeCode>80333</R:PostcodeCode><R:LineOne>Lieferantenstraße 20</R:LineOne><R:CityName>München</R:CityName><R:CountryID>DE</R:CountryID></R:PostalTradeAddress>${sellerIds}</R:SellerTradeParty><R:BuyerTradeParty><R:ID>GE2020211</R:ID><R:Name>${buyer}</R:Name><R:PostalTradeAddress><R:CityName>Frankfurt</R:CityName><R:CountryID>DE</R:CountryID></R:PostalTradeAddress>${buyerIds}</R:BuyerTradeParty><R:SellerTaxRepresentativeTradeParty><R:Name>Vertreter GmbH</R:Name></R:SellerTaxRepresentativeTradeParty></R:ApplicableHeaderTradeAgreement><R:ApplicableHeaderTradeDelivery><R:ShipToTradeParty><R:Name>Lager Nord</R:Name></R:ShipToTradeParty><R:ActualDeliverySupplyChainEvent><R:OccurrenceDateTime><U:DateTimeString format="102">20180228</U:DateTimeString></R:OccurrenceDateTime></R:ActualDeliverySupplyChainEvent></R:ApplicableHeaderTradeDelivery>`
const registered = (scheme: string, id: string): string =>
  `<R:SpecifiedTaxRegistration><R:ID schemeID="${scheme}">${id}</R:ID></R:SpecifiedTaxRegistration>`
const taxed = (sum: string, base: string, rate: string): string =>
  `<R:ApplicableTradeTax><R:CalculatedAmount>${sum}</R:CalculatedAmount><R:TypeCode>VAT</R:TypeCode><R:BasisAmount>${base}</R:BasisAmount><R:CategoryCode>S</R:CategoryCode><R:RateApplicablePercent>${rate}</R:RateApplicablePercent></R:ApplicableTradeTax>`
const settled = (currency: string, taxes: string, sums: string, more = ''): string =>
  `<R:ApplicableHeaderTradeSettlement><R:CreditorReferenceID>DE98ZZZ09999999999</R:CreditorReferenceID><R:PaymentReference>RF18</R:PaymentReference>${more}<R:InvoiceCurrencyCode>${currency}</R:InvoiceCurrencyCode><R:SpecifiedTradeSettlementPaymentMeans><R:TypeCode>58</R:TypeCode></R:SpecifiedTradeSettlementPaymentMeans>${taxes}<R:SpecifiedTradePaymentTerms><R:Description>14 Tage</R:Description></R:SpecifiedTradePaymentTerms><R:SpecifiedTradeSettlementHeaderMonetarySummation>${sums}</R:SpecifiedTradeSettlementHeaderMonetarySummation></R:ApplicableHeaderTradeSettlement>`

const EXTENDED: ProfileInvoice = {
  name: 'Factur-X EXTENDED, default prefix, two rates, allowances, charges, prepaid, two currencies',
  xml: cii(
    { doc: '', ram: 'ns1', udt: 'ns2' },
    'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
    head(
      'R-2020/0001',
      '380',
      '20200315',
      '<R:IncludedNote><R:Content>Es bestehen Rabattvereinbarungen.</R:Content><R:SubjectCode>AAK</R:SubjectCode></R:IncludedNote>',
    ),
    line(
      1,
      'Trennbl&#228;tter A4',
      '9.90',
      '20.0000',
      '198.00',
      '19.00',
      '<R:IncludedNote><R:Content>frei Haus</R:Content></R:IncludedNote>',
    ),
    line(2, '<![CDATA[Joghurt & Banane]]>', '5.5000', '50', '275.00', '7.00'),
    parties(
      'Lieferant GmbH',
      registered('FC', '201/113/40209') + registered('VA', 'DE123456789'),
      'Kunden AG Mitte',
      registered('VA', 'DE987654321'),
    ),
    settled(
      'EUR',
      taxed('37.43', '197.00', '19.00') +
        taxed('18.90', '270.00', '7.00') +
        '<R:SpecifiedTradeAllowanceCharge><R:ActualAmount>9.00</R:ActualAmount></R:SpecifiedTradeAllowanceCharge><R:SpecifiedLogisticsServiceCharge><R:AppliedAmount>3.00</R:AppliedAmount></R:SpecifiedLogisticsServiceCharge>',
      '<R:LineTotalAmount>473.00</R:LineTotalAmount><R:ChargeTotalAmount>3.00</R:ChargeTotalAmount><R:AllowanceTotalAmount>9.00</R:AllowanceTotalAmount><R:TaxBasisTotalAmount currencyID="CHF">500.00</R:TaxBasisTotalAmount><R:TaxBasisTotalAmount currencyID="EUR">467.00</R:TaxBasisTotalAmount><R:TaxTotalAmount currencyID="CHF">60.32</R:TaxTotalAmount><R:TaxTotalAmount currencyID="EUR">56.33</R:TaxTotalAmount><R:GrandTotalAmount currencyID="EUR">523.33</R:GrandTotalAmount><R:TotalPrepaidAmount>100.00</R:TotalPrepaidAmount><R:DuePayableAmount>423.33</R:DuePayableAmount>',
    ),
  ),
  truth: {
    document_id: 'R-2020/0001',
    issued_at: '2020-03-15',
    currency: 'EUR',
    merchant: { name: 'Lieferant GmbH', tax_id: 'DE123456789', country: 'DE' },
    buyer: { name: 'Kunden AG Mitte', tax_id: 'DE987654321' },
    subtotal: 467,
    vat: 56.33,
    rate: null,
    total: 523.33,
    paid: 100,
    due: 423.33,
    lines: [
      ['Trennblätter A4', 20, 9.9, 198],
      ['Joghurt & Banane', 50, 5.5, 275],
    ],
  },
}

const CREDIT: ProfileInvoice = {
  name: 'XRechnung CII credit note 381, no tax total printed, only a tax number',
  xml: cii(
    { doc: 'a', ram: 'b', udt: 'c' },
    'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    head('GS 77', '381', '20240229'),
    line(1, 'Rücknahme Palette', '12.3456', '3', '37.04', '0.00'),
    parties('Kleinbetrieb Öz', registered('FC', '12/345/67890'), 'Stadt Köln'),
    settled(
      'EUR',
      taxed('0.00', '37.04', '0.00'),
      '<R:LineTotalAmount>37.04</R:LineTotalAmount><R:TaxBasisTotalAmount>37.04</R:TaxBasisTotalAmount><R:GrandTotalAmount>37.04</R:GrandTotalAmount><R:DuePayableAmount>37.04</R:DuePayableAmount>',
    ),
  ),
  truth: {
    document_id: 'GS 77',
    issued_at: '2024-02-29',
    currency: 'EUR',
    merchant: { name: 'Kleinbetrieb Öz', tax_id: '12/345/67890', country: 'DE' },
    buyer: { name: 'Stadt Köln', tax_id: null },
    subtotal: 37.04,
    vat: 0,
    rate: 0,
    total: 37.04,
    paid: null,
    due: 37.04,
    lines: [['Rücknahme Palette', 3, 12.3456, 37.04]],
  },
}

const MINIMUM: ProfileInvoice = {
  name: 'Factur-X MINIMUM, no lines',
  xml: cii(
    { doc: 'rsm', ram: 'ram', udt: 'udt' },
    'urn:factur-x.eu:1p0:minimum',
    head('FA-2017-0010', '380', '20171113'),
    parties('Au bon moulin', registered('VA', 'FR11999999998'), 'Ma jolie boutique'),
    settled(
      'EUR',
      '',
      '<R:TaxBasisTotalAmount>624.90</R:TaxBasisTotalAmount><R:TaxTotalAmount currencyID="EUR">46.25</R:TaxTotalAmount><R:GrandTotalAmount>671.15</R:GrandTotalAmount><R:DuePayableAmount>470.15</R:DuePayableAmount>',
    ),
  ),
  truth: {
    document_id: 'FA-2017-0010',
    issued_at: '2017-11-13',
    currency: 'EUR',
    merchant: { name: 'Au bon moulin', tax_id: 'FR11999999998', country: 'DE' },
    buyer: { name: 'Ma jolie boutique', tax_id: null },
    subtotal: 624.9,
    vat: 46.25,
    rate: null,
    total: 671.15,
    paid: null,
    due: 470.15,
    lines: [],
  },
}

const ZUGFERD1: ProfileInvoice = {
  name: 'ZUGFeRD 1 COMFORT with a text line, own prefixes, time of day',
  xml: `<?xml version="1.0" encoding="ISO-8859-1"?>
<n:CrossIndustryDocument xmlns:n="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:m="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" xmlns:k="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">
<n:SpecifiedExchangedDocumentContext><m:GuidelineSpecifiedDocumentContextParameter><m:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:comfort</m:ID></m:GuidelineSpecifiedDocumentContextParameter></n:SpecifiedExchangedDocumentContext>
<n:HeaderExchangedDocument><m:ID>RE 2013-471102</m:ID><m:Name>RECHNUNG</m:Name><m:TypeCode>380</m:TypeCode><m:IssueDateTime><k:DateTimeString format="102">20130305</k:DateTimeString></m:IssueDateTime><m:IncludedNote><m:Content>Rechnung gemäß Bestellung</m:Content></m:IncludedNote></n:HeaderExchangedDocument>
<n:SpecifiedSupplyChainTradeTransaction>
<m:ApplicableSupplyChainTradeAgreement><m:SellerTradeParty><m:Name>Bürobedarf Süd OHG</m:Name><m:PostalTradeAddress><m:PostcodeCode>80333</m:PostcodeCode><m:LineOne>Lieferantenstraße 20</m:LineOne><m:CityName>München</m:CityName><m:CountryID>DE</m:CountryID></m:PostalTradeAddress><m:SpecifiedTaxRegistration><m:ID schemeID="FC">201/113/40209</m:ID></m:SpecifiedTaxRegistration><m:SpecifiedTaxRegistration><m:ID schemeID="VA">DE123456789</m:ID></m:SpecifiedTaxRegistration></m:SellerTradeParty><m:BuyerTradeParty><m:Name>Kunden Mitte AG</m:Name></m:BuyerTradeParty></m:ApplicableSupplyChainTradeAgreement>
<m:ApplicableSupplyChainTradeDelivery/>
<m:ApplicableSupplyChainTradeSettlement><m:PaymentReference>2013-471102</m:PaymentReference><m:InvoiceCurrencyCode>EUR</m:InvoiceCurrencyCode><m:ApplicableTradeTax><m:CalculatedAmount currencyID="EUR">37.62</m:CalculatedAmount><m:TypeCode>VAT</m:TypeCode><m:BasisAmount currencyID="EUR">198.00</m:BasisAmount><m:ApplicablePercent>19.00</m:ApplicablePercent></m:ApplicableTradeTax><m:SpecifiedTradeSettlementMonetarySummation><m:LineTotalAmount currencyID="EUR">198.00</m:LineTotalAmount><m:ChargeTotalAmount currencyID="EUR">0.00</m:ChargeTotalAmount><m:AllowanceTotalAmount currencyID="EUR">0.00</m:AllowanceTotalAmount><m:TaxBasisTotalAmount currencyID="EUR">198.00</m:TaxBasisTotalAmount><m:TaxTotalAmount currencyID="EUR">37.62</m:TaxTotalAmount><m:GrandTotalAmount currencyID="EUR">235.62</m:GrandTotalAmount><m:DuePayableAmount currencyID="EUR">235.62</m:DuePayableAmount></m:SpecifiedTradeSettlementMonetarySummation></m:ApplicableSupplyChainTradeSettlement>
<m:IncludedSupplyChainTradeLineItem><m:AssociatedDocumentLineDocument><m:IncludedNote><m:Content>Wir erlauben uns Ihnen zu berechnen</m:Content></m:IncludedNote></m:AssociatedDocumentLineDocument></m:IncludedSupplyChainTradeLineItem>
<m:IncludedSupplyChainTradeLineItem><m:AssociatedDocumentLineDocument><m:LineID>1</m:LineID></m:AssociatedDocumentLineDocument><m:SpecifiedSupplyChainTradeAgreement><m:GrossPriceProductTradePrice><m:ChargeAmount currencyID="EUR">9.9000</m:ChargeAmount></m:GrossPriceProductTradePrice><m:NetPriceProductTradePrice><m:ChargeAmount currencyID="EUR">9.9000</m:ChargeAmount></m:NetPriceProductTradePrice></m:SpecifiedSupplyChainTradeAgreement><m:SpecifiedSupplyChainTradeDelivery><m:BilledQuantity unitCode="C62">20.0000</m:BilledQuantity></m:SpecifiedSupplyChainTradeDelivery><m:SpecifiedSupplyChainTradeSettlement><m:ApplicableTradeTax><m:TypeCode>VAT</m:TypeCode><m:ApplicablePercent>19.00</m:ApplicablePercent></m:ApplicableTradeTax><m:SpecifiedTradeSettlementMonetarySummation><m:LineTotalAmount currencyID="EUR">198.00</m:LineTotalAmount></m:SpecifiedTradeSettlementMonetarySummation></m:SpecifiedSupplyChainTradeSettlement><m:SpecifiedTradeProduct><m:SellerAssignedID>TB100A4</m:SellerAssignedID><m:Name>Trennblätter A4</m:Name></m:SpecifiedTradeProduct></m:IncludedSupplyChainTradeLineItem>
</n:SpecifiedSupplyChainTradeTransaction></n:CrossIndustryDocument>`,
  truth: {
    document_id: 'RE 2013-471102',
    issued_at: '2013-03-05',
    currency: 'EUR',
    merchant: { name: 'Bürobedarf Süd OHG', tax_id: 'DE123456789', country: 'DE' },
    buyer: { name: 'Kunden Mitte AG', tax_id: null },
    subtotal: 198,
    vat: 37.62,
    rate: 19,
    total: 235.62,
    paid: null,
    due: 235.62,
    lines: [['Trennblätter A4', 20, 9.9, 198]],
  },
}

const eur = (name: string, amount: string): string =>
  `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`
const ublTaxed = (base: string, sum: string, rate: string): string =>
  `<cac:TaxSubtotal>${eur('TaxableAmount', base)}${eur('TaxAmount', sum)}<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`
const ublLine = (
  kind: 'Invoice' | 'CreditNote',
  n: number,
  name: string,
  price: string,
  quantity: string,
  amount: string,
): string =>
  `<cac:${kind}Line><cbc:ID>${n}</cbc:ID><cbc:Note>Hinweis</cbc:Note><cbc:${kind === 'Invoice' ? 'Invoiced' : 'Credited'}Quantity unitCode="XPP">${quantity}</cbc:${kind === 'Invoice' ? 'Invoiced' : 'Credited'}Quantity>${eur('LineExtensionAmount', amount)}<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator>${eur('Amount', '1.00')}</cac:AllowanceCharge><cac:Item><cbc:Description>Beschreibung ${n}</cbc:Description><cbc:Name>${name}</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cac:Price>${eur('PriceAmount', price)}<cbc:BaseQuantity unitCode="XPP">1</cbc:BaseQuantity></cac:Price></cac:${kind}Line>`
const ubl = (kind: 'Invoice' | 'CreditNote', body: string): string =>
  `<${kind} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${kind}-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"><cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>${body}</${kind}>`
const ublParties = `<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Nordlicht (Marke)</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>Hafenweg 3</cbc:StreetName><cbc:CityName>Kiel</cbc:CityName><cbc:PostalZone>24103</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>20/293/12345</cbc:CompanyID><cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyTaxScheme><cbc:CompanyID>DE277777777</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Nordlicht Energie eG</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty><cac:AccountingCustomerParty><cac:Party><cac:PartyIdentification><cbc:ID>K1</cbc:ID></cac:PartyIdentification><cac:PartyTaxScheme><cbc:CompanyID>NL001234567B01</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Waterland BV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingCustomerParty><cac:PayeeParty><cac:PartyName><cbc:Name>Factoring AG</cbc:Name></cac:PartyName></cac:PayeeParty>`
const ublTruth = {
  issued_at: '2023-06-30',
  currency: 'EUR',
  merchant: { name: 'Nordlicht Energie eG', tax_id: 'DE277777777', country: 'DE' },
  buyer: { name: 'Waterland BV', tax_id: 'NL001234567B01' },
} as const

const UBL: ProfileInvoice = {
  name: 'UBL Peppol invoice in an envelope, tax total in two currencies, rounding, prepaid',
  xml: `<?xml version="1.0" encoding="UTF-8"?><StandardBusinessDocument xmlns="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"><StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>${ubl(
    'Invoice',
    `<cbc:ID>NL-2023-0815</cbc:ID><cbc:IssueDate>2023-06-30</cbc:IssueDate><cbc:DueDate>2023-07-14</cbc:DueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>Bitte beachten</cbc:Note><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode><cac:OrderReference><cbc:ID>PO-9</cbc:ID></cac:OrderReference>${ublParties}<cac:PaymentMeans><cbc:PaymentMeansCode name="Credit transfer">30</cbc:PaymentMeansCode><cbc:PaymentID>NL-2023-0815</cbc:PaymentID></cac:PaymentMeans><cac:TaxTotal><cbc:TaxAmount currencyID="SEK">990.00</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>${eur('TaxAmount', '88.30')}${ublTaxed('400.00', '76.00', '19')}${ublTaxed('175.71', '12.30', '7')}</cac:TaxTotal><cac:LegalMonetaryTotal>${eur('LineExtensionAmount', '585.71')}${eur('TaxExclusiveAmount', '575.71')}${eur('TaxInclusiveAmount', '664.01')}${eur('AllowanceTotalAmount', '10.00')}${eur('PrepaidAmount', '64.00')}${eur('PayableRoundingAmount', '-0.01')}${eur('PayableAmount', '600.00')}</cac:LegalMonetaryTotal>${ublLine('Invoice', 1, 'Strom Juni', '0.2850', '1438.6', '410.00')}${ublLine('Invoice', 2, 'Wärme', '17.571', '10', '175.71')}`,
  )}</StandardBusinessDocument>`,
  truth: {
    ...ublTruth,
    document_id: 'NL-2023-0815',
    subtotal: 575.71,
    vat: 88.3,
    rate: null,
    total: 664.01,
    paid: 64,
    due: 600,
    lines: [
      ['Strom Juni', 1438.6, 0.285, 410],
      ['Wärme', 10, 17.571, 175.71],
    ],
  },
}
const UBL_CREDIT: ProfileInvoice = {
  name: 'UBL credit note',
  xml: ubl(
    'CreditNote',
    `<cbc:ID>GU-4</cbc:ID><cbc:IssueDate>2023-06-30+02:00</cbc:IssueDate><cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>NL-2023-0815</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>${ublParties}<cac:TaxTotal>${eur('TaxAmount', '1.90')}${ublTaxed('10.00', '1.90', '19.0')}</cac:TaxTotal><cac:LegalMonetaryTotal>${eur('LineExtensionAmount', '10.00')}${eur('TaxExclusiveAmount', '10.00')}${eur('TaxInclusiveAmount', '11.90')}${eur('PayableAmount', '11.90')}</cac:LegalMonetaryTotal>${ublLine('CreditNote', 1, 'Rückgabe', '10', '1', '10.00')}`,
  ),
  truth: {
    ...ublTruth,
    document_id: 'GU-4',
    subtotal: 10,
    vat: 1.9,
    rate: 19,
    total: 11.9,
    paid: null,
    due: 11.9,
    lines: [['Rückgabe', 1, 10, 10]],
  },
}

export const PROFILES: readonly ProfileInvoice[] = [
  EXTENDED,
  CREDIT,
  MINIMUM,
  ZUGFERD1,
  UBL,
  UBL_CREDIT,
]
