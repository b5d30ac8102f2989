/** `coinop product import`: a product spec from an OpenAPI document, ready to be edited. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { productFromOpenApi } from './from-openapi.ts'

const FETCH_TIMEOUT_MS = 20_000
const MAX_BYTES = 20 * 1024 * 1024

async function importOpenApi(context: PluginCommandContext): Promise<number> {
  const { warn } = context
  const [from] = context.positionals
  const { price, url, only, write } = context.options
  const priceCredits = Number(price)
  if (!from || !(priceCredits > 0)) {
    warn(`usage: coinop ${importCommand.usage}`)
    return EXIT.usage
  }
  const file = from
  let text: string
  try {
    text = /^https?:\/\//.test(from) ? await fetched(from) : readFileSync(from, 'utf8')
  } catch (error) {
    warn(`${from} cannot be read: ${(error as Error).message}`)
    return EXIT.failed
  }
  const document = parseDocument(text)
  for (const error of document.errors) warn(`${file}: ${error.message.split('\n', 1)[0]}`)
  if (document.errors.length > 0) return EXIT.failed
  const parsed = document.toJS() as unknown
  const id = typeof context.options['id'] === 'string' ? context.options['id'] : idOf(parsed)
  const base = typeof url === 'string' ? url : absoluteServer(parsed, from)
  const made = productFromOpenApi(parsed, {
    productId: id,
    priceCredits,
    ...(base !== null && { url: base }),
    ...(typeof only === 'string' && { tag: only }),
  })
  if (!made.ok) {
    warn(`${file}: ${made.message}`)
    return EXIT.failed
  }
  // An id or a price of the command line may make it an invalid product.
  const problems = context.productProblems(made.yaml)
  for (const problem of problems) warn(problem)
  if (problems.length > 0) return EXIT.failed
  for (const line of made.dropped) warn(`left out: ${line}`)
  if (write !== true) {
    context.say(made.yaml.trimEnd())
    return EXIT.ok
  }
  const target = join(context.productsDir, `${id}.yaml`)
  mkdirSync(context.productsDir, { recursive: true })
  try {
    writeFileSync(target, made.yaml, { flag: 'wx' })
  } catch (error) {
    warn(`${target} cannot be written: ${(error as Error).message}`)
    return EXIT.failed
  }
  context.say(`${target}: ${made.skills} skills at ${priceCredits} credits each`)
  return EXIT.ok
}

async function fetched(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`it answers ${answer.status}`)
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
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
function absoluteServer(document: unknown, from: string): string | null {
  if (!/^https?:\/\//.test(from)) return null
  const server = (document as { servers?: { url?: unknown }[] } | null)?.servers?.[0]?.url
  if (typeof server === 'string' && /^https?:\/\//.test(server)) return null
  return new URL(typeof server === 'string' ? server : '/', from).href.replace(/\/$/, '')
}

export const importCommand: PluginCommand = {
  name: 'product import',
  usage:
    'product import <openapi file or URL> --price CREDITS [--id ID] [--url URL] [--only TAG] [--write]',
  summary: 'write a product spec from an OpenAPI document',
  options: {
    id: { type: 'string' },
    price: { type: 'string' },
    url: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean' },
  },
  run: importOpenApi,
}
