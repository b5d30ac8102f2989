/** Typesets LaTeX in a folder of its own; the second run knows the pages and widths of the first. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function typesetTex(text: string, engine: 'pdflatex' | 'xelatex' = 'pdflatex'): Uint8Array {
  const own = mkdtempSync(join(tmpdir(), 'invoice-tex-'))
  try {
    writeFileSync(join(own, 'page.tex'), text)
    for (let run = 0; run < 2; run++)
      execFileSync(engine, ['-interaction=nonstopmode', 'page.tex'], {
        cwd: own,
        stdio: 'ignore',
      })
    return readFileSync(join(own, 'page.pdf'))
  } finally {
    rmSync(own, { recursive: true })
  }
}
