/**
 * Measures the units of an answer as its price says: from its JSON, from a header, or by counting.
 * An upstream is not trusted: a value that is not a valid number of units counts as missing.
 */
import type { AnswerSource, SaidUnits } from '../plugins/skill.ts'
import { MAX_UNITS } from '../ledger/contract.ts'
import type { MeasureSource, Measured, PriceRule } from '../pricing/rule.ts'
import { pointerTokens } from '../schema/issues.ts'

/** The number of units, rounded up; null if the value is not a valid measure. */
export function unitsOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value < 0n || value > MAX_UNITS ? null : value
  if (typeof value !== 'number' || !(value >= 0) || value > Number(MAX_UNITS)) return null
  return BigInt(Math.ceil(value))
}

/** The units in a header's decimal number, which may have a fraction; null if it is not one. */
export function unitsOfHeader(text: string | null): bigint | null {
  return text !== null && /^\d{1,16}(\.\d{1,20})?$/.test(text.trim()) ? unitsOf(Number(text)) : null
}

/** The units that the skill reported under this unit's name, or as its only number. */
export function unitsSaid(said: SaidUnits | null, unit: string): bigint | null {
  if (said === null) return null
  if (typeof said !== 'object') return unitsOf(said)
  return Object.hasOwn(said, unit) ? unitsOf(said[unit]) : null
}

/** The units of an answer that is complete in memory. */
export function measureWhole(
  { per }: PriceRule,
  { headers, body }: AnswerSource,
  work: { seconds: number; said: SaidUnits | null },
): Measured {
  const reader = new UnitReader(per, headers)
  reader.push(body)
  return reader.measured(work)
}

/** Whether every unit is known from the head of the answer, before its body. */
export function isMeasuredByHead({ per }: PriceRule): boolean {
  return per.every(({ source }) => source.kind === 'header' || source.kind === 'units')
}

/** Whether the answer is a stream of events, which must reach its reader without being buffered. */
export function comesInEvents(headers: Headers): boolean {
  return framingOf(headers) === 'events' || framingOf(headers) === 'lines'
}

type Framing = 'events' | 'lines' | 'document'

const LINES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/jsonlines',
  'application/stream+json',
])
/** The longest document and the longest event in which units are looked for. */
const DOCUMENT_BYTES = 4 * 1024 * 1024
const EVENT_CHARACTERS = 1024 * 1024

/** How the texts of an answer are told apart, by its Content-Type. */
export function framingOf(headers: Headers): Framing {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/event-stream') return 'events'
  return LINES.has(type) ? 'lines' : 'document'
}

/** Counts and reads the units of an answer while it streams through. */
export class UnitReader {
  readonly #per: PriceRule['per']
  readonly #headers: Headers
  /** Of each unit that is read by pointers. */
  readonly #pointersOf: readonly (readonly Pointer[])[]
  readonly #pointers: readonly Pointer[]
  readonly #events: EventReader | null
  readonly #document: Uint8Array[] | null
  #documentBytes = 0
  #sizeBytes = 0

