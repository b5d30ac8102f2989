/** What a layout of the set is: whose program draws it, and what it makes of a sale. */
import type { Order, Sale } from './sale.ts'

export interface Layout {
  name: string
  /** `a` was looked at while rules were mended; of `b` only shares were printed. */
  half: 'a' | 'b'
  /** The program that draws the source; `text` is read as it is. */
  maker: 'pdflatex' | 'chromium' | 'writer' | 'groff' | 'text'
  order: Order
  /** The sale as it is taxed here. */
  adjust?: (sale: Sale) => Sale
  source: (sale: Sale) => string
  /** Fields of the truth that it does not print. */
  absent?: readonly string[]
}

/** Text with backslashes as they are; Bun writes letters beyond ASCII of raw text as their codes. */
export const raw = (text: TemplateStringsArray, ...values: unknown[]): string =>
  String.raw(text, ...values).replaceAll(/\\u([\dA-Fa-f]{4})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )

/** A document of LaTeX in UTF-8 with its fonts; `preamble` goes before the body. */
export const tex = (documentClass: string, preamble: string, body: string): string =>
  raw`\documentclass${documentClass}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern,textcomp}
${preamble}
\begin{document}
${body}
\end{document}
`
