/** The text of an OpenAPI document made a product spec: for the command and for the console alike. */
import { parseDocument } from 'yaml'
import { productFromOpenApi, type Imported, type NotImported } from './openapi/from-openapi.ts'
import { serverUrl } from './openapi/terms.ts'
import { visibleText } from '../shared/visible-text.ts'

export interface ImportOrder {
  /** JSON or YAML. */
  text: string
  /** Where it was fetched; null: nowhere, such as a file. */
  fetchedFrom: string | null
  priceCredits: number
  /** Default: out of the document's title. */
  productId?: string
  /** Base URL of the API; default: the document's first server, beside where it was fetched. */
  baseUrl?: string
  /** Only operations with this tag or, where it begins with `/`, with this path or one below it. */
  tag?: string
  /** The API may be at a private address. */
  allowPrivate?: boolean
}

/** The product's YAML and what it leaves out, or why there is none. */
export function importText(order: ImportOrder): Imported | NotImported {
  const { text, fetchedFrom, priceCredits, tag, allowPrivate } = order
  const parsed = parsedText(text)
  if (!parsed.ok) return parsed
  const url = order.baseUrl ?? besideDocument(parsed.value, fetchedFrom)
  return productFromOpenApi(parsed.value, {
    productId: order.productId ?? idOf(parsed.value),
    priceCredits,
    ...(url !== null && { url }),
    isOneServer: order.baseUrl !== undefined,
    ...(tag !== undefined && { tag }),
    ...(allowPrivate !== undefined && { allowPrivate }),
  })
}

function parsedText(text: string): { ok: true; value: unknown } | NotImported {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    // YAML, or a mistake that the parser of YAML names with its line.
  }
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) return { ok: false, message: visibleText(error.message.split('\n', 1)[0]!) }
  try {
    return { ok: true, value: document.toJS() }
  } catch (wrong) {
    // Aliases that multiply.
    return { ok: false, message: (wrong as Error).message }
  }
}

/** An id out of the title: 'Swagger Petstore - OpenAPI 3.0' is 'swagger-petstore'. */
export function idOf(document: unknown): string {
  const title = (document as { info?: { title?: unknown } } | null)?.info?.title
  const words = String(typeof title === 'string' ? title : '')
    .toLowerCase()
    .replace(/\b(open)?api\b.*/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
  return words.slice(0, 30).replace(/-+$/, '') || 'imported'
}

/** The first server where the document was fetched and names it by a path; null: the document says it. */
function besideDocument(document: unknown, fetchedFrom: string | null): string | null {
  if (fetchedFrom === null) return null
  const path = serverUrl(document) ?? '/'
  if (/^https?:\/\//.test(path) || !URL.canParse(path, fetchedFrom)) return null
  return new URL(path, fetchedFrom).href.replace(/\/$/, '')
}
