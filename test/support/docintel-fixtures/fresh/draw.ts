/** Draws the documents of `documents.ts` as PDF with the packages of `folder`; each is drawn once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FreshDocument } from './documents.ts'
import { pagePrinter } from './print.ts'

type Data = Record<string, never>

export interface FreshDrawer {
  /** The document as PDF; of text documents the UTF-8 of their rows. */
  bytesOf(document: FreshDocument): Promise<Uint8Array>
  close(): Promise<void>
}

export function freshDrawer(folder: string): FreshDrawer {
  const require = createRequire(join(folder, 'package.json'))
  const { print, close } = pagePrinter()

  async function draw({ drawn }: FreshDocument): Promise<Uint8Array> {
    switch (drawn.by) {
      case 'text':
        return new TextEncoder().encode(drawn.text)
      case 'html':
        return await print(drawn.html)
      case 'gst': {
        const { HtmlTemplates } = require('@makarandkate/invoice-templates') as {
          HtmlTemplates: { getBillTemplateHtml(bill: unknown, layout: string): Promise<string> }
        }
        const { layout, bill } = drawn.data as { layout: string; bill: unknown }
        return await print(await HtmlTemplates.getBillTemplateHtml(bill, layout))
      }
      case 'leancode': {
        const own = createRequire(
          join(folder, 'node_modules/@leancodepl/invoice-template/package.json'),
        )
        const { createElement } = own('react') as {
          createElement(kind: unknown, data: unknown): unknown
        }
        const { renderToString } = require('react-dom/server') as {
          renderToString(element: unknown): string
        }
        const { ServerStyleSheet } = own('styled-components') as {
          ServerStyleSheet: new () => {
            collectStyles(element: unknown): unknown
            getStyleTags(): string
          }
        }
        const { PolishInvoiceTemplate } = require(
          join(
            folder,
            'node_modules/@leancodepl/invoice-template/src/PolishInvoiceTemplate/index.js',
          ),
        ) as Data
        const data = drawn.data as { header: Record<string, unknown> }
        const { header } = data
        const sheet = new ServerStyleSheet()
        const body = renderToString(
          sheet.collectStyles(
            createElement(PolishInvoiceTemplate, {
              ...data,
              header: {
                ...header,
                documentDate: new Date(`${String(header['documentDate'])}T12:00:00`),
                sellDate: new Date(`${String(header['sellDate'])}T12:00:00`),
                dueDate: new Date(`${String(header['dueDate'])}T12:00:00`),
              },
            }),
          ),
        )
        return await print(`<html><head>${sheet.getStyleTags()}</head><body>${body}</body></html>`)
      }
      case 'invoice-it': {
        const pug = require('pug') as { compileFile(path: string): (keys: unknown) => string }
        const data = drawn.data as {
          language: string
          id: string
          date: string
          emitter: Record<string, string>
          recipient: Record<string, string>
          sums: { net: number; vat: number; total: number }
          article: { description: string; tax: number; price: number; qt: number; amount: number }[]
        }
        const at = join(folder, 'node_modules/invoice-it')
        const words = JSON.parse(
          readFileSync(join(at, `src/config/locales/${data.language}.json`), 'utf8'),
        ) as Record<string, string>
        const prefixed = (prefix: string, values: Record<string, string>): Record<string, string> =>
          Object.fromEntries(Object.entries(values).map(([key, value]) => [prefix + key, value]))
        const render = pug.compileFile(join(at, 'static/invoice.pug'))
        const html = render({
          ...words,
          ...prefixed('emitter_', data.emitter),
          ...prefixed('recipient_', data.recipient),
          recipient_company: data.recipient['company_name'],
          emitter_first_name: '',
          recipient_first_name: '',
          invoice_header_reference_value: data.id,
          header_date: data.date.replaceAll('-', '/'),
          logo: '',
          footer: words['footer'],
          table_note_content: '',
          table_total_without_taxes_value: data.sums.net.toFixed(2),
          table_total_taxes_value: data.sums.vat.toFixed(2),
          table_total_with_taxes_value: data.sums.total.toFixed(2),
          template_configuration: {
            rows_in_first_page: 33,
            rows_per_pages: 43,
            rows_in_last_page: 33,
            loop_table: 1,
          },
          articles: data.article.map((row) => ({
            ...row,
            tax: row.tax.toFixed(2),
            price: row.price.toFixed(2),
            total_product_without_taxes: row.amount.toFixed(2),
          })),
        })
        return await print(html)
      }
      case 'pdf-invoice-simple':
        return await simpleInvoice(drawn.data as never)
      case 'jspdf': {
        const { default: make } = require('jspdf-invoice-template-nodejs') as {
          default(data: unknown): { jsPDFDocObject: { output(kind: string): ArrayBuffer } }
        }
        const made = make({
          ...(drawn.data as object),
          outputType: 'arraybuffer',
          returnJsPDFDocObject: true,
        })
        return new Uint8Array(made.jsPDFDocObject.output('arraybuffer'))
      }
      case 'factur-x': {
        const { FacturX, PROFILES, totalsCalculator } = require('factur-x-kit') as {
          PROFILES: { COMFORT: string }
          FacturX: {
            fromObject(data: unknown): Promise<{ getPDF(options: unknown): Promise<Uint8Array> }>
          }
          totalsCalculator(data: unknown): object
        }
        const { locale, invoice } = drawn.data as { locale: string; invoice: unknown }
        const made = await FacturX.fromObject({
          ...totalsCalculator(invoice),
          profile: PROFILES.COMFORT,
        })
        return await withoutAttachments(await made.getPDF({ locale }))
      }
      case 'danfe': {
        const { gerarPDF } = require('@alexssmusica/node-pdf-nfe') as {
          gerarPDF(xml: string, options: unknown): Promise<AsyncIterable<Uint8Array>>
        }
        const chunks: Uint8Array[] = []
        for await (const chunk of await gerarPDF(drawn.data as string, { cancelada: false }))
          chunks.push(chunk)
        return new Uint8Array(Buffer.concat(chunks))
      }
    }
  }

  /** The module is written for a bundler, so that it is read with its imports put in by hand. */
  async function simpleInvoice(data: { date: string; dueDate: string }): Promise<Uint8Array> {
    const at = join(folder, 'node_modules/pdf-invoice-simple/src')
    const moment = require('moment') as (text: string) => unknown
    const pdfMake = require('pdfmake/build/pdfmake') as {
      vfs: unknown
      createPdf(template: unknown): { getBuffer(done: (bytes: Uint8Array) => void): void }
    }
    const fonts = require('pdfmake/build/vfs_fonts') as {
      pdfMake?: { vfs: unknown }
      vfs?: unknown
    }
    pdfMake.vfs = fonts.pdfMake?.vfs ?? fonts.vfs ?? fonts
    const plain = (file: string): string =>
      readFileSync(join(at, file), 'utf8')
        .replaceAll(/^import .*$/gm, '')
        .replaceAll(/export default /g, 'return ')
        .replaceAll(/export (const|function) /g, '$1 ')
    const layout = new Function(`${plain('layout.js')}; return { table, footer }`)() as {
      table: unknown
      footer: unknown
    }
    const headTable = new Function(plain('head-table.js'))() as unknown
    const source = plain('index.js')
    const start = source.indexOf('return (options)')
    const make = new Function(
      'tableLayout',
      'footerLayout',
      'headTable',
      'moment',
      'pdfMake',
      `${source.slice(0, start)}${source.slice(source.indexOf('function getTemplate'))}; return (options) => pdfMake.createPdf(getTemplate(options))`,
    ) as (
      ...given: unknown[]
    ) => (options: unknown) => { getBuffer(done: (b: Uint8Array) => void): void }
    const document = make(
      layout.table,
      layout.footer,
      headTable,
      moment,
      pdfMake,
    )({
      ...data,
      date: moment(data.date),
      dueDate: moment(data.dueDate),
    })
    return await new Promise((resolve) =>
      document.getBuffer((bytes) => resolve(new Uint8Array(bytes))),
    )
  }

  /** The page without the XML in it: what is read here is the print. */
  async function withoutAttachments(bytes: Uint8Array): Promise<Uint8Array> {
    const { PDFDocument, PDFName, PDFDict, PDFStream } = require('pdf-lib') as {
      PDFDocument: {
        load(bytes: Uint8Array): Promise<{
          catalog: { delete(name: unknown): void }
          context: { enumerateIndirectObjects(): [unknown, unknown][]; delete(ref: unknown): void }
          save(): Promise<Uint8Array>
        }>
      }
      PDFName: { of(name: string): unknown }
      PDFDict: new (...given: never[]) => { get(name: unknown): unknown }
      PDFStream: new (...given: never[]) => { dict: { get(name: unknown): unknown } }
    }
    const pdf = await PDFDocument.load(bytes)
    pdf.catalog.delete(PDFName.of('Names'))
    pdf.catalog.delete(PDFName.of('AF'))
    const files = [PDFName.of('Filespec'), PDFName.of('F'), PDFName.of('EmbeddedFile')]
    for (const [ref, object] of pdf.context.enumerateIndirectObjects()) {
      const dict =
        object instanceof PDFStream ? object.dict : object instanceof PDFDict ? object : null
      if (dict && files.includes(dict.get(PDFName.of('Type')))) pdf.context.delete(ref)
    }
    return await pdf.save()
  }

  return {
    async bytesOf(document) {
      const extension = document.drawn.by === 'text' ? 'txt' : 'pdf'
      const kept = join(folder, 'fresh', `${document.name.replaceAll(' ', '-')}.${extension}`)
      if (existsSync(kept)) return readFileSync(kept)
      mkdirSync(join(folder, 'fresh'), { recursive: true })
      writeFileSync(kept, await draw(document))
      return readFileSync(kept)
    },
    close,
  }
}
