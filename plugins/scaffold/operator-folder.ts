/** The files of an operator's folder beside the products: settings, what to keep out of git. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const GATEWAY = '@coinop/gateway'

interface Manifest {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
}

/** Writes the files that are not there yet, for this version of the gateway; returns their names. */
export function writeOperatorFiles(folder: string, version: string): string[] {
  const files: Record<string, string> = {
    'package.json': manifestText({
      name: 'my-gateway',
      private: true,
      type: 'module',
      scripts: SCRIPTS,
      dependencies: { [GATEWAY]: version },
    }),
    '.gitignore': 'node_modules/\n.coinop/\n.env\n',
    '.env.example': ENV_EXAMPLE,
    '.npmrc': NPMRC,
  }
  mkdirSync(folder, { recursive: true })
  const added = addScripts(join(folder, 'package.json'))
  const written = Object.entries(files).flatMap(([name, text]) => {
    if (existsSync(join(folder, name))) return []
    writeFileSync(join(folder, name), text)
    return [name]
  })
  return [...added, ...written]
}

/**
 * The scripts, in a package.json that `npm install @coinop/gateway` made or that uses the gateway in
 * another way; what is there stays. Returns what was changed.
 */
function addScripts(path: string): string[] {
  if (!existsSync(path)) return []
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  const missing = Object.keys(SCRIPTS).filter((name) => manifest.scripts?.[name] === undefined)
  if (manifest.dependencies?.[GATEWAY] === undefined || missing.length === 0) return []
  writeFileSync(path, manifestText({ ...manifest, scripts: { ...SCRIPTS, ...manifest.scripts } }))
  return [`package.json: the scripts ${missing.join(', ')}`]
}

const manifestText = (manifest: object): string => `${JSON.stringify(manifest, null, 2)}\n`

const BIN = 'node_modules/@coinop/gateway/bin'
/** Takes the libraries of other platforms away, about 300 MB, and makes `npx bun` work. */
const POSTINSTALL = `node ${BIN}/prune.mjs node_modules && node ${BIN}/place-bun.mjs || exit 0`

const NPMRC = `# The install script of onnxruntime-node fetches GPU libraries; the CPU ones are in the package.
onnxruntime-node-install=skip
# npm 11 warns of each line that it does not know itself, such as the one above.
loglevel=error
`

const SCRIPTS: Readonly<Record<string, string>> = {
  start: 'coinop start',
  doctor: 'coinop doctor',
  postinstall: POSTINSTALL,
}

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
