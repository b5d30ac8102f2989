/**
 * `coinop publish`: writes what directories read, and says what each would refuse of the running
 * gateway. It publishes nothing by itself.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { TOKEN_VARIABLE, tokenFor } from '../shared/commands/remote.ts'
import { DIRECTORIES, findingsOf, type Finding } from './checks.ts'
import { member, Outside } from './outside.ts'
import { proofKey, proofLine, PROOF_PATH } from './proof.ts'
import { PROOF_ADMIN_PATH } from './proof-routes.ts'
import { serverJson, type ServerJson } from './server-json.ts'
import { viewOf, type View } from './view.ts'

/** Lines shown of one check; the rest is counted. */
const LINES_MAX = 5

async function publish(context: PluginCommandContext): Promise<number> {
  const { options, dataDir, say, warn } = context
  const text = (name: string): string | null => {
    const value = options[name]
    return typeof value === 'string' ? value : null
  }
  const publicUrl = (text('url') ?? context.publicUrl).replace(/\/+$/, '')
  const ca = text('ca')
  const outside = new Outside({
    ca: ca === null ? null : readFileSync(ca, 'utf8'),
    connect: text('connect'),
  })
  const key = proofKey(dataDir)
  if (key.isNew) say(`Made ${key.file}: it proves your domain, keep it secret`)
  await leaveProof(context, outside, publicUrl, key.publicKey)

  const view = await viewOf(outside, publicUrl)
  if (view.openapi.status !== 200) {
    const why = view.openapi.trouble ?? `status ${view.openapi.status}`
    warn(`No gateway answers at ${publicUrl} (${why}): start it first, or give --url`)
    return EXIT.unavailable
  }
  const document = documentOf(view, text('name'))
  const folder = resolve(text('out') ?? 'publish')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'server.json')
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
  say(`Wrote ${file}`)
  say(`Proof of the domain, served at ${PROOF_PATH} or set as TXT: ${proofLine(key.publicKey)}`)
  say()

  const findings = findingsOf({ view, serverJson: document, publicKey: key.publicKey })
  report(context, findings)
  say()
  say('Publish to the MCP Registry with its own tool (mcp-publisher login http, then publish).')
  say('Reviewers of hosts want an account with credits: make a key and give it some.')
  return findings.length === 0 ? EXIT.ok : EXIT.failed
}

/** Puts the public key where the gateway serves it, when an operator's token for it is known here. */
async function leaveProof(
  context: PluginCommandContext,
  outside: Outside,
  publicUrl: string,
  publicKey: string,
): Promise<void> {
  const { warn } = context
  const token = tokenFor(publicUrl, context)
  if (token === null) {
    warn(
      `The proof is not put in place: set ${TOKEN_VARIABLE} to the token of an operator of ${publicUrl}`,
    )
    return
  }
  const seen = await outside.ask(`${publicUrl}${PROOF_ADMIN_PATH}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey }),
  })
  if (seen.status !== 200)
    warn(`The gateway did not take the proof: ${seen.trouble ?? seen.status}`)
}

function documentOf(view: View, name: string | null): ServerJson {
  const info = member(view.openapi.json, 'info')
  const said = (...path: string[]): string | null => {
    const value = member(info, ...path)
    return typeof value === 'string' ? value : null
  }
  const icon = member(view.server, 'icons', 0, 'src')
  return serverJson({
    publicUrl: view.publicUrl,
    name,
    title: said('contact', 'name') ?? said('title') ?? 'Coinop',
    description: said('summary') ?? 'Machine work sold one call at a time.',
    version: said('version') ?? '0.0.0',
    iconUrl: typeof icon === 'string' ? icon : null,
    hasOAuth: view.oauthCall.status === 401,
    prices: view.tools.flatMap(({ name: tool, _meta: meta }) => {
      const credits = member(meta, 'coinop/price', 'credits')
      return typeof credits === 'number' ? [[tool, credits] as const] : []
    }),
  })
}

function report({ say }: PluginCommandContext, findings: readonly Finding[]): void {
  for (const directory of DIRECTORIES) {
    const own = findings.filter(({ directories }) => directories.includes(directory))
    say(own.length === 0 ? `ok    ${directory}` : `no    ${directory}: ${own.length} to mend`)
  }
  const byCheck = Map.groupBy(findings, ({ check }) => check)
  for (const [check, own] of byCheck) {
    say()
    say(`${check} (${own[0]!.directories.join(', ')})`)
    for (const { says } of own.slice(0, LINES_MAX)) say(`  - ${says}`)
    if (own.length > LINES_MAX) say(`  - and ${own.length - LINES_MAX} more`)
    say(`  ${own[0]!.fix}`)
  }
}

export const publishCommand: PluginCommand = {
  name: 'publish',
  usage:
    'publish [--url URL] [--name com.example/coinop] [--out FOLDER] [--ca FILE] [--connect HOST:PORT]',
  summary: 'write server.json, prove the domain, and say what directories would refuse',
  options: {
    url: { type: 'string' },
    name: { type: 'string' },
    out: { type: 'string' },
    ca: { type: 'string' },
    connect: { type: 'string' },
  },
  run: publish,
}
