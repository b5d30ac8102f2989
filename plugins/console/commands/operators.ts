/** `coinop admin …` and `coinop console link`: named operators and one-time sign-in links. */
import {
  EXIT,
  OPERATOR_ROLES,
  type OperatorRole,
  type PluginCommand,
  type PluginCommandContext,
} from '#kernel'
import {
  CommandFailure,
  remoteOf,
  REMOTE_OPTIONS,
  REMOTE_USAGE,
  telling,
} from '../../shared/commands/remote.ts'

interface Shown {
  id: string
  name: string
  role: OperatorRole
  madeBy: string
  createdAt: string
  revokedAt: string | null
}

const command = (
  about: Omit<PluginCommand, 'run'>,
  run: (context: PluginCommandContext) => Promise<void>,
): PluginCommand => ({
  ...about,
  usage: `${about.usage} ${REMOTE_USAGE}`,
  options: { ...REMOTE_OPTIONS, ...about.options },
  run: (context) =>
    telling(context, async () => {
      await run(context)
      return EXIT.ok
    }),
})

const add = command(
  {
    name: 'admin add',
    usage: 'admin add NAME --role read|operate|owner',
    summary: 'make a token for an operator; it is shown once',
    options: { role: { type: 'string' } },
  },
  async (context) => {
    const name = onlyOne(context, 'a name')
    const role = OPERATOR_ROLES.find((one) => one === context.options['role'])
    if (role === undefined)
      throw new CommandFailure(`--role must be one of ${OPERATOR_ROLES.join(', ')}`, EXIT.usage)
    const made = await remoteOf(context).ask<Shown & { token: string }>(
      'POST',
      '/v1/admin/operators',
      { name, role },
    )
    const { id, token } = made
    context.printRecord({ id, name: made.name, role: made.role, token })
  },
)

const list = command(
  {
    name: 'admin list',
    usage: 'admin list',
    summary: 'list the operators with tokens of their own',
  },
  async (context) => {
    const { operators } = await remoteOf(context).ask<{ operators: Shown[] }>(
      'GET',
      '/v1/admin/operators',
    )
    if (operators.length === 0)
      context.warn('No operator has a token yet: ADMIN_TOKEN is the only way in.')
    context.printRows(
      operators.map(({ id, name, role, createdAt, revokedAt }) => ({
        id,
        name,
        role,
        createdAt,
        revokedAt,
      })),
    )
  },
)

const revoke = command(
  {
    name: 'admin revoke',
    usage: 'admin revoke NAME|ID',
    summary: 'revoke the token of an operator',
  },
  async (context) => {
    const wanted = onlyOne(context, 'a name or an id')
    const remote = remoteOf(context)
    const { operators } = await remote.ask<{ operators: Shown[] }>('GET', '/v1/admin/operators')
    const found = operators.find(
      ({ id, name, revokedAt }) =>
        revokedAt === null && (id === wanted || name.toLowerCase() === wanted.toLowerCase()),
    )
    if (!found) throw new CommandFailure(`No operator in force is called ${wanted}`)
    const { id, name, role } = await remote.ask<Shown>('DELETE', `/v1/admin/operators/${found.id}`)
    context.printRecord({ id, name, role, state: 'revoked' })
  },
)

const link = command(
  {
    name: 'console link',
    usage: 'console link',
    summary: 'make a link that signs a browser in to the console: once, within ten minutes',
  },
  async (context) => {
    const made = await remoteOf(context).ask<{ url: string; minutes: number }>(
      'POST',
      '/v1/admin/console/links',
    )
    context.say(made.url)
  },
)

export const operatorCommands: readonly PluginCommand[] = [add, list, revoke, link]

function onlyOne({ positionals }: PluginCommandContext, what: string): string {
  const [one, ...more] = positionals
  if (one === undefined || more.length > 0) throw new CommandFailure(`Give ${what}`, EXIT.usage)
  return one
}
