/** `coinop product put`, `versions`, `rollback` and `remove`: by the routes of a running gateway. */
import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import {
  CommandFailure,
  type Remote,
  remoteOf,
  REMOTE_OPTIONS,
  REMOTE_USAGE,
  telling,
} from '../../shared/commands/remote.ts'

interface Put {
  product_id: string
  version: number
  created: boolean
  warnings: { path: string; message: string; line?: number }[]
}
interface Version {
  version: number
  active: boolean
  source: string
  file: string | null
  createdAt: string
}

type Work = (context: PluginCommandContext, remote: Remote, first: string) => Promise<void>

/** A command whose arguments `names` tells, the first of which is given to `work`. */
function command(name: string, names: string, summary: string, work: Work): PluginCommand {
  const needed = names.split('<').length - 1
  return {
    name,
    usage: `${name} ${names} ${REMOTE_USAGE}`,
    summary,
    options: REMOTE_OPTIONS,
    run: (context) =>
      telling(context, async () => {
        const { positionals } = context
        if (positionals.length < needed) return context.usage()
        await work(context, remoteOf(context), positionals[0]!)
        return EXIT.ok
      }),
  }
}

const pathOf = (id: string, rest = ''): string =>
  `/v1/admin/products/${encodeURIComponent(id)}${rest}`

function tell({ printRecord, warn }: PluginCommandContext, done: Put): void {
  const { product_id: product, version: revision, created, warnings } = done
  for (const { path, message, line } of warnings)
    warn(`warning: ${line === undefined ? '' : `line ${line}: `}${path} ${message}`)
  printRecord({ product, revision, created })
}

/** The text of a product file and the id in it; the gateway says what else is wrong with it. */
async function productIn(file: string): Promise<{ id: string; text: string }> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFailure(`${file} cannot be read: ${error.message}`, EXIT.usage)
  })
  const [first, more] = parseAllDocuments(text).map((document) => document.get('product_id'))
  if (more !== undefined)
    throw new CommandFailure(`${file} has several products: put each from a file of its own`)
  if (typeof first !== 'string')
    throw new CommandFailure(`${file} has no product_id; \`coinop product validate\` says more`)
  return { id: first, text }
}

export const productChanges: readonly PluginCommand[] = [
  command(
    'product put',
    '<file>',
    'put a product into service, or a new revision of it',
    async (context, remote, file) => {
      const { id, text } = await productIn(file)
      tell(context, await remote.ask<Put>('PUT', pathOf(id), text))
    },
  ),
  command(
    'product versions',
    '<id>',
    'the newest revisions of a product',
    async ({ printRows }, remote, id) => {
      const { versions } = await remote.ask<{ versions: Version[] }>('GET', pathOf(id, '/versions'))
      printRows(
        versions.map(({ version, active, source, file, createdAt }) => ({
          revision: version,
          active,
          from: file ?? source,
          createdAt,
        })),
      )
    },
  ),
  command(
    'product rollback',
    '<id> <revision>',
    'put an earlier revision of a product into service again',
    async (context, remote, id) => {
      const version = Number(context.positionals[1])
      tell(context, await remote.ask<Put>('POST', pathOf(id, '/rollback'), { version }))
    },
  ),
  command(
    'product remove',
    '<id>',
    'take a product out of service; its revisions stay',
    async ({ printRecord }, remote, id) => {
      const { version } = await remote.ask<{ version: number }>('DELETE', pathOf(id))
      printRecord({ product: id, revision: version, removed: true })
    },
  ),
]
