/** The product files that come with the gateway, and their copies in an operator's folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface ShippedProducts {
  folder: string
  /** Names, without `.yaml`, of those that a new folder begins with. */
  starter: readonly string[]
}

/** The schema of product files, as shipped ones name it to editors: from their own folder. */
const SCHEMA = '../specs/product.schema.json'

/**
 * Copies product files into `productsDir` and leaves alone those that are there. Returns the names
 * of the written ones, without `.yaml`. Editors find the schema from there, too.
 */
export function writeProducts(
  { folder, starter }: ShippedProducts,
  productsDir: string,
  isAll: boolean,
): string[] {
  const names = isAll
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => name.slice(0, -'.yaml'.length))
    : starter
  mkdirSync(productsDir, { recursive: true })
  const schema = relative(productsDir, join(folder, SCHEMA)).replaceAll('\\', '/')
  return names.filter((name) => {
    const target = join(productsDir, `${name}.yaml`)
    if (existsSync(target)) return false
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    writeFileSync(
      target,
      text.replace(`$schema=${SCHEMA}`, () => `$schema=${schema}`),
    )
    return true
  })
}
