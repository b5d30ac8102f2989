/**
 * How many units an answer has, read where its price says: in its JSON, in a header, or counted here.
 * What an upstream says is not trusted: whatever is no number of units is no measure.
 */
import type { AnswerSource, SaidUnits } from '../plugins/skill.ts'
import { MAX_UNITS } from '../ledger/contract.ts'
import type { MeasureSource, Measured, PriceRule } from '../pricing/rule.ts'

/** Whole units of a number, a begun one counted; null for what is no measure. */
export function unitsOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value < 0n || value > MAX_UNITS ? null : value
  if (typeof value !== 'number' || !(value >= 0) || value > Number(MAX_UNITS)) return null
  return BigInt(Math.ceil(value))
}

/** Of a header: decimal digits, with a fraction or without. */
export function unitsOfHeader(text: string | null): bigint | null {
  return text !== null && /^\d{1,16}(\.\d{1,20})?$/.test(text.trim()) ? unitsOf(Number(text)) : null
}

/** Units that the skill said under this unit's name, or as its only number. */
export function unitsSaid(said: SaidUnits | null, unit: string): bigint | null {
  if (said === null) return null
  if (typeof said !== 'object') return unitsOf(said)
  return Object.hasOwn(said, unit) ? unitsOf(said[unit]) : null
}

/** The units of an answer that is whole. */
export function measureWhole(
  { per }: PriceRule,
  { headers, body }: AnswerSource,
  work: { seconds: number; said: SaidUnits | null },
): Measured {
  const reader = new UnitReader(per, headers)
  reader.push(body)
  return reader.measured(work)
}

/** Whether every unit is known from the head of an answer, before its body. */
export function isMeasuredByHead({ per }: PriceRule): boolean {
  return per.every(({ source }) => source.kind === 'header' || source.kind === 'units')
}

/** Whether the reader of the answer waits for it piece by piece, so that it is not to be held back. */
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

function framingOf(headers: Headers): Framing {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/event-stream') return 'events'
  return LINES.has(type) ? 'lines' : 'document'
}

/** Counts and reads the units of an answer while it passes. */
export class UnitReader {
  readonly #per: PriceRule['per']
  readonly #headers: Headers
  readonly #pointers: readonly Pointer[]
  readonly #events: EventReader | null
  readonly #document: Uint8Array[] | null
  #documentBytes = 0
  #sizeBytes = 0

  constructor(per: PriceRule['per'], headers: Headers) {
    this.#per = per
    this.#headers = headers
    this.#pointers = per.flatMap(({ source }) =>
      source.kind === 'pointer' ? [new Pointer(source.pointer)] : [],
    )
    // Nothing is read in an answer that is still encoded: its measure counts as missing.
    const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity'
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

  /** The units of what has passed, after the last byte. */
  measured({ seconds, said }: { seconds: number; said: SaidUnits | null }): Measured {
    this.#events?.end()
    if (this.#document !== null && this.#documentBytes <= DOCUMENT_BYTES)
      this.#read(new TextDecoder().decode(Buffer.concat(this.#document)))
    const pointers = this.#pointers.values()
    const one = (source: MeasureSource, unit: string): bigint | null => {
      switch (source.kind) {
        case 'pointer':
          return unitsOf(pointers.next().value?.found)
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
    return this.#per.map(({ source, unit }) => one(source, unit))
  }

  /** Takes what the pointers find in a JSON text; of a stream the last that has it counts. */
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
    this.#tokens = text
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    // As JSON has it; most events of a stream are told apart by this, without being parsed.
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
    // A null stands where the number comes later ("usage": null in every event but the last).
    if (value !== null) this.found = value
  }
}

/** Gives the JSON texts of server-sent events or of lines, however the bytes are cut. */
class EventReader {
  readonly #isEvents: boolean
  readonly #onText: (text: string) => void
  readonly #decoder = new TextDecoder()
  /** The line that is not over yet. */
  #line = ''
  #isTooLong = false
  /** The text so far ended in CR: a LF that follows belongs to it. */
  #endedInCr = false
  /** Lines of data of the event that is not over yet. */
  #data: string[] = []
  #dataCharacters = 0

  constructor(framing: 'events' | 'lines', onText: (text: string) => void) {
    this.#isEvents = framing === 'events'
    this.#onText = onText
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** The last line or event needs no end of its own: a stream that broke off counts as it is. */
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
    this.#dataCharacters += data.length
    if (this.#dataCharacters <= EVENT_CHARACTERS) this.#data.push(data)
  }

  #give(): void {
    if (this.#data.length > 0 && this.#dataCharacters <= EVENT_CHARACTERS)
      this.#onText(this.#data.join('\n'))
    this.#data = []
    this.#dataCharacters = 0
  }
}
