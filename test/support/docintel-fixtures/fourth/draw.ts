/** Draws the documents of `documents.ts` as PDF with the programs of their makers; each is drawn once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pagePrinter } from '../fresh/print.ts'
import { TRYTON, type FourthDocument } from './documents.ts'
import type { QrBillData } from './qr-bill.ts'
import { typesetTex } from './typeset.ts'

export interface FourthDrawer {
  bytesOf(document: FourthDocument): Promise<Uint8Array>
  close(): Promise<void>
}

/** Debian's, which has the modules of its packages. */
const PYTHON = '/usr/bin/python3'
const SCRIPTS = import.meta.dirname

const fileOf = (document: FourthDocument, extension: string): string =>
  `${document.name.replaceAll(' ', '-')}.${extension}`

/** The programs that take long to start draw all of theirs at once, where one of them is missing. */
export function fourthDrawer(folder: string, documents: readonly FourthDocument[]): FourthDrawer {
  const require = createRequire(join(folder, 'package.json'))
  const kept = join(folder, 'fourth')
  mkdirSync(kept, { recursive: true })
  const { print, close } = pagePrinter()

  const runPython = (script: string, input: unknown): void => {
    const path = join(kept, `${script}.json`)
    writeFileSync(path, JSON.stringify(input))
    execFileSync(PYTHON, [join(SCRIPTS, script), path])
  }
  const drawTryton = (): void =>
    runPython('draw_tryton.py', {
      template: join(folder, TRYTON, 'invoice.fodt'),
      folder: kept,
      jobs: documents.flatMap(({ drawn }) => (drawn.by === 'tryton' ? [drawn.job] : [])),
    })
  const drawGnucash = (): void =>
    runPython(
      'draw_gnucash.py',
      documents.flatMap((document) =>
        document.drawn.by === 'gnucash'
          ? [{ ...document.drawn.job, path: join(kept, fileOf(document, 'html')) }]
          : [],
      ),
    )

  async function swissBill(data: QrBillData): Promise<Uint8Array> {
    type Pdf = {
      fontSize(size: number): Pdf
      font(name: string): Pdf
      text(text: string, x: number, y: number, options?: object): Pdf
      on(event: string, run: (chunk: Uint8Array) => void): void
      end(): void
    }
    type Attached = { attachTo(pdf: Pdf, x?: number, y?: number): void }
    const PDFDocument = require('pdfkit') as new (options: object) => Pdf
    const { SwissQRBill, Table } = require('swissqrbill/pdf') as {
      SwissQRBill: new (bill: unknown, options: object) => Attached
      Table: new (options: object) => Attached
    }
    const { mm2pt } = require('swissqrbill/utils') as { mm2pt(length: number): number }
    const { creditor, debtor } = data.bill
    const pdf = new PDFDocument({ size: 'A4' })
    const chunks: Uint8Array[] = []
    const done = new Promise<void>((resolve) => {
      pdf.on('data', (chunk) => void chunks.push(chunk))
      pdf.on('end', () => resolve())
    })
    const block = (who: Record<string, string>): string =>
      `${who['name']}\n${who['address']}\n${who['zip']} ${who['city']}`
    const box = { width: mm2pt(100), height: mm2pt(50), align: 'left' }
    pdf.fontSize(12).font('Helvetica')
    pdf.text(block(creditor), mm2pt(20), mm2pt(35), box)
    pdf.text(block(debtor), mm2pt(130), mm2pt(60), { ...box, width: mm2pt(70) })
    pdf.fontSize(14).font('Helvetica-Bold')
    pdf.text(data.title, mm2pt(20), mm2pt(100), { width: mm2pt(170) })
    pdf.fontSize(11).font('Helvetica')
    pdf.text(data.day, mm2pt(20), mm2pt(107), { width: mm2pt(170), align: 'right' })
    const widths = [20, 20, undefined, 30]
    const last = data.rows.length - 1
    const rows = data.rows.map((row, at) => ({
      ...(at === 0 && { backgroundColor: '#4A4D51', textColor: '#fff' }),
      ...(at === last && { height: 40 }),
      ...((at === 0 || at === last) && { fontName: 'Helvetica-Bold' }),
      padding: 5,
      columns: row.map((text, column) => ({
        text,
        ...(widths[column] && { width: mm2pt(widths[column]) }),
      })),
    }))
    new Table({ rows, width: mm2pt(170) }).attachTo(pdf, mm2pt(20), mm2pt(117))
    new SwissQRBill(data.bill, { language: data.language }).attachTo(pdf)
    pdf.end()
    await done
    return new Uint8Array(Buffer.concat(chunks))
  }

  async function draw(document: FourthDocument): Promise<Uint8Array> {
    const { drawn } = document
    switch (drawn.by) {
      case 'html':
        return await print(drawn.text)
      case 'tex':
        return typesetTex(drawn.text)
      case 'receiptline': {
        const { transform } = require('receiptline') as {
          transform(text: string, printer: object): string
        }
        return await print(transform(drawn.text, { cpl: 42, encoding: 'cp1252', command: 'svg' }))
      }
      case 'swissqrbill':
        return await swissBill(drawn.data as QrBillData)
      case 'gnucash': {
        const page = join(kept, fileOf(document, 'html'))
        if (!existsSync(page)) drawGnucash()
        return await print(readFileSync(page, 'utf8'))
      }
      case 'tryton': {
        const page = join(kept, `${drawn.job.name}.pdf`)
        if (!existsSync(page)) drawTryton()
        return readFileSync(page)
      }
    }
  }

  return {
    async bytesOf(document) {
      const path = join(kept, fileOf(document, 'pdf'))
      if (!existsSync(path)) writeFileSync(path, await draw(document))
      return readFileSync(path)
    },
    close,
  }
}
