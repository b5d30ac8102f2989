/**
 * Orders as Mexico's electronic invoices (CFDI), which two makers print from their XML with pdfmake:
 * cfdi2pdf (version 3.3) and @nodecfdi/cfdi-to-pdf (version 4.0).
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import type { Paper } from './sales.ts'

const seal = (at: number): string =>
  Buffer.from(Array.from({ length: 120 }, (_, k) => (k * 37 + at * 11) % 251)).toString('base64')
const uuid = (at: number): string =>
  `5E8C6A0${at % 10}-3B1D-4C7E-9F2A-${String(at).padStart(4, '0')}7D1B9A4C`

/** The invoice as XML; those of 4.0 say more of the one who pays. */
export function cfdiXml(paper: Paper, version: '3.3' | '4.0'): string {
  const { truth, goods, taxes, manner, at } = paper
  const isLater = version === '4.0'
  const isCredit = truth.kind === 'credit_note'
  const money = (value: number): string => value.toFixed(2)
  const share = (rate: number): string => (rate / 100).toFixed(6)
  const object = isLater ? ' ObjetoImp="02"' : ''
  const concepts = goods.map(({ description, quantity, price, amount, rate }, k) => {
    const tax = money((amount * rate) / 100)
    return `<cfdi:Concepto ClaveProdServ="${44_121_600 + k}" NoIdentificacion="${1200 + k}" Cantidad="${quantity}" ClaveUnidad="H87" Unidad="Pieza" Descripcion="${escapeHtml(description)}" ValorUnitario="${money(price)}" Importe="${money(amount)}" Descuento="0.00"${object}><cfdi:Impuestos><cfdi:Traslados><cfdi:Traslado Base="${money(amount)}" Impuesto="002" TipoFactor="Tasa" TasaOCuota="${share(rate)}" Importe="${tax}"/></cfdi:Traslados></cfdi:Impuestos></cfdi:Concepto>`
  })
  const sums = taxes.map(
    ({ rate, base, tax }) =>
      `<cfdi:Traslado${isLater ? ` Base="${money(base)}"` : ''} Impuesto="002" TipoFactor="Tasa" TasaOCuota="${share(rate)}" Importe="${money(tax)}"/>`,
  )
  const namespace = `http://www.sat.gob.mx/cfd/${isLater ? 4 : 3}`
  const related = isCredit
    ? `<cfdi:CfdiRelacionados TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${uuid(at + 50)}"/></cfdi:CfdiRelacionados>`
    : ''
  const home = isLater ? ' DomicilioFiscalReceptor="06600" RegimenFiscalReceptor="601"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<cfdi:Comprobante xmlns:cfdi="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${namespace} ${namespace}/cfdv.xsd" Version="${version}" Serie="FA" Folio="${truth.id}" Fecha="${truth.date}T10:42:07" Sello="${seal(at)}" FormaPago="03" NoCertificado="30001000000400002434" Certificado="" CondicionesDePago="CONTADO" SubTotal="${money(truth.net)}" Descuento="0.00" Moneda="${manner.currency}" TipoCambio="1" Total="${money(truth.total)}" TipoDeComprobante="${isCredit ? 'E' : 'I'}"${isLater ? ' Exportacion="01"' : ''} MetodoPago="PUE" LugarExpedicion="06600">${related}<cfdi:Emisor Rfc="EKU9003173C9" Nombre="${escapeHtml(truth.seller)}" RegimenFiscal="601"/><cfdi:Receptor Rfc="XAXX010101000" Nombre="${escapeHtml(truth.buyer)}"${home} UsoCFDI="G03"/><cfdi:Conceptos>${concepts.join('')}</cfdi:Conceptos><cfdi:Impuestos TotalImpuestosTrasladados="${money(truth.vat)}"><cfdi:Traslados>${sums.join('')}</cfdi:Traslados></cfdi:Impuestos><cfdi:Complemento><tfd:TimbreFiscalDigital xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital" Version="1.1" UUID="${uuid(at)}" FechaTimbrado="${truth.date}T10:43:11" RfcProvCertif="SPR190613I52" SelloCFD="${seal(at)}" NoCertificadoSAT="30001000000400002495" SelloSAT="${seal(at + 3)}"/></cfdi:Complemento></cfdi:Comprobante>`
}