  constructor(per: PriceRule['per'], headers: Headers) {
    this.#per = per
    this.#headers = headers
    this.#pointersOf = per.map(({ source }) =>
      source.kind === 'pointer' ? source.pointers.map((text) => new Pointer(text)) : [],
    )
    this.#pointers = this.#pointersOf.flat()
    // The body of an answer with a content coding is not decoded: its measure counts as missing.
    const isPlain = /^identity$/i.test(headers.get('content-encoding') ?? 'identity')
    const framing = this.#pointers.length > 0 && isPlain ? framingOf(headers) : null
    this.#document = framing === 'document' ? [] : null
    this.#events =
      framing === 'events' || framing === 'lines'
        ? new EventReader(framing, (text) => this.#read(text))
        : null
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  push(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.byteLength
    this.#events?.push(chunk)
    if (this.#document === null || this.#documentBytes > DOCUMENT_BYTES) return
    this.#documentBytes += chunk.byteLength
    if (this.#documentBytes > DOCUMENT_BYTES) this.#document.length = 0
    else this.#document.push(chunk)
  }

  /** The units of everything seen; called after the last byte. */
  measured({ seconds, said }: { seconds: number; said: SaidUnits | null }): Measured {
    this.#events?.end()
    if (this.#document !== null && this.#documentBytes <= DOCUMENT_BYTES)
      this.#read(new TextDecoder().decode(Buffer.concat(this.#document)))
    const one = (source: MeasureSource, unit: string, index: number): bigint | null => {
      switch (source.kind) {
        case 'pointer':
          return unitsOf(this.#pointersOf[index]!.find(({ found }) => found !== undefined)?.found)
        case 'header':
          return unitsOfHeader(this.#headers.get(source.name))
        case 'bytes':
          return BigInt(this.#sizeBytes)
        case 'seconds':
          return unitsOf(seconds)
        case 'units':
          return unitsSaid(said, unit)
      }
    }
    return this.#per.map(({ source, unit }, index) => one(source, unit, index))
  }

  /** Applies the pointers to a JSON text; in a stream, the last value found counts. */
  #read(text: string): void {
    if (!this.#pointers.some((pointer) => pointer.mayBeIn(text))) return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return
    }
    for (const pointer of this.#pointers) pointer.look(value)
  }
}

/** An RFC 6901 pointer and what it found last. */
class Pointer {
  readonly #tokens: readonly string[]
  readonly #last: string
  found: unknown = undefined

  constructor(text: string) {
    this.#tokens = pointerTokens(text)
    // The key as JSON text: most events of a stream lack it and need not be parsed.
    this.#last = JSON.stringify(this.#tokens.at(-1)!).slice(1, -1)
  }

  mayBeIn(text: string): boolean {
    return text.includes(this.#last) || /^\d+$/.test(this.#last) || text.includes('\\')
  }

  look(root: unknown): void {
    let value = root
    for (const token of this.#tokens) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return
      value = (value as Record<string, unknown>)[token]
    }
    // Some streams send null until the number is known ("usage": null in all but the last event).
    if (value !== null) this.found = value
  }
}

/** Extracts the JSON texts of server-sent events or lines, wherever the chunks are cut. */
class EventReader {
  readonly #isEvents: boolean
  readonly #onText: (text: string) => void
  readonly #decoder = new TextDecoder()
  /** The current, incomplete line. */
  #line = ''
  #isTooLong = false
  /** The text so far ended in CR: an LF at the start of the next chunk belongs to it. */
  #endedInCr = false
  /** Data lines of the current, incomplete event. */
  #data: string[] = []
  #dataCharacters = 0

  constructor(framing: 'events' | 'lines', onText: (text: string) => void) {
    this.#isEvents = framing === 'events'
    this.#onText = onText
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Ends the last line or event, also when a broken stream left it unterminated. */
  end(): void {
    this.#take(this.#decoder.decode())
    this.#take('\n')
    this.#give()
  }

  #take(text: string): void {
    if (text === '') return
    const lines = (this.#endedInCr && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\n|\r/,
    )
    this.#endedInCr = text.endsWith('\r')
    const rest = lines.pop()!
    for (const line of lines) {
      this.#lineIs(this.#isTooLong ? '' : this.#line + line, this.#isTooLong)
      this.#line = ''
      this.#isTooLong = false
    }
    this.#line += rest
    if (this.#line.length <= EVENT_CHARACTERS) return
    this.#line = ''
    this.#isTooLong = true
  }

  #lineIs(line: string, isTooLong: boolean): void {
    if (!this.#isEvents) {
      if (line.trim() !== '') this.#onText(line)
      return
    }
    if (line === '' && !isTooLong) return this.#give()
    if (!line.startsWith('data:')) return
    const data = line.slice(line[5] === ' ' ? 6 : 5)
    this.#dataCharacters += data.length + 1
    if (this.#dataCharacters <= EVENT_CHARACTERS) this.#data.push(data)
  }

  #give(): void {
    if (this.#data.length > 0 && this.#dataCharacters <= EVENT_CHARACTERS)
      this.#onText(this.#data.join('\n'))
    this.#data = []
    this.#dataCharacters = 0
  }
}
