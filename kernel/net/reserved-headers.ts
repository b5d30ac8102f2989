/**
 * Header names that belong to the gateway. Rails add theirs, which stay reserved for as long as the
 * process lives: a payment that arrives late must not reach a skill because its rail has gone.
 */

/** Credentials and connection headers of a request, in lower case. */
const OF_REQUESTS = [
  'authorization',
  'x-api-key',
  'cookie',
  // Payments of HTTP clients, even if no rail reads them: an upstream could spend them.
  'payment-signature',
  'x-payment',
  'payment-authorization',
  // A wallet's proof is valid for one call, from any sender.
  'sign-in-with-x',
  'x-kernel-service-token',
  'x-kernel-api-key-id',
  'proxy-authorization',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const withheld = new Set(OF_REQUESTS)
const paying = new Set<string>()
const answering = new Set<string>()

/** Reserves the headers that carry a rail's credential, and those of its offers and receipts. */
export function reserveHeaders(request: readonly string[], answer: readonly string[]): void {
  for (const name of request) {
    withheld.add(name.toLowerCase())
    paying.add(name.toLowerCase())
  }
  for (const name of answer) answering.add(name.toLowerCase())
}

/** Withholds the headers that carry another credential of callers, which pays nothing by itself. */
export function withholdHeaders(request: readonly string[]): void {
  for (const name of request) withheld.add(name.toLowerCase())
}

/** Headers of a request, in lower case, that no skill and no upstream ever sees; it may grow. */
export function withheldHeaders(): ReadonlySet<string> {
  return withheld
}

/** Those of them, in lower case, by which rails are paid. */
export function paymentHeaders(): ReadonlySet<string> {
  return paying
}

/** Whether a rail says something by an answer header of this lower-case name. */
export function isOfRail(name: string): boolean {
  return answering.has(name)
}

/** The name of a header, as JSON Schema has it: a token (RFC 9110, section 5.6.2). */
export const HEADER_NAME_PATTERN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
