/**
 * Page numbers ("Seite 1 von 2", "2. oldal / 3"), told by the pages themselves: the same words in the
 * same row from the edge of two pages that follow one another, with one number that goes up by one. They are no amounts.
 */
import type { Row } from '../../model/document.ts'

/** Rows from the edge of a page in which its number stands. */
const EDGE_ROWS = 4
const NUMBER = /\d+/g

type Place = readonly [row: number, cell: number]
interface Counter {
  words: string
  numbers: number[]
  /** Rows from the top of the page, and from its foot. */
  fromTop: number
  fromFoot: number
  place: Place
}

/** The cells with numbers at the top and the foot of a page. */
function countersOf(rows: readonly Row[], first: number): Counter[] {
  return rows.flatMap(({ cells }, at) =>
    at >= EDGE_ROWS && at < rows.length - EDGE_ROWS
      ? []
      : cells.flatMap(({ text }, cell) =>
          /\d/.test(text)
            ? [
                {
                  words: text.replaceAll(NUMBER, '#'),
                  numbers: [...text.matchAll(NUMBER)].map(([digits]) => Number(digits)),
                  fromTop: at,
                  fromFoot: rows.length - 1 - at,
                  place: [first + at, cell] as const,
                },
              ]
            : [],
        ),
  )
}

const isSamePlace = (a: Counter, b: Counter): boolean =>
  (a.fromTop === b.fromTop && a.fromTop < EDGE_ROWS) ||
  (a.fromFoot === b.fromFoot && a.fromFoot < EDGE_ROWS)

/** Whether all numbers stay but one, which goes up by one. */
function countsOn(from: readonly number[], to: readonly number[]): boolean {
  const steps = to.map((value, at) => value - from[at]!).filter((step) => step !== 0)
  return steps.length === 1 && steps[0] === 1
}

/** For each row the cells that hold a page number. */
export function pageNumberCells(rows: readonly Row[]): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>()
  const add = ([row, cell]: Place): void => {
    const cells = found.get(row) ?? new Set()
    found.set(row, cells.add(cell))
  }
  let before: Counter[] = []
  for (let first = 0; first < rows.length;) {
    const end = rows.findIndex((row, at) => at > first && row.page !== rows[first]!.page)
    const last = end === -1 ? rows.length : end
    const counters = countersOf(rows.slice(first, last), first)
    for (const one of before)
      for (const next of counters)
        if (
          isSamePlace(one, next) &&
          one.words === next.words &&
          countsOn(one.numbers, next.numbers)
        ) {
          add(one.place)
          add(next.place)
        }
    before = counters
    first = last
  }
  return found
}
