/** The tables that the structure files of the ICDAR 2013 competition describe, as rows of cell texts. */

export interface ExpectedTable {
  page: number
  rows: string[][]
}

const ENTITIES: { [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plainText(markup: string): string {
  return markup
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replaceAll(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function numberOf(attributes: string, name: string): number | null {
  const found = new RegExp(`\\b${name}=["'](\\d+)["']`).exec(attributes)
  return found ? Number(found[1]) : null
}

/** Tables of a `*-str.xml` file; the text of a cell stands in its first row and column. */
export function icdarTables(xml: string): ExpectedTable[] {
  return [...xml.matchAll(/<table\b[^>]*>([\s\S]*?)<\/table>/g)].flatMap(([, table]) => {
    const regions = [...table!.matchAll(/<region\b([^>]*)>([\s\S]*?)<\/region>/g)]
    return regions.map(([, attributes, region]) => ({
      page: numberOf(attributes!, 'page')!,
      rows: gridOf(region!),
    }))
  })
}

function gridOf(region: string): string[][] {
  const cells = [...region.matchAll(/<cell\b([^>]*)>([\s\S]*?)<\/cell>/g)].map(
    ([, attributes, inside]) => ({
      row: numberOf(attributes!, 'start-row')!,
      column: numberOf(attributes!, 'start-col')!,
      lastRow: numberOf(attributes!, 'end-row'),
      lastColumn: numberOf(attributes!, 'end-col'),
      text: plainText(/<content>([\s\S]*?)<\/content>/.exec(inside!)?.[1] ?? ''),
    }),
  )
  const top = Math.min(...cells.map(({ row }) => row))
  const left = Math.min(...cells.map(({ column }) => column))
  const height = Math.max(...cells.map(({ row, lastRow }) => lastRow ?? row)) - top + 1
  const width = Math.max(...cells.map(({ column, lastColumn }) => lastColumn ?? column)) - left + 1
  const grid = Array.from({ length: height }, () => Array.from({ length: width }, () => ''))
  for (const { row, column, text } of cells) grid[row - top]![column - left] = text
  return grid
}
