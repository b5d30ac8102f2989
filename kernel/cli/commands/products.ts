/** `coinop product …`: what is stored, whether a file is right, a file from an OpenAPI document. */
import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { productFromOpenApi } from '../../products/from-openapi.ts'
import { declaredVariables } from '../../config/declared.ts'
import type { Variable } from '../../config/variable.ts'
import { parseProducts } from '../../products/parse.ts'
import { formatProblem } from '../../products/problem.ts'
import { createProductStore } from '../../products/store.ts'
import { EXIT, type Command, type CommandContext } from '../command.ts'
import { printRows, say, warn } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

async function listProducts(context: CommandContext): Promise<number> {
  const rows = await withFoundation(context, ({ db }) => createProductStore(db).rows(), 'read')
  printRows(
    rows.map(({ productId, active, fileName }) => ({
      product: productId,
      revision: active,
      file: fileName,
    })),
  )
  return EXIT.ok
}

async function validate(context: CommandContext): Promise<number> {
  if (context.positionals.length === 0) {
    warn('usage: coinop product validate <file> …')
    return EXIT.usage
  }
  let wrong = 0
  for (const file of context.positionals) {
    const text = textOf(file)
    if (text === null) {
      wrong += 1
      continue
    }
    const products = parseProducts(text, {
      file,
      env: context.env,
      variables: variablesOf(context),
    })
    for (const product of products) {
      if (product.ok) {
        say(`${file}: ${product.spec.productId} is well-formed`)
        for (const warning of product.warnings) say(`  warning: ${formatProblem(warning)}`)
        continue
      }
      if (product.isElsewhere) {
        for (const problem of product.problems) say(`${formatProblem(problem)}, so it is left out`)
        continue
      }
      wrong += 1
      for (const problem of product.problems) warn(formatProblem(problem))
    }
  }
  return wrong === 0 ? EXIT.ok : EXIT.failed
}

function variablesOf({ plugins }: CommandContext): Variable[] {
  return declaredVariables([...plugins.plugins.values()].map(({ plugin }) => plugin))
}

/** The file's text; null, with the reason said, when it cannot be read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    warn(`${file} cannot be read: ${(error as Error).message}`)
    return null
  }
}

async function importOpenApi(context: CommandContext): Promise<number> {
  const [file] = context.positionals
  const { id, price, url } = context.options
  const priceCredits = Number(price)
  if (!file || typeof id !== 'string' || !(priceCredits > 0)) {
    warn(`usage: coinop ${importCommand.usage}`)
    return EXIT.usage
  }
  const text = textOf(file)
  if (text === null) return EXIT.failed
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
  // What is written must be a product: an id or a price of the command line may be none.
  const problems = parseProducts(made.yaml, {
    file: 'the product',
    env: context.env,
    variables: variablesOf(context),
  }).flatMap((product) => (product.ok ? [] : product.problems))
  for (const problem of problems) warn(formatProblem(problem))
  if (problems.length > 0) return EXIT.failed
  process.stdout.write(made.yaml)
  return EXIT.ok
}

const importCommand: Command = {
  name: 'product import',
  usage: 'product import <openapi file> --id ID --price CREDITS [--url URL]',
  summary: 'write a product spec from an OpenAPI document',
  options: { id: { type: 'string' }, price: { type: 'string' }, url: { type: 'string' } },
  run: importOpenApi,
}

export const productCommands: readonly Command[] = [
  {
    name: 'product list',
    usage: 'product list',
    summary: 'list stored products and their active revision',
    run: listProducts,
  },
  {
    name: 'product validate',
    usage: 'product validate <file> …',
    summary: 'check product files and say what to change, by line',
    run: validate,
  },
  importCommand,
]
