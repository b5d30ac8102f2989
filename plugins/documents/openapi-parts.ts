/** What every operation of the OpenAPI description shares: errors, the 402, credentials, headers. */
import { type DocumentedRail, type RailAnswerHeader } from '#kernel'
import { PriceSchema } from './price-schema.ts'

export type Json = Record<string, unknown>

export const ERROR_REF = { $ref: '#/components/schemas/Error' }

/** A rail's name for people. */
export const titleOf = ({ id, title = id }: Pick<DocumentedRail, 'id' | 'title'>): string => title

/** A response with a JSON body of this schema. */
export const jsonAnswer = (description: string, schema: object): Json => ({
  description,
  content: { 'application/json': { schema } },
})

/** A response with the error body. */
export const errorAnswer = (description: string): Json => jsonAnswer(description, ERROR_REF)

/** One after which the same request may be sent again, and when. */
export const laterAnswer = (answer: Json): Json => ({
  ...answer,
  headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
})

/** Headers that many answers have. */
export const SHARED_HEADERS: Json = {
  RetryAfter: {
    description: 'Whole seconds after which to send the same request again, if that can help',
    schema: { type: 'integer', minimum: 0 },
  },
}

/** Statuses that never have a body. */
export const BODILESS: ReadonlySet<number> = new Set([202, 304])

/** What the answers of routes mean, by status. */
export const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken; there is nothing to answer',
  304: 'Unchanged since the answer that If-None-Match names',
  400: 'The input is wrong: `details.issues` names each field',
  401: 'The credential, signature or token is missing or wrong',
  403: 'Closed by the configuration of this gateway',
  404: 'Nothing has this id',
  409: 'Its state, or what was asked under the same id before, does not allow this',
  412: 'If-Match or If-None-Match names another version than the active one',
  413: 'The body is too large',
  429: 'Too many calls or wrong tokens, or the daily spend ceiling is reached: see Retry-After',
  500: 'The gateway failed',
  503: 'A part that this needs does not work now',
}

/** The member of a response that lists its headers; nothing where there are none. */
export function headersOf(headers: readonly RailAnswerHeader[]): { headers?: Json } {
  if (headers.length === 0) return {}
  const listed = headers.map(
    ({ name, description }) => [name, { description, schema: { type: 'string' } }] as const,
  )
  return { headers: Object.fromEntries(listed) }
}

/** The 402 with the headers that rails offer by. */
export function paymentRequiredAnswer(rails: readonly DocumentedRail[]): Json {
  const offered = rails
    .flatMap(({ answerHeaders = [] }) => answerHeaders)
    .filter(({ isOffer }) => isOffer)
  return {
    description: 'Payment required: the offers of every open rail',
    ...headersOf(offered),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
  }
}

const header = (name: string, description: string, maxLength: number): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', maxLength },
})

/** The optional headers of a call, as components. */
export const PARAMETERS: Readonly<Record<string, Json>> = {
  RequestId: header(
    'X-Request-Id',
    'Your id of this call; it comes back and stands in the ledger',
    128,
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'The same key and body within 24 hours give the stored answer without a second charge',
    255,
  ),
  Acquisition: header('X-Kernel-Acquisition', 'A campaign label, kept with the usage', 128),
}

/** References to them, for each operation. */
export const CALL_HEADERS: readonly Json[] = Object.keys(PARAMETERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

/** Security schemes, by name: of keys and the operator, of the rails, of first-party services. */
export function securitySchemes(rails: readonly DocumentedRail[]): Json {
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'A prepaid API key (ck_live_… or ck_test_…)',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The admin token on admin routes; an API key or its JWT elsewhere',
    },
    ...Object.assign({}, ...rails.map((rail) => rail.documents?.().securitySchemes)),
    serviceToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Kernel-Service-Token',
      description: 'A first-party service, with X-Kernel-Api-Key-Id',
    },
  }
}

const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'retryable', 'requestId'],
  properties: {
    code: {
      type: 'string',
      enum: [
        'INVALID_INPUT',
        'UNSUPPORTED_FORMAT',
        'PAYMENT_REQUIRED',
        'PAYMENT_FAILED',
        'RATE_LIMITED',
        'UPSTREAM_FAILURE',
        'PROCESSING_FAILURE',
        'TIMEOUT',
        'INTERNAL_ERROR',
      ],
    },
    message: { type: 'string' },
    retryable: {
      type: 'boolean',
      description: 'The same request, unchanged, may succeed later',
    },
    requestId: { type: 'string' },
    details: { type: 'object', additionalProperties: true },
  },
}

const PROBLEM_REF = { $ref: '#/components/schemas/Problem' }
const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: { error: PROBLEM_REF },
}

/** The schemas that operations refer to; that of a 402 has the members of every rail's offer. */
export function componentSchemas(rails: readonly DocumentedRail[]): Json {
  const readers = rails.filter(({ id }) => id !== 'credits').map(titleOf)
  const asText =
    readers.length > 0 ? `a text, as ${readers.join(' and ')} clients read it` : 'a text'
  const description = `Without an API key ${asText}, and the object is \`problem\`; with one the object`
  return {
    Price: PriceSchema,
    Problem: PROBLEM_SCHEMA,
    Error: ERROR_SCHEMA,
    PaymentRequired: {
      type: 'object',
      required: ['error'],
      properties: {
        error: { description, anyOf: [{ type: 'string' }, PROBLEM_REF] },
        problem: PROBLEM_REF,
        ...Object.assign({}, ...rails.map((rail) => rail.documents?.().offerProperties)),
      },
    },
  }
}

/** Whether mail can reach this address from outside: the default of CONTACT_EMAIL is nobody's. */
export function isMailbox(contactEmail: string): boolean {
  return /@[^@]+\.[^@.]+$/.test(contactEmail)
}
