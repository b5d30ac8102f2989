/**
 * Keeps what an operator adds to the query out of what callers see: APIs that take their key there
 * repeat the address they were asked by, in links to the next page or to the answer itself. Each
 * character becomes `*`, so lengths stay, and such a link still works through the gateway.
 */
import type { Answer } from './answer.ts'

/** What is shorter is a setting such as `format=json`, which stands in any text. */
const SECRET_MIN_LENGTH = 8

/** Every spelling in which a secret of the query may come back, as bytes in latin1. */
export type Secrets = readonly string[]

export function secretsOf(query: Readonly<Record<string, string>>): Secrets {
  const spellings = Object.values(query)
    .filter((value) => value.length >= SECRET_MIN_LENGTH)
    .flatMap((value) => {
      const escaped = encodeURIComponent(value)
      const inForm = new URLSearchParams({ value }).toString().slice('value='.length)
      const inJson = JSON.stringify(value).slice(1, -1)
      return [value, escaped, lowerEscapes(escaped), inForm, inJson, inJson.replaceAll('/', '\\/')]
    })
    .map((text) => Buffer.from(text).toString('latin1'))
  // The longest first: a spelling may be a part of another.
  return [...new Set(spellings)].sort((one, other) => other.length - one.length)
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%../g, (escape) => escape.toLowerCase())
}

/** The answer without the secrets, in its headers and its body. */
export function masked(answer: Answer, secrets: Secrets): Answer {
  if (secrets.length === 0) return answer
  const { rawHeaders, body } = answer
  return {
    ...answer,
    rawHeaders: rawHeaders.map((text) => maskedText(text, secrets)),
    body:
      body instanceof ReadableStream
        ? body.pipeThrough(maskingStream(secrets))
        : body && bytesOf(maskedText(latin1Of(body), secrets)),
  }
}

/** The part of a secret that has come so far waits for the rest; everything else passes at once. */
function maskingStream(secrets: Secrets): TransformStream<Uint8Array, Uint8Array> {
  let waiting = ''
  return new TransformStream({
    transform(chunk, controller) {
      const text = maskedText(waiting + latin1Of(chunk), secrets)
      const shownLength = text.length - begunLength(text, secrets)
      waiting = text.slice(shownLength)
      if (shownLength > 0) controller.enqueue(bytesOf(text.slice(0, shownLength)))
    },
    flush(controller) {
      if (waiting !== '') controller.enqueue(bytesOf(waiting))
    },
  })
}

function maskedText(text: string, secrets: Secrets): string {
  return secrets.reduce(
    (before, secret) => before.replaceAll(secret, () => '*'.repeat(secret.length)),
    text,
  )
}

/** How many characters at the end of the text may be the beginning of a secret. */
function begunLength(text: string, secrets: Secrets): number {
  const longest = Math.min(text.length, Math.max(...secrets.map(({ length }) => length)) - 1)
  for (let length = longest; length > 0; length--) {
    const end = text.slice(-length)
    if (secrets.some((secret) => secret.startsWith(end))) return length
  }
  return 0
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}
