/** The example of utils.pdf_extract: a PDF as small as it gets, and what is read from it. */

const CONTENT = 'BT /F 18 Tf 20 40 Td (Hello, PDF) Tj ET'
// Without a cross-reference table, which readers rebuild.
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 80]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length ${CONTENT.length}>>stream
${CONTENT}
endstream endobj
trailer<</Root 1 0 R>>
`

export const EXAMPLE = {
  input: {
    file_base64: Buffer.from(PDF, 'latin1').toString('base64'),
    options: { includeTables: true, maxPages: 5 },
  },
  output: {
    pages: [{ page: 1, text: 'Hello, PDF' }],
    tables: [],
    meta: {
      pageCount: 1,
      bytesDecoded: PDF.length,
      engine: 'pdfjs-dist 6.5.438',
      warnings: [],
    },
  },
}
