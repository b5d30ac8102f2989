/**
 * Reads YAML (or JSON) from operators and untrusted callers: size and nesting are bounded before the
 * parser runs, aliases and duplicate keys are refused, and every value keeps its line and column.
 */
import { PRODUCT_BYTES_MAX } from '#kernel'
import { isAlias, isMap, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml'
import type { Document, Node } from 'yaml'

const MAX_DEPTH = 64
const MAX_PROBLEMS = 20
/** Each is read on its own, on the thread that serves calls. */
const MAX_DOCUMENTS = 1000

export interface Place {
  line: number
  column: number
}
export interface TextProblem {
  place: Place | null
  message: string
}
export interface SourceDocument {
  value: unknown
  /** The text of this document alone. */
  text: string
  /** Place of a value, or of the nearest one around it that exists. */
  placeOf(path: readonly (string | number)[]): Place | null
  /** Place of a key rather than its value. */
  placeOfKey(path: readonly (string | number)[]): Place | null
}
export type Source =
  | { ok: true; documents: SourceDocument[] }
  | { ok: false; problems: TextProblem[] }

/** What the parser's messages mean to somebody who does not know the grammar of YAML. */
const SYNTAX_HINTS: Record<string, string> = {
  BLOCK_AS_IMPLICIT_KEY:
    'a line below it is indented deeper than this one, or a text with a colon in it has no quotes',
  NON_STRING_KEY: 'a text that begins with { needs quotes; a variable is written ${NAME}',
}

/** The documents of the text, or every syntax problem in it. Never throws. */
export function readYaml(text: string): Source {
  const sizeBytes = Buffer.byteLength(text)
  if (sizeBytes > PRODUCT_BYTES_MAX)
    return refuse(`is ${sizeBytes} bytes long; at most ${PRODUCT_BYTES_MAX} are read`)
  if ((text.match(/^---/gm)?.length ?? 0) > MAX_DOCUMENTS)
    return refuse(`holds more than ${MAX_DOCUMENTS} documents`)
  const deep = tooDeepAt(text)
  if (deep !== null) return refuse(`nests deeper than ${MAX_DEPTH} levels`, deep)
  if (text.includes('\0'))
    return refuse('is not UTF-8: an editor, or `>` of PowerShell, wrote UTF-16')
  try {
    return read(text)
  } catch {
    return refuse('cannot be read as YAML')
  }
}

function read(text: string): Source {
  const counter = new LineCounter()
  const parsed = parseAllDocuments(text, {
    lineCounter: counter,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // The parser compares each key with every other one of its map: seconds for some thousands.
    uniqueKeys: false,
  })
  const list = Array.isArray(parsed) ? parsed : []
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset)
    return { line, column: col }
  }
  const problems: TextProblem[] = []
  for (const document of list) {
    const found = [...document.errors, ...document.warnings]
    // A map that is not aligned is refused once more as a key of several lines.
    const isAboutMaps = found.some(({ code }) => code === 'BLOCK_AS_IMPLICIT_KEY')
    for (const { code, pos, message } of found) {
      if (isAboutMaps && code === 'MULTILINE_IMPLICIT_KEY') continue
      problems.push({ place: placeAt(pos[0]), message: SYNTAX_HINTS[code] ?? message })
    }
    // What the parser makes of a broken text may nest without bound, and a visit costs the depth squared.
    if (found.length > 0) continue
    visit(document, {
      Alias: (_, node) => {
        const place = node.range ? placeAt(node.range[0]) : null
        problems.push({ place, message: 'aliases (*name) are not allowed: write the value out' })
      },
      Map: (_, map) => {
        const keys = new Set<unknown>()
        for (const { key } of map.items) {
          if (!isScalar(key)) continue
          const place = key.range ? placeAt(key.range[0]) : null
          if (keys.has(key.value)) problems.push({ place, message: 'Map keys must be unique' })
          keys.add(key.value)
        }
      },
    })
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
  const documents = list
    .filter((document) => !isEmpty(document))
    .map((document) => sourceDocument(document, text, placeAt))
  if (documents.length === 0) return refuse('is empty; a product spec is expected')
  return { ok: true, documents }
}

function sourceDocument(
  document: Document.Parsed,
  text: string,
  placeAt: (offset: number) => Place,
): SourceDocument {
  const start = (node: unknown): Place | null => {
    const range = (node as Node | null | undefined)?.range
    return range ? placeAt(range[0]) : null
  }
  const placeOf: SourceDocument['placeOf'] = (path) => {
    for (let length = path.length; length >= 0; length--) {
      const found = start(
        length === 0 ? document.contents : document.getIn(path.slice(0, length), true),
      )
      if (found !== null) return found
    }
    return null
  }
  return {
    value: document.toJS({ maxAliasCount: 0 }),
    text: text.slice(document.range[0], document.range[1]).trim(),
    placeOf,
    placeOfKey(path) {
      const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
      if (isMap(parent)) {
        const name = path.at(-1)
        const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === name)
        const found = start(pair?.key)
        if (found !== null) return found
      }
      return placeOf(path)
    },
  }
}

function isEmpty(document: Document.Parsed): boolean {
  const { contents } = document
  return contents === null || (isScalar(contents) && contents.value === null && !isAlias(contents))
}

function refuse(message: string, place: Place | null = null): Source {
  return { ok: false, problems: [{ place, message }] }
}

/**
 * Where brackets, block sequences on one line, or indentation open more than MAX_DEPTH levels. It
 * counts brackets inside of quotes too, which only ever refuses odd texts.
 */
function tooDeepAt(text: string): Place | null {
  let depth = 0
  for (const [index, line] of text.split('\n').entries()) {
    const indent = /^[ ]*/.exec(line)![0].length
    const dashes = /^(?:\s*[-?] )*/.exec(line)![0].replaceAll(' ', '').length
    if (dashes > MAX_DEPTH || indent > MAX_DEPTH * 8) return { line: index + 1, column: 1 }
    for (let column = 0; column < line.length; column++) {
      const code = line.charCodeAt(column)
      if (code === 0x5b || code === 0x7b) {
        if (++depth > MAX_DEPTH) return { line: index + 1, column: column + 1 }
      } else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--
    }
  }
  return null
}
