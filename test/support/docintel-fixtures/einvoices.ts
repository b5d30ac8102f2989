/** E-invoices of random content in three forms: CII (Factur-X, ZUGFeRD 2), ZUGFeRD 1 and UBL. */
import type { Random } from './random.ts'

export interface EInvoice {
  id: string
  date: string
  currency: string
  seller: string
  sellerVat: string
  buyer: string
  lines: { name: string; quantity: number; price: number; amount: number }[]
  net: number
  rate: number
  tax: number
  total: number
  prepaid: number
}

const round = (n: number): number => Math.round(n * 100) / 100

export function makeEInvoice(r: Random): EInvoice {
  const lines = Array.from({ length: r.int(1, 8) }, (_, i) => {
    const quantity = r.int(1, 40)
    const price = r.int(50, 90_000) / 100
    return {
      name: `${r.pick(['Trennblätter A4', 'Café & Crème <fin>', 'Wartung "Plus"', 'Licence annuelle', 'Consulting'])} ${i + 1}`,
      quantity,
      price,
      amount: round(quantity * price),
    }
  })
  const net = round(lines.reduce((s, l) => s + l.amount, 0))
  const rate = r.pick([19, 7, 20, 21, 0])
  const tax = round((net * rate) / 100)
  return {
    id: `R${r.digits(6)}/${r.int(1, 99)}`,
    date: `20${r.int(15, 25)}-0${r.int(1, 9)}-${r.int(10, 28)}`,
    currency: r.pick(['EUR', 'EUR', 'CHF', 'GBP']),
    seller: r.pick(['Lieferant GmbH', 'Société Générique & Fils SARL', 'Kraxi GmbH']),
    sellerVat: `DE${r.digits(9)}`,
    buyer: r.pick(['Kunden AG Mitte', 'Acme Ltd']),
    lines,
    net,
    rate,
    tax,
    total: round(net + tax),
    prepaid: r.chance(0.3) ? 10 : 0,
  }
}

const x = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const f2 = (n: number): string => n.toFixed(2)

export function ciiXml(e: EInvoice): string {
  const day = e.date.replaceAll('-', '')
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>${x(e.id)}</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">${day}</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${e.lines.map((l, i) => `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${i + 1}</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>${x(l.name)}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${f2(l.price)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="H87">${l.quantity}.0000</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:RateApplicablePercent>${e.rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${f2(l.amount)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`).join('\n')}
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>${x(e.seller)}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>80333</ram:PostcodeCode><ram:LineOne>Lieferantenstraße 20</ram:LineOne><ram:CityName>München</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${e.sellerVat}</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>${x(e.buyer)}</ram:Name></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>${e.currency}</ram:InvoiceCurrencyCode><ram:ApplicableTradeTax><ram:CalculatedAmount>${f2(e.tax)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>${f2(e.net)}</ram:BasisAmount><ram:RateApplicablePercent>${e.rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${f2(e.net)}</ram:LineTotalAmount><ram:TaxBasisTotalAmount>${f2(e.net)}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="${e.currency}">${f2(e.tax)}</ram:TaxTotalAmount><ram:GrandTotalAmount>${f2(e.total)}</ram:GrandTotalAmount><ram:TotalPrepaidAmount>${f2(e.prepaid)}</ram:TotalPrepaidAmount><ram:DuePayableAmount>${f2(e.total - e.prepaid)}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`
}

/** The same as ZUGFeRD 1 names it. */
export function zugferd1Xml(e: EInvoice): string {
  return ciiXml(e)
    .replaceAll('CrossIndustryInvoice:100', 'CrossIndustryDocument:invoice:1p0')
    .replaceAll('rsm:CrossIndustryInvoice', 'rsm:CrossIndustryDocument')
    .replaceAll('rsm:ExchangedDocumentContext', 'rsm:SpecifiedExchangedDocumentContext')
    .replaceAll('rsm:ExchangedDocument>', 'rsm:HeaderExchangedDocument>')
    .replaceAll('rsm:SupplyChainTradeTransaction', 'rsm:SpecifiedSupplyChainTradeTransaction')
    .replaceAll('ApplicableHeaderTrade', 'ApplicableSupplyChainTrade')
    .replaceAll('SpecifiedLineTrade', 'SpecifiedSupplyChainTrade')
    .replaceAll(
      'SpecifiedTradeSettlementHeaderMonetarySummation',
      'SpecifiedTradeSettlementMonetarySummation',
    )
    .replaceAll(
      'SpecifiedTradeSettlementLineMonetarySummation',
      'SpecifiedTradeSettlementMonetarySummation',
    )
    .replaceAll('RateApplicablePercent', 'ApplicablePercent')
}

export function ublXml(e: EInvoice): string {
  const c = ` currencyID="${e.currency}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:ID>${x(e.id)}</cbc:ID><cbc:IssueDate>${e.date}</cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>${e.currency}</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PostalAddress><cbc:StreetName>Lieferantenstraße 20</cbc:StreetName><cbc:CityName>München</cbc:CityName><cbc:PostalZone>80333</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${e.sellerVat}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${x(e.seller)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
<cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>${x(e.buyer)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingCustomerParty>
<cac:TaxTotal><cbc:TaxAmount${c}>${f2(e.tax)}</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount${c}>${f2(e.net)}</cbc:TaxableAmount><cbc:TaxAmount${c}>${f2(e.tax)}</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>${e.rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:LineExtensionAmount${c}>${f2(e.net)}</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount${c}>${f2(e.net)}</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount${c}>${f2(e.total)}</cbc:TaxInclusiveAmount><cbc:PrepaidAmount${c}>${f2(e.prepaid)}</cbc:PrepaidAmount><cbc:PayableAmount${c}>${f2(e.total - e.prepaid)}</cbc:PayableAmount></cac:LegalMonetaryTotal>
${e.lines.map((l, i) => `<cac:InvoiceLine><cbc:ID>${i + 1}</cbc:ID><cbc:InvoicedQuantity unitCode="H87">${l.quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount${c}>${f2(l.amount)}</cbc:LineExtensionAmount><cac:Item><cbc:Name>${x(l.name)}</cbc:Name></cac:Item><cac:Price><cbc:PriceAmount${c}>${f2(l.price)}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`).join('\n')}
</ubl:Invoice>`
}