const FONTS = 'node_modules/cfdi2pdf/fonts/Roboto'
const fontsOf = (folder: string): object => ({
  Roboto: {
    normal: join(folder, FONTS, 'Roboto-Regular.ttf'),
    bold: join(folder, FONTS, 'Roboto-Medium.ttf'),
    italics: join(folder, FONTS, 'Roboto-Italic.ttf'),
    bolditalics: join(folder, FONTS, 'Roboto-MediumItalic.ttf'),
  },
  Courier: { normal: 'Courier', bold: 'Courier-Bold' },
})

interface PdfStream {
  on(event: 'data', take: (part: Uint8Array) => void): void
  on(event: 'end' | 'error', done: (error?: Error) => void): void
  end(): void
}
const bytesOf = (stream: PdfStream): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const parts: Uint8Array[] = []
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    stream.on('error', reject)
    stream.end()
  })

/**
 * Draws an invoice of version 3.3 by cfdi2pdf: its reading of the XML and its page. Its own main function
 * asks a native library for the string that the tax office signs, which is told here.
 */
export async function drawCfdi2Pdf(folder: string, xml: string): Promise<Uint8Array> {
  const root = createRequire(join(folder, 'package.json')).resolve('cfdi2pdf/package.json')
  const require = createRequire(root)
  const { parseStringPromise } = require('xml2js') as {
    parseStringPromise(xml: string): Promise<object>
  }
  const parse = require('./parseData') as (xml: object) => object
  const contentOf = require('./createPDFContent') as (data: object, options: object) => object
  const Printer = require('pdfmake/src/printer') as new (fonts: object) => {
    createPdfKitDocument(definition: object): PdfStream
  }
  const data = parse(await parseStringPromise(xml)) as { timbreFiscalDigital: { uuid: string } }
  const cadenaOriginalCC = `||1.1|${data.timbreFiscalDigital.uuid}|SPR190613I52||`
  const content = contentOf({ ...data, cadenaOriginalCC }, {})
  return await bytesOf(new Printer(fontsOf(folder)).createPdfKitDocument(content))
}

/** Draws an invoice of version 4.0 by @nodecfdi/cfdi-to-pdf. */
export async function drawNodeCfdi(folder: string, xml: string): Promise<Uint8Array> {
  const require = createRequire(join(folder, 'package.json'))
  const { DOMParser, XMLSerializer, DOMImplementation } = require('@xmldom/xmldom') as Record<
    'DOMParser' | 'XMLSerializer' | 'DOMImplementation',
    new () => object
  >
  const { install, XmlNodeUtils } = require('@nodecfdi/cfdiutils-common') as {
    install(...parts: object[]): void
    XmlNodeUtils: { nodeFromXmlString(xml: string): object }
  }
  const { CfdiData, GenericCfdiTranslator, PdfMakerBuilder, installPdfMake } =
    require('@nodecfdi/cfdi-to-pdf') as {
      CfdiData: new (node: object, ...more: unknown[]) => object
      GenericCfdiTranslator: new () => object
      PdfMakerBuilder: new (translator: object) => { buildBase64(data: object): Promise<string> }
      installPdfMake(printer: object): void
    }
  install(new DOMParser(), new XMLSerializer(), new DOMImplementation())
  const Printer = require('pdfmake') as new (fonts: object) => object
  installPdfMake(new Printer(fontsOf(folder)))
  const data = new CfdiData(XmlNodeUtils.nodeFromXmlString(xml), null, null)
  const drawn = await new PdfMakerBuilder(new GenericCfdiTranslator()).buildBase64(data)
  return Buffer.from(drawn, 'base64')
}
