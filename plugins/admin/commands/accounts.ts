/** `coinop account …`: accounts, whose balance many keys share, from the shell. */
import {
  type AccountRecord,
  atomicToCredits,
  EXIT,
  isKeyName,
  type PluginCommand,
  type PluginCommandContext,
} from '#kernel'
import { referenceProblem } from '../reference.ts'
import { amountIn, lowMarkIn } from './credits-option.ts'
import { grantCommand } from './grant.ts'
import { findIn } from './list-options.ts'
import {
  closeRemoteAccount,
  createRemoteAccount,
  listRemoteAccounts,
  printWithKeys,
  showRemoteAccount,
  transferRemotely,
} from './remote-accounts.ts'
import { grantRemotely } from './remote-keys.ts'
import { LISTED_MAX, tellOfMore } from './remote-pages.ts'
import { alsoRemote } from '../../shared/commands/remote.ts'

function shown(account: AccountRecord) {
  const { id, name, mode, availableAtomic, heldAtomic, lowMarkAtomic, closedAt } = account
  return {
    id,
    name,
    mode,
    credits: atomicToCredits(availableAtomic),
    heldCredits: atomicToCredits(heldAtomic),
    lowMarkCredits: lowMarkAtomic === null ? null : atomicToCredits(lowMarkAtomic),
    closedAt: closedAt?.toISOString() ?? null,
  }
}

async function create(context: PluginCommandContext): Promise<number> {
  const [name = ''] = context.positionals
  const { mode = context.sandbox ? 'test' : 'live' } = context.options
  if (!isKeyName(name) || (mode !== 'live' && mode !== 'test')) return context.usage()
  const mark = lowMarkIn(context.options)
  if (!mark.ok) return context.usage(mark.message)
  const { lowMarkAtomic } = mark
  const record = await context.onBooks(({ accounts }) =>
    accounts.create({ name, mode, lowMarkAtomic }),
  )
  context.printRecord(shown(record))
  return EXIT.ok
}

async function list(context: PluginCommandContext): Promise<number> {
  const { records, nextCursor } = await context.onBooks(
    ({ accounts }) =>
      accounts.list({ limit: LISTED_MAX, cursor: null, find: findIn(context.options) }),
    'read',
  )
  context.printRows(records.map(shown))
  tellOfMore(context, nextCursor)
  return EXIT.ok
}

async function show(context: PluginCommandContext): Promise<number> {
  const [id = ''] = context.positionals
  if (id === '') return context.usage()
  const found = await context.onBooks(async ({ accounts, keys }) => {
    const account = await accounts.get(id)
    if (!account) return null
    const page = await keys.list({ accountId: id, limit: LISTED_MAX, cursor: null })
    return { account, ...page }
  }, 'read')
  if (!found) return refused(context, noAccount(id))
  const keys = found.records.map((key) => ({
    id: key.id,
    name: key.name,
    kind: key.kind,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }))
  printWithKeys(context, shown(found.account), keys)
  tellOfMore(context, found.nextCursor)
  return EXIT.ok
}

async function close(context: PluginCommandContext): Promise<number> {
  const [id = ''] = context.positionals
  if (id === '') return context.usage()
  const closed = await context.onBooks(async ({ accounts }) => {
    const result = await accounts.close(id)
    if (result.outcome === 'closed') return result.record
    return result.outcome === 'unknown_account'
      ? noAccount(id)
      : `Calls of the account ${id} are under way; try again when they have ended`
  })
  if (typeof closed === 'string') return refused(context, closed)
  context.printRecord(shown(closed))
  return EXIT.ok
}

async function transfer(context: PluginCommandContext): Promise<number> {
  const [from, to, credits] = context.positionals
  const { reference, note } = context.options
  if (!from || !to || !credits || typeof reference !== 'string') return context.usage()
  if (from === to) return context.usage('A transfer is between two accounts')
  const problem = referenceProblem(context.options)
  if (problem !== null) return context.usage(problem)
  const amount = amountIn(credits)
  if (!amount.ok) return context.usage(amount.message)
  const result = await context.onBooks(async ({ accounts, ledger }) => {
    for (const id of [from, to]) if ((await accounts.get(id)) === null) return noAccount(id)
    const moved = await ledger.transfer({
      fromAccountId: from,
      toAccountId: to,
      amountAtomic: amount.amountAtomic,
      reference,
      ...(typeof note === 'string' && { note }),
    })
    if (moved.outcome === 'transferred') return moved
    return `Nothing was moved: ${moved.outcome.replaceAll('_', ' ')}`
  })
  if (typeof result === 'string') return refused(context, result)
  const { ledgerId, duplicate } = result
  context.printRecord({
    ledgerId,
    duplicate,
    from,
    to,
    credits: atomicToCredits(amount.amountAtomic),
  })
  return EXIT.ok
}

const noAccount = (id: string): string => `There is no account ${id}`

function refused(context: PluginCommandContext, why: string): number {
  context.warn(why)
  return EXIT.failed
}

const accountCreate: PluginCommand = {
  name: 'account create',
  isChange: true,
  usage: 'account create <name> [--mode live|test] [--low-mark CREDITS]',
  summary: 'open an account, whose balance many keys can share',
  options: { mode: { type: 'string' }, 'low-mark': { type: 'string' } },
  run: create,
}
const accountList: PluginCommand = {
  name: 'account list',
  usage: 'account list [--find TEXT]',
  summary: 'list accounts and their balances, newest first: all, or by a part of name or sign-in',
  options: { find: { type: 'string' } },
  run: list,
}
const accountShow: PluginCommand = {
  name: 'account show',
  usage: 'account show <id>',
  summary: 'show an account and its keys',
  run: show,
}
const accountClose: PluginCommand = {
  name: 'account close',
  isChange: true,
  usage: 'account close <id>',
  summary: 'close an account for good; its balance stays',
  run: close,
}
const accountGrant = grantCommand(
  'account',
  {
    name: 'account grant',
    usage: 'account grant <id> <credits> [--reference R] [--note N]',
    summary: 'credit an account from the adjustment account, once per reference',
  },
  async ({ accounts }, id) => ((await accounts.get(id)) === null ? null : { accountId: id }),
)
const accountTransfer: PluginCommand = {
  name: 'account transfer',
  isChange: true,
  usage: 'account transfer <from> <to> <credits> --reference R [--note N]',
  summary: 'move credits to another account, once per reference',
  options: { note: { type: 'string' }, reference: { type: 'string' } },
  run: transfer,
}

export const accountCommands: readonly PluginCommand[] = [
  alsoRemote(accountCreate, createRemoteAccount),
  alsoRemote(accountList, listRemoteAccounts),
  alsoRemote(accountShow, showRemoteAccount),
  alsoRemote(accountClose, closeRemoteAccount),
  alsoRemote(accountGrant, grantRemotely('accountId')),
  alsoRemote(accountTransfer, transferRemotely),
]
