/** Scores of schema filling, by leaf: exact, missed (null instead), wrong, invented. */
import { runExtract } from '../../../plugins/utils/extract/worker.ts'
import type { FillCase } from './fill-case.ts'

export interface FillScore {
  cases: number
  /** Leaves that the document says. */
  said: number
  exact: number
  missed: number
  wrong: number
  /** Leaves that the document does not say, and how many of them were given a value. */
  silent: number
  invented: number
  misses: string[]
}

function leaves(value: unknown, pointer: string, into: Map<string, unknown>): void {
  if (Array.isArray(value)) value.forEach((one, at) => leaves(one, `${pointer}/${at}`, into))
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) leaves(inner, `${pointer}/${key}`, into)
  else into.set(pointer, value)
}

export function scoreFill(cases: readonly FillCase[]): FillScore {
  const score = { said: 0, exact: 0, missed: 0, wrong: 0, silent: 0, invented: 0 }
  const misses: string[] = []
  for (const { name, source = 'html', content, url = null, schema, expected } of cases) {
    const outcome = runExtract({ source, content, contentType: null, url, schema })
    if (!outcome.ok) throw new Error(outcome.message)
    const wanted = new Map<string, unknown>()
    const given = new Map<string, unknown>()
    leaves(expected, '', wanted)
    leaves(outcome.data, '', given)
    for (const pointer of new Set([...wanted.keys(), ...given.keys()])) {
      const want = wanted.get(pointer) ?? null
      const got = given.get(pointer) ?? null
      const say = (): number =>
        misses.push(`${name} ${pointer}: ${JSON.stringify(got)} for ${JSON.stringify(want)}`)
      if (want === null) {
        score.silent += 1
        if (got !== null) score.invented += 1
      } else {
        score.said += 1
        if (got === want) score.exact += 1
        else if (got === null) score.missed += 1
        else score.wrong += 1
      }
      if (got !== want) say()
    }
  }
  return { cases: cases.length, ...score, misses }
}
