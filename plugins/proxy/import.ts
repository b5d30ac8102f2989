/** `coinop product import`: a product spec from an OpenAPI document, ready to be edited. */
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { productFromOpenApi } from './from-openapi.ts'

async function importOpenApi(context: PluginCommandContext): Promise<number> {
  const { warn } = context
  const [file] = context.positionals
  const { id, price, url } = context.options
  const priceCredits = Number(price)
  if (!file || typeof id !== 'string' || !(priceCredits > 0)) {
    warn(`usage: coinop ${importCommand.usage}`)
    return EXIT.usage
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    warn(`${file} cannot be read: ${(error as Error).message}`)
    return EXIT.failed
  }
  const document = parseDocument(text)
  for (const error of document.errors) warn(`${file}: ${error.message.split('\n', 1)[0]}`)
  if (document.errors.length > 0) return EXIT.failed
  const made = productFromOpenApi(document.toJS(), {
    productId: id,
    priceCredits,
    ...(typeof url === 'string' && { url }),
  })
  if (!made.ok) {
    warn(`${file}: ${made.message}`)
    return EXIT.failed
  }
  // An id or a price of the command line may make it an invalid product.
  const problems = context.productProblems(made.yaml)
  for (const problem of problems) warn(problem)
  if (problems.length > 0) return EXIT.failed
  context.say(made.yaml.trimEnd())
  return EXIT.ok
}

export const importCommand: PluginCommand = {
  name: 'product import',
  usage: 'product import <openapi file> --id ID --price CREDITS [--url URL]',
  summary: 'write a product spec from an OpenAPI document',
  options: { id: { type: 'string' }, price: { type: 'string' }, url: { type: 'string' } },
  run: importOpenApi,
}
