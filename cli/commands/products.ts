/** `coinop product validate`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../kernel/errors.ts'
import { declaredVariables } from '../../kernel/config/declared.ts'
import { pluginsOf } from '../../kernel/plugins/loaded.ts'
import { priceWithExample } from '../../kernel/pricing/view.ts'
import { formatProblem } from '../../kernel/products/problem.ts'
import type { ProductSpec } from '../../kernel/products/spec.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../../kernel/plugins/command.ts'
import { say, warn } from '../output.ts'

async function validate(context: CommandContext): Promise<number> {
  if (context.positionals.length === 0) {
    warn('usage: coinop product validate <file> …')
    return EXIT.usage
  }
  const variables = declaredVariables(pluginsOf(context.plugins))
  let wrong = 0
  for (const file of context.positionals) {
    const text = textOf(file)
    if (text === null) {
      wrong += 1
      continue
    }
    const products = context.machinery.productReader.parse(text, {
      file,
      env: context.env,
      variables,
    })
    for (const product of products) {
      if (product.ok) {
        say(`${file}: ${product.spec.productId} is well-formed`)
        for (const line of priceLines(product.spec)) say(`  ${line}`)
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

/** What each skill costs, as the operator wrote it. */
function priceLines({ skills }: ProductSpec): string[] {
  return skills.map(
    ({ id, metered, price }) => `${id}: ${metered ? priceWithExample(price) : 'free'}`,
  )
}

/** The file's text; null, with the reason said, when it cannot be read. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    warn(
      codeOf(error) === 'EISDIR'
        ? `${file} is a folder: name the files in it, as ${join(file, '*.yaml')} does`
        : `${file} cannot be read: ${(error as Error).message}`,
    )
    return null
  }
}

export const productCommands: readonly Command[] = [
  {
    name: 'product validate',
    usage: 'product validate <file> …',
    summary: 'check product files and say what to change, by line',
    run: validate,
  },
]
