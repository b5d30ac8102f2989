/** Draws the documents of the set with the programs that are installed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagePrinter } from '../fresh/print.ts'
import type { StationeryDocument } from './documents.ts'

export interface StationeryDrawer {
  pdf(document: StationeryDocument): Promise<Uint8Array>
  close(): Promise<void>
}

/** LaTeX counts columns and pages in its first run. */
const RUNS_OF_LATEX = 2

/** The text of a source for groff. */
export const textOfGroff = (source: string): string =>
  execFileSync('groff', ['-t', '-k', '-Tutf8', '-P-bcou'], {
    input: source,
    encoding: 'utf8',
  })

/** Draws into `folder`; what is drawn there already is taken. */
export function stationeryDrawer(folder: string): StationeryDrawer {
  mkdirSync(folder, { recursive: true })
  const printer = pagePrinter()
  const run = (program: string, args: string[]): void => {
    execFileSync(program, args, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
  }
  return {
    async pdf({ name, layout, source }) {
      const path = join(folder, `${name}.pdf`)
      const kept = join(folder, `${name}.${layout.maker === 'pdflatex' ? 'tex' : 'html'}`)
      if (existsSync(path) && existsSync(kept) && readFileSync(kept, 'utf8') === source)
        return readFileSync(path)
      writeFileSync(kept, source)
      if (layout.maker === 'chromium') writeFileSync(path, await printer.print(source))
      else if (layout.maker === 'writer')
        run('soffice', ['--headless', '--convert-to', 'pdf:writer_web_pdf_Export', kept])
      else
        for (let at = 0; at < RUNS_OF_LATEX; at++)
          run('pdflatex', ['-interaction=batchmode', '-halt-on-error', kept])
      return readFileSync(path)
    },
    close: () => printer.close(),
  }
}
