/** The product files that come with the gateway, and their copies in an operator's folder. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface ShippedProducts {
  folder: string
  /** Names, without `.yaml`, of those that a new folder begins with. */
  starter: readonly string[]
}

/**
 * Copies product files into `productsDir` and leaves alone those that are there. Returns the names
 * of the written ones, without `.yaml`.
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
  return names.filter((name) => {
    const target = join(productsDir, `${name}.yaml`)
    if (existsSync(target)) return false
    copyFileSync(join(folder, `${name}.yaml`), target)
    return true
  })
}
