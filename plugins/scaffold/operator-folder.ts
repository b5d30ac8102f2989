/** The files of an operator's folder beside the products: settings, what to keep out of git. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the files that are not there yet, for this version of the gateway; returns their names. */
export function writeOperatorFiles(folder: string, version: string): string[] {
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(
      {
        name: 'my-gateway',
        private: true,
        type: 'module',
        scripts: { start: 'coinop start', doctor: 'coinop doctor', postinstall: POSTINSTALL },
        dependencies: { '@coinop/gateway': version },
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

const BIN = 'node_modules/@coinop/gateway/kernel/bin'
/** Takes the libraries of other platforms away, about 300 MB, and makes `npx bun` work. */
const POSTINSTALL = `node ${BIN}/prune.mjs node_modules && node ${BIN}/place-bun.mjs || exit 0`

const NPMRC = `# The install script of onnxruntime-node fetches GPU libraries; the CPU ones are in the package.
onnxruntime-node-install=skip
# npm 11 warns of each line that it does not know itself, such as the one above.
loglevel=error
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
