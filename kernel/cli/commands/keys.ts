/** `coinop key …` and `coinop credits …`: API keys and their balances, from the shell. */
import { atomicToCredits, creditsToAtomic } from '../../money.ts'
import { isKeyName } from '../../auth/keys.ts'
import { newId } from '../../ids.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../../plugins/command.ts'
import { printRecord, printRows, warn } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

function missing(usage: string): number {
  warn(`usage: coinop ${usage}`)
  return EXIT.usage
}

async function createKey(context: CommandContext): Promise<number> {
  const [name = ''] = context.positionals
  if (!isKeyName(name)) {
    warn('The name of a key is 1 to 128 characters, not all blank, without control characters')
    return missing(keyCreate.usage)
  }
  const { mode = context.config.sandbox ? 'test' : 'live' } = context.options
  if (mode !== 'live' && mode !== 'test') return missing(keyCreate.usage)
  const { record, plaintext } = await withFoundation(context, ({ keys }) =>
    keys.create({ name, mode }),
  )
  printRecord({ id: record.id, name: record.name, mode: record.mode, key: plaintext })
  return EXIT.ok
}

async function listKeys(context: CommandContext): Promise<number> {
  const { records } = await withFoundation(
    context,
    ({ keys }) => keys.list({ limit: 500, cursor: null }),
    'read',
  )
  printRows(
    records.map(({ id, name, mode, prefix, createdAt, revokedAt }) => ({
      id,
      name,
      mode,
      prefix,
      createdAt: createdAt.toISOString(),
      revokedAt: revokedAt?.toISOString() ?? null,
    })),
  )
  return EXIT.ok
}

async function revokeKey(context: CommandContext): Promise<number> {
  const [id] = context.positionals
  if (!id) return missing(keyRevoke.usage)
  const record = await withFoundation(context, ({ keys }) => keys.revoke(id))
  if (!record) {
    warn(`There is no key ${id}`)
    return EXIT.failed
  }
  printRecord({ id, revoked: true, revokedAt: record.revokedAt?.toISOString() })
  return EXIT.ok
}

async function showBalance(context: CommandContext): Promise<number> {
  const [id] = context.positionals
  if (!id) return missing(creditsBalance.usage)
  const found = await withFoundation(
    context,
    async ({ ledger, keys }) => {
      const accountId = await keys.accountOf(id)
      const balance = accountId === null ? null : await ledger.balance(accountId)
      if (accountId === null || balance === null) return null
      const [own] = await ledger.spend({ accountId, keyId: id })
      return { balance, spentTodayAtomic: own?.spentTodayAtomic ?? 0n }
    },
    'read',
  )
  if (!found) {
    warn(`There is no key ${id}`)
    return EXIT.failed
  }
  const { balance, spentTodayAtomic } = found
  printRecord({
    apiKeyId: id,
    credits: atomicToCredits(balance.availableAtomic),
    heldCredits: atomicToCredits(balance.heldAtomic),
    spentTodayCredits: atomicToCredits(spentTodayAtomic),
  })
  return EXIT.ok
}

async function grantCredits(context: CommandContext): Promise<number> {
  const [id, credits] = context.positionals
  if (!id || !credits) return missing(creditsGrant.usage)
  const amount = creditsToAtomic(Number(credits))
  if (!amount.ok || amount.amountAtomic === 0n) {
    warn(`${credits} is no amount of credits${amount.ok ? '' : `: it ${amount.message}`}`)
    return EXIT.usage
  }
  const reference =
    typeof context.options['reference'] === 'string'
      ? context.options['reference']
      : `cli:${newId()}`
  const result = await withFoundation(context, async ({ ledger, keys }) => {
    const accountId = await keys.accountOf(id)
    if (accountId === null) return { outcome: 'unknown_key' } as const
    return ledger.credit({
      accountId,
      keyId: id,
      amountAtomic: amount.amountAtomic,
      source: 'adjustment',
      reference,
      kind: 'adjustment',
      note: String(context.options['note'] ?? 'granted from the command line'),
    })
  })
  if (result.outcome !== 'credited') {
    warn(result.outcome === 'revoked' ? `The key ${id} is revoked` : `There is no key ${id}`)
    return EXIT.failed
  }
  printRecord({
    ledgerId: result.ledgerId,
    duplicate: result.duplicate,
    credits: atomicToCredits(result.availableAtomic),
  })
  return EXIT.ok
}

const keyCreate: Command = {
  name: 'key create',
  usage: 'key create <name> [--mode live|test]',
  summary: 'make an API key; its text is shown once',
  options: { mode: { type: 'string' } },
  run: createKey,
}
const keyList: Command = {
  name: 'key list',
  usage: 'key list',
  summary: 'list API keys, newest first',
  run: listKeys,
}
const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'key revoke <id>',
  summary: 'revoke an API key for good',
  run: revokeKey,
}
const creditsBalance: Command = {
  name: 'credits balance',
  usage: 'credits balance <key id>',
  summary: 'show what a key has',
  run: showBalance,
}
const creditsGrant: Command = {
  name: 'credits grant',
  usage: 'credits grant <key id> <credits> [--reference R] [--note N]',
  summary: 'credit a key from the adjustment account, once per reference',
  options: { note: { type: 'string' }, reference: { type: 'string' } },
  run: grantCredits,
}

export const keyCommands: readonly Command[] = [
  keyCreate,
  keyList,
  keyRevoke,
  creditsBalance,
  creditsGrant,
]
