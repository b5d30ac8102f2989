/** Reads one YAML document, with the place of what is wrong with it. */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Document as YamlDocument } from 'yaml'

/** Most YAML aliases of one document; the library counts nested ones by what they expand to. */
const ALIASES_MAX = 100
/** Most lines of one quoted text that is indented too little, and of all such texts of a document. */
const QUOTED_LINES_MAX = 200
const INDENTED_LINES_MAX = 2000
/** Spaces before such a line; they are not part of the text, so more than needed does no harm. */
const INDENTATION = ' '.repeat(200)
/** Parses of one document: each may reach quoted texts that an earlier one hid. */
const PARSES_MAX = 5

/** The value of `text`, or a message that follows the name of the document. */
export function readYaml(
  text: string,
): { ok: true; value: unknown } | { ok: false; message: string } {
  const lines = new LineCounter()
  try {
    const first = parse(text, lines)
    const document = first.errors.length > 0 ? (reparsed(text, first) ?? first) : first
    const error = document.errors[0] ?? repeatedKey(document)
    if (error) {
      const { line, col } = lines.linePos(error.pos[0])
      const reason = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')
      return {
        ok: false,
        message: `is neither JSON nor YAML (line ${line}, column ${col}): ${reason}`,
      }
    }
    return { ok: true, value: document.toJS({ maxAliasCount: ALIASES_MAX }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    return { ok: false, message: `cannot be read as YAML: ${reason}` }
  }
}

const parse = (text: string, lineCounter?: LineCounter): YamlDocument.Parsed =>
  parseDocument(text, {
    ...(lineCounter && { lineCounter }),
    merge: true,
    logLevel: 'silent',
    // The library compares each key with every other one: half a minute for 30,000.
    uniqueKeys: false,
  })

/**
 * The document with the lines of quoted texts indented, or null when that does not make it YAML. The
 * specification wants them further in than their key; libyaml, Go's reader and js-yaml do not, and
 * published descriptions (Docker's) have such texts.
 */
function reparsed(text: string, first: YamlDocument.Parsed): YamlDocument.Parsed | null {
  let [current, document] = [text, first]
  for (let parses = 0; parses < PARSES_MAX; parses++) {
    const ends = document.errors.filter(({ code }) => code === 'MISSING_CHAR')
    const breaks = ends.flatMap(({ pos, message }) =>
      lineBreaksBefore(current, pos[0], message.includes("'quote") ? "'" : '"'),
    )
    if (breaks.length === 0 || breaks.length > INDENTED_LINES_MAX) return null
    current = indented(current, breaks)
    document = parse(current)
    if (document.errors.length === 0) return document
  }
  return null
}

/** Offsets of the line breaks from `from` to the closing quote; none when it is too far away. */
function lineBreaksBefore(text: string, from: number, quote: string): number[] {
  const breaks: number[] = []
  for (let at = from; at < text.length && breaks.length <= QUOTED_LINES_MAX; at++) {
    const char = text[at]
    if (char === '\n') breaks.push(at)
    else if (char === '\\' && quote === '"') at++
    else if (char === quote && text[at + 1] === quote && quote === "'") at++
    else if (char === quote) return breaks
  }
  return []
}

/** The text with the lines after these offsets further in. */
function indented(text: string, breaks: readonly number[]): string {
  const parts: string[] = []
  let from = 0
  for (const at of [...new Set(breaks)].toSorted((a, b) => a - b)) {
    parts.push(text.slice(from, at + 1), INDENTATION)
    from = at + 1
  }
  return parts.join('') + text.slice(from)
}

/** The first key that its map has already, in the form of the library's own errors. */
function repeatedKey(document: YamlDocument): { pos: [number]; message: string } | null {
  let found: { pos: [number]; message: string } | null = null
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue
        if (keys.has(key.value)) {
          found = { pos: [key.range?.[0] ?? 0], message: 'Map keys must be unique' }
          return visit.BREAK
        }
        keys.add(key.value)
      }
    },
  })
  return found
}
