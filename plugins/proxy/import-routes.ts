/** POST /v1/admin/products/import: a product spec from an OpenAPI document, for the operator's pages. */
import {
  fail,
  type Failure,
  type GatewayEnv,
  invalid,
  isProductId,
  privateJson,
  readInput,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type, type Static } from 'typebox'
import type { Imported, Lacking, NotImported } from './openapi/from-openapi.ts'
import { FETCH_TIMEOUT_MS, MAX_BYTES } from './import.ts'
import type { ImportOrder } from './import-text.ts'

const MODULE = { url: new URL('./import-worker.ts', import.meta.url).href }
const JOB_TIMEOUT_MS = 20_000
/** Of a document in the request: what is longer comes by URL. */
const BODY_BYTES = 8 * 1024 * 1024

const ImportInput = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'Where the document is; on a public address, unless ALLOW_PRIVATE_TARGETS',
      }),
    ),
    document: Type.Optional(Type.String({ description: 'The document itself, JSON or YAML' })),
    priceCredits: Type.Number({ exclusiveMinimum: 0, description: 'Of every skill, to be edited' }),
    productId: Type.Optional(
      Type.String({ maxLength: 40, description: 'Default: out of the title' }),
    ),
    baseUrl: Type.Optional(
      Type.String({ maxLength: 2048, description: 'Of the API; default: its first server' }),
    ),
    tag: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only operations with this tag; /v1/things: with this path or one below it',
      }),
    ),
  },
  { additionalProperties: false },
)
const ImportOutput = Type.Object({
  product_id: Type.String(),
  yaml: Type.String({ description: 'The product, to be edited, checked and registered' }),
  skills: Type.Integer(),
  dropped: Type.Array(Type.String(), { description: 'What it does not have of the document' }),
})

/** The member of the input that can say what the document lacks. */
const MEMBER_FOR: Readonly<Record<Lacking, string>> = { url: '/baseUrl', tag: '/tag' }

type Deps = Pick<GatewayEnv, 'fetch' | 'jobs'>

/** Makes the spec and registers nothing: that is done with what the operator makes of it. */
export function importRoutes({ fetch, jobs }: Deps): Route[] {
  async function importDocument(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, ImportInput)
    if (!input.ok) return input
    const source = await sourceOf(input.value, request.signal)
    if (!source.ok) return source
    const { priceCredits, productId, baseUrl, tag } = input.value
    if (productId !== undefined && !isProductId(productId))
      return invalid([{ path: '/productId', message: 'must be lower case letters, digits and -' }])
    const order: ImportOrder = {
      ...source.value,
      priceCredits,
      ...(productId !== undefined && { productId }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(tag !== undefined && { tag }),
    }
    const done = await jobs.run<Imported | NotImported>(MODULE, 'product', order, {
      timeoutMs: JOB_TIMEOUT_MS,
      signal: request.signal,
    })
    if (!done.ok)
      return fail('PROCESSING_FAILURE', `The document could not be read: ${done.message}`)
    const made = done.value
    if (!made.ok)
      return invalid([
        { path: made.lacks ? MEMBER_FOR[made.lacks] : '/document', message: made.message },
      ])
    const { yaml, skills, dropped } = made
    return privateJson({ product_id: made.productId, yaml, skills, dropped })
  }

  /** The document as it came or was fetched; a Failure names what is wrong with which member. */
  async function sourceOf(
    { url, document }: Static<typeof ImportInput>,
    signal: AbortSignal,
  ): Promise<{ ok: true; value: Pick<ImportOrder, 'text' | 'fetchedFrom'> } | Failure> {
    if ((url === undefined) === (document === undefined))
      return invalid([{ path: '/url', message: 'is required, or `document`, and not both' }])
    if (url === undefined) return { ok: true, value: { text: document!, fetchedFrom: null } }
    const wrong = (message: string): Failure => invalid([{ path: '/url', message }])
    const answer = await fetch(url, { signal, maxBytes: MAX_BYTES, timeoutMs: FETCH_TIMEOUT_MS })
    if (!answer.ok) return wrong(`cannot be read: ${answer.message}`)
    if (answer.status < 200 || answer.status > 299) return wrong(`answers ${answer.status}`)
    const text = new TextDecoder().decode(answer.body)
    return { ok: true, value: { text, fetchedFrom: answer.url } }
  }

  return [
    {
      method: 'POST',
      path: '/v1/admin/products/import',
      auth: 'admin',
      tag: 'Products',
      summary: 'Makes a spec of an OpenAPI document, and registers nothing',
      input: ImportInput,
      output: ImportOutput,
      bodyBytes: BODY_BYTES,
      handler: importDocument,
    },
  ]
}
