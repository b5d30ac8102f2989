/** The account commands by the routes of a gateway elsewhere (--url). */
import { atomicToCredits, EXIT, type PluginCommandContext } from '#kernel'
import type { RemoteRun } from '../../shared/commands/remote.ts'
import { amountIn, lowMarkIn } from './credits-option.ts'
import { findIn } from './list-options.ts'
import { allOf } from './remote-pages.ts'

interface Account {
  id: string
  name: string
  mode: string
  closedAt: string | null
  balance: { credits: number; heldCredits: number }
  lowMarkCredits: number | null
}
interface Key {
  id: string
  name: string
  kind: string
  revokedAt: string | null
}

const accountPath = (id: string): string => `/v1/accounts/${encodeURIComponent(id)}`

function shown({ id, name, mode, balance, lowMarkCredits, closedAt }: Account) {
  const { credits, heldCredits } = balance
  return { id, name, mode, credits, heldCredits, lowMarkCredits, closedAt }
}

/** An account and its keys: two tables for people, one document for a program. */
export function printWithKeys(
  { printRecord, printRows }: PluginCommandContext,
  account: Record<string, unknown>,
  keys: readonly Record<string, unknown>[],
): void {
  if (!process.stdout.isTTY) {
    printRecord({ ...account, keys })
    return
  }
  printRecord(account)
  printRows(keys)
}

export const createRemoteAccount: RemoteRun = async (context, remote) => {
  const [name] = context.positionals
  const { mode } = context.options
  if (!name) return context.usage()
  const mark = lowMarkIn(context.options)
  if (!mark.ok) return context.usage(mark.message)
  const { lowMarkAtomic } = mark
  const account = await remote.ask<Account>('POST', '/v1/accounts', {
    name,
    ...(mode !== undefined && { mode }),
    ...(lowMarkAtomic !== null && { lowMarkCredits: atomicToCredits(lowMarkAtomic) }),
  })
  context.printRecord(shown(account))
  return EXIT.ok
}

export const listRemoteAccounts: RemoteRun = async (context, remote) => {
  const find = findIn(context.options)
  const path = find === undefined ? '/v1/accounts' : `/v1/accounts?${new URLSearchParams({ find })}`
  const accounts = await allOf<Account>(context, remote, path, 'accounts')
  context.printRows(accounts.map(shown))
  return EXIT.ok
}

export const showRemoteAccount: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  if (!id) return context.usage()
  const account = await remote.ask<Account>('GET', accountPath(id))
  const path = `${accountPath(id)}/keys?kind=all`
  const keys = (await allOf<Key>(context, remote, path, 'keys')).map((key) => ({
    id: key.id,
    name: key.name,
    kind: key.kind,
    revokedAt: key.revokedAt,
  }))
  printWithKeys(context, shown(account), keys)
  return EXIT.ok
}

export const closeRemoteAccount: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  if (!id) return context.usage()
  context.printRecord(shown(await remote.ask<Account>('POST', `${accountPath(id)}/close`, {})))
  return EXIT.ok
}

export const transferRemotely: RemoteRun = async (context, remote) => {
  const [from, to, credits] = context.positionals
  const { reference, note } = context.options
  if (!from || !to || !credits || typeof reference !== 'string') return context.usage()
  const amount = amountIn(credits)
  if (!amount.ok) return context.usage(amount.message)
  const moved = await remote.ask<{ ledgerId: string; duplicate: boolean; amountCredits: number }>(
    'POST',
    `${accountPath(from)}/transfer`,
    {
      toAccountId: to,
      amountUsdcAtomic: Number(amount.amountAtomic),
      reference,
      ...(note !== undefined && { note }),
    },
  )
  const { ledgerId, duplicate, amountCredits } = moved
  context.printRecord({ ledgerId, duplicate, from, to, credits: amountCredits })
  return EXIT.ok
}
