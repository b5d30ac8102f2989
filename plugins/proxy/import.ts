/** `coinop product import`: a product spec from an OpenAPI document, ready to be edited. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import type { Lacking } from './openapi/from-openapi.ts'
import { importText, type ImportOrder } from './import-text.ts'
import { isOnThisMachine } from './openapi/terms.ts'

/** Of a document that is fetched. */
export const FETCH_TIMEOUT_MS = 20_000
export const MAX_BYTES = 20 * 1024 * 1024
const OPTION_FOR: Readonly<Record<Lacking, string>> = {
  url: 'give one with --url',
  tag: 'import one tag or one path with --only',
}

async function importOpenApi(context: PluginCommandContext): Promise<number> {
  const { warn } = context
  const [from] = context.positionals
  const { price, url, only, id, write } = context.options
  const priceCredits = Number(price)
  if (!from || !(priceCredits > 0)) {
    if (from && price === undefined) warn('--price is missing: the credits that a call costs')
    if (price !== undefined && !(priceCredits > 0))
      warn(`--price must be a number of credits above 0, got ${String(price)}`)
    warn(`usage: coinop ${importCommand.usage}`)
    return EXIT.usage
  }
  const isRemote = /^https?:\/\//.test(from)
  let source: Pick<ImportOrder, 'text' | 'fetchedFrom'>
  try {
    source = isRemote
      ? await fetched(from)
      : { text: readFileSync(from, 'utf8'), fetchedFrom: null }
  } catch (error) {
    warn(`${from} cannot be read: ${(error as Error).message}`)
    return EXIT.failed
  }
  const made = importText({
    ...source,
    priceCredits,
    ...(typeof id === 'string' && { productId: id }),
    // The operator names it: a document alone must not lead the gateway to what is near it.
    ...(typeof url === 'string' && { baseUrl: url, allowPrivate: isOnThisMachine(url) }),
    ...(typeof only === 'string' && { tag: only }),
  })
  if (!made.ok) {
    warn(`${from}: ${made.message}${made.lacks ? `: ${OPTION_FOR[made.lacks]}` : ''}`)
    return EXIT.failed
  }
  // An id or a price of the command line may make it an invalid product.
  const problems = context.productProblems(made.yaml)
  for (const problem of problems) warn(problem)
  if (problems.length > 0) return EXIT.failed
  for (const line of summed(made.dropped)) warn(`left out: ${line}`)
  if (url === undefined && isOnThisMachine(made.url))
    warn(`${made.url} is this machine: to sell it, say so with --url ${made.url}`)
  if (write !== true) {
    context.say(made.yaml.trimEnd())
    return EXIT.ok
  }
  const target = join(context.productsDir, `${made.productId}.yaml`)
  mkdirSync(context.productsDir, { recursive: true })
  try {
    writeFileSync(target, made.yaml, { flag: 'wx' })
  } catch (error) {
    warn(`${target} cannot be written: ${(error as Error).message}`)
    return EXIT.failed
  }
  const skills = `${made.skills} skill${made.skills === 1 ? '' : 's'}`
  const credits = `${priceCredits} credit${priceCredits === 1 ? '' : 's'}`
  context.say(`${target}: ${skills} at ${credits} each; a running gateway mounts it by itself`)
  return EXIT.ok
}

/** What was left out: operations of other tags as one number, others with one reason in one line, where they are many. */
export function summed(dropped: readonly string[]): readonly string[] {
  const parted = dropped.map((line) => {
    const [, place = '', reason = line] = PLACE_AND_REASON.exec(line) ?? []
    return { place, reason }
  })
  const isOfTag = ([reason]: [string, string[]]): boolean =>
    /^it (has no tag|is not below) /.test(reason)
  const groups = [...Map.groupBy(parted, ({ reason }) => reason)].map(
    ([reason, of]): [string, string[]] => [reason, of.map(({ place }) => place)],
  )
  const inOrder = [...groups.filter((group) => !isOfTag(group)), ...groups.filter(isOfTag)]
  return inOrder.flatMap(([reason, of]) => {
    if (of.length <= ONE_BY_ONE)
      return of.map((place) => (place === '' ? reason : `${place}: ${reason}`))
    return isOfTag([reason, of])
      ? [`${of.length} operations: ${reason}`]
      : [`${of.length} operations: ${reason}: ${of.join(', ')}`]
  })
}

const PLACE_AND_REASON = /^([A-Z]+ \/\S*): (.*)$/s
/** Operations with one reason that are named one by one. */
const ONE_BY_ONE = 5

/** The document, and where the last redirect led: its servers may be named from there. */
async function fetched(url: string): Promise<Pick<ImportOrder, 'text' | 'fetchedFrom'>> {
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
  return { text: text + decoder.decode(), fetchedFrom: answer.url }
}

export const importCommand: PluginCommand = {
  name: 'product import',
  usage:
    'product import <openapi file or URL> --price CREDITS [--id ID] [--url API_URL] [--only TAG|/PATH] [--write]',
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
