/** The files of an operator's folder: product files to begin with, settings, what to keep out of git. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../version.ts'

/** The product files that come with the gateway. */
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

/** Writes the other files of an operator's folder that are not there yet; returns their names. */
export function writeOperatorFiles(folder: string): string[] {
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(
      {
        name: 'my-gateway',
        private: true,
        type: 'module',
        scripts: { start: 'coinop start', doctor: 'coinop doctor' },
        dependencies: { '@coinop/gateway': VERSION },
      },
      null,
      2,
    )}\n`,
    '.gitignore': 'node_modules/\n.coinop/\n.env\n',
    '.env.example': ENV_EXAMPLE,
    '.npmrc': NPMRC,
  }
  mkdirSync(folder, { recursive: true })
  return Object.entries(files).flatMap(([name, text]) => {
    if (existsSync(join(folder, name))) return []
    writeFileSync(join(folder, name), text)
    return [name]
  })
}

const NPMRC = `# The install script of onnxruntime-node fetches GPU libraries; the CPU ones are in the package.
onnxruntime-node-install=skip
`

const ENV_EXAMPLE = `# Copy to .env, which coinop reads at its start. \`npx coinop config\` lists every variable.
# Nothing set: a sandbox on http://127.0.0.1:4020 with test money and a database in .coinop.

# HOST=127.0.0.1
# PORT=4020
# PUBLIC_URL=https://api.example.com
# PLUGINS_DIR=plugins

# For real money:
# DATABASE_URL=postgres://coinop:secret@db.example.com/coinop
# ADMIN_TOKEN=            # openssl rand -hex 32
# COINOP_MASTER_KEY=      # openssl rand -base64 32
# SETTLEMENT_ADDRESS=0x…
`
