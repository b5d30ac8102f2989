/** `coinop key …` and `coinop credits …`: API keys and their balances, from the shell. */
import {
  atomicToCredits,
  type Books,
  EXIT,
  isAccountId,
  isKeyName,
  type KeyRecord,
  type PluginCommand,
  type PluginCommandContext,
} from '#kernel'
import { BAD_NAME, LIMIT_OPTIONS, limitsIn } from './key-limits.ts'
import { TERM_OPTIONS, TERM_USAGE } from './key-terms-options.ts'
import {
  changeRemoteBudget,
  changeRemoteKey,
  createRemoteKey,
  grantRemotely,
  listRemoteKeys,
  revokeRemoteKey,
  rotateRemoteKey,
  showRemoteBalance,
} from './remote-keys.ts'
import { LISTED_MAX, tellOfMore } from './remote-pages.ts'
import { alsoRemote } from '../../shared/commands/remote.ts'
import { amountIn } from './credits-option.ts'
import { BAD_GRACE, graceMsIn, wantedIn } from './list-options.ts'
import { grantCommand, grantOf } from './grant.ts'

async function createKey(context: PluginCommandContext): Promise<number> {
  const [name = ''] = context.positionals
  if (!isKeyName(name)) {
    context.warn(BAD_NAME)
    return context.usage()
  }
  const { mode, account, credits } = context.options
  if (mode !== undefined && mode !== 'live' && mode !== 'test') return context.usage()
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  const amount = typeof credits === 'string' ? amountIn(credits) : null
  if (amount?.ok === false) return context.usage(amount.message)
  const { budget, products, terms } = limits
  const order = { name, budget, products, ...terms }
  const made = await context.onBooks(async ({ keys, ledger }) => {
    const key =
      typeof account === 'string'
        ? await onAccount(keys, account, { ...order, mode })
        : await keys.create({ ...order, mode: mode ?? (context.sandbox ? 'test' : 'live') })
    if (typeof key === 'string' || amount === null) return key
    const { id: keyId, accountId } = key.record
    const granted = await ledger.credit({
      ...grantOf(keyId, amount.amountAtomic),
      accountId,
      keyId,
    })
    return { ...key, granted }
  })
  if (typeof made === 'string') {
    context.warn(made)
    return EXIT.failed
  }
  const { id, accountId, expiresAt } = made.record
  const granted = 'granted' in made ? made.granted : null
  context.printRecord({
    id,
    accountId,
    name,
    mode: made.record.mode,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(granted?.outcome === 'credited' && {
      credits: atomicToCredits(granted.availableAtomic),
    }),
    key: made.plaintext,
  })
  if (granted === null || granted.outcome === 'credited') return EXIT.ok
  context.warn(`The key takes no credits: ${granted.outcome.replaceAll('_', ' ')}`)
  return EXIT.failed
}

/** A key on an account that is there, or why it was not made. */
async function onAccount(
  keys: Pick<Books['keys'], 'createOn'>,
  accountId: string,
  order: Parameters<Books['keys']['createOn']>[1],
): Promise<{ record: KeyRecord; plaintext: string } | string> {
  if (!isAccountId(accountId)) return `There is no account ${accountId}`
  const made = await keys.createOn(accountId, order)
  switch (made.outcome) {
    case 'created':
      return made
    case 'unknown_account':
      return `There is no account ${accountId}`
    case 'closed':
      return `The account ${accountId} is closed`
    case 'mode_mismatch':
      return `The account ${accountId} is of the other mode`
    case 'too_many_keys':
      return `The account ${accountId} has as many keys as one may have`
  }
}

async function changeBudget(context: PluginCommandContext): Promise<number> {
  const [id] = context.positionals
  const { product } = context.options
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  const { budget, products } = limits
  const isEmpty = Object.keys(budget).length === 0
  if (!id || (isEmpty && products === undefined)) return context.usage()
  const record = await context.onBooks(({ keys }) =>
    keys.patch(id, {
      ...(products !== undefined && { products }),
      ...(!isEmpty &&
        (typeof product === 'string' ? { productBudgets: { [product]: budget } } : { budget })),
    }),
  )
  if (!record) {
    context.warn(`There is no key ${id}`)
    return EXIT.failed
  }
  const rows = await context.onBooks(
    ({ ledger }) => ledger.spend({ accountId: record.accountId, keyId: id }),
    'read',
  )
  context.printRows(
    rows.map((row) => ({
      product: row.scope === '*' ? 'all' : row.scope,
      call: creditsOrNull(row.callCapAtomic),
      day: creditsOrNull(row.dayCapAtomic),
      month: creditsOrNull(row.monthCapAtomic),
      spentTodayCredits: atomicToCredits(row.spentTodayAtomic),
      spentMonthCredits: atomicToCredits(row.spentMonthAtomic),
    })),
  )
  return EXIT.ok
}

async function changeKey(context: PluginCommandContext): Promise<number> {
  const [id] = context.positionals
  const { name } = context.options
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  if (typeof name === 'string' && !isKeyName(name)) return context.usage(BAD_NAME)
  const changes = { ...limits.terms, ...(typeof name === 'string' && { name }) }
  if (!id || Object.keys(changes).length === 0) return context.usage()
  const record = await context.onBooks(({ keys }) => keys.patch(id, changes))
  if (!record) {
    context.warn(`There is no key ${id}`)
    return EXIT.failed
  }
  context.printRecord({
    id,
    name: record.name,
    expiresAt: record.expiresAt?.toISOString() ?? null,
    networks: record.networks,
    skills: record.skills,
    metadata: record.metadata,
  })
  return EXIT.ok
}

function creditsOrNull(amountAtomic: bigint | null): number | null {
  return amountAtomic === null ? null : atomicToCredits(amountAtomic)
}

async function listKeys(context: PluginCommandContext): Promise<number> {
  const wanted = wantedIn(context.options)
  if (wanted.accountId !== undefined && !isAccountId(wanted.accountId))
    return context.usage('--account must be the id of an account')
  const { records, nextCursor } = await context.onBooks(
    ({ keys }) => keys.list({ kind: 'key', limit: LISTED_MAX, cursor: null, ...wanted }),
    'read',
  )
  context.printRows(
    records.map(({ id, name, mode, prefix, createdAt, revokedAt, expiresAt }) => ({
      id,
      name,
      mode,
      prefix,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
    })),
  )
  tellOfMore(context, nextCursor)
  return EXIT.ok
}

async function revokeKey(context: PluginCommandContext): Promise<number> {
  const [id] = context.positionals
  if (!id) return context.usage()
  const record = await context.onBooks(({ keys }) => keys.revoke(id))
  if (!record) {
    context.warn(`There is no key ${id}`)
    return EXIT.failed
  }
  context.printRecord({ id, revoked: true, revokedAt: record.revokedAt?.toISOString() })
  return EXIT.ok
}

async function rotateKey(context: PluginCommandContext): Promise<number> {
  const [id] = context.positionals
  if (!id) return context.usage()
  const graceMs = graceMsIn(context.options)
  if (graceMs === null) return context.usage(BAD_GRACE)
  const rotated = await context.onBooks(async ({ keys }) => {
    const made = await keys.rotate(id, graceMs)
    return made.outcome === 'rotated' ? made : NOT_ROTATED[made.outcome](id)
  })
  if (typeof rotated === 'string') {
    context.warn(rotated)
    return EXIT.failed
  }
  const { plaintext: key, previousValidUntil } = rotated
  context.printRecord({ id, previousValidUntil: previousValidUntil.toISOString(), key })
  return EXIT.ok
}

const NOT_ROTATED = {
  unknown_key: (id: string) => `There is no key ${id}`,
  revoked: (id: string) => `The key ${id} is revoked: make another one`,
  grant: (id: string) => `${id} is a grant, which has no credential of its own`,
}

async function showBalance(context: PluginCommandContext): Promise<number> {
  const [id] = context.positionals
  if (!id) return context.usage()
  const found = await context.onBooks(async ({ ledger, keys }) => {
    const accountId = await keys.accountOf(id)
    const balance = accountId === null ? null : await ledger.balance(accountId)
    if (accountId === null || balance === null) return null
    const [own] = await ledger.spend({ accountId, keyId: id })
    return { balance, spentTodayAtomic: own?.spentTodayAtomic ?? 0n }
  }, 'read')
  if (!found) {
    context.warn(`There is no key ${id}`)
    return EXIT.failed
  }
  const { balance, spentTodayAtomic } = found
  context.printRecord({
    apiKeyId: id,
    credits: atomicToCredits(balance.availableAtomic),
    heldCredits: atomicToCredits(balance.heldAtomic),
    spentTodayCredits: atomicToCredits(spentTodayAtomic),
  })
  return EXIT.ok
}

const keyCreate: PluginCommand = {
  name: 'key create',
  isChange: true,
  usage: `key create <name> [--mode live|test] [--account ID] [--credits N] [--call N] [--day N] [--month N] [--products A,B] ${TERM_USAGE}`,
  summary: 'make an API key, with credits and budgets; its text is shown once',
  options: {
    mode: { type: 'string' },
    account: { type: 'string' },
    credits: { type: 'string' },
    ...LIMIT_OPTIONS,
    ...TERM_OPTIONS,
  },
  run: createKey,
}
const keyList: PluginCommand = {
  name: 'key list',
  usage: 'key list [--find TEXT] [--account ID]',
  summary: 'list API keys, newest first: all, or by a part of the name or the start of the key',
  options: { find: { type: 'string' }, account: { type: 'string' } },
  run: listKeys,
}
const keyRotate: PluginCommand = {
  name: 'key rotate',
  isChange: true,
  usage: 'key rotate <id> [--grace 1d|none]',
  summary: 'make a new credential of a key, shown once; the one before stays valid for the grace',
  options: { grace: { type: 'string' } },
  run: rotateKey,
}
const keyRevoke: PluginCommand = {
  name: 'key revoke',
  isChange: true,
  usage: 'key revoke <id>',
  summary: 'revoke an API key for good',
  run: revokeKey,
}
const keyBudget: PluginCommand = {
  name: 'key budget',
  isChange: true,
  usage:
    'key budget <id> [--product P] [--call N|none] [--day N|none] [--month N|none] [--products A,B|all]',
  summary: 'change what a key may spend, and on which products',
  options: { product: { type: 'string' }, ...LIMIT_OPTIONS },
  run: changeBudget,
}
const keyChange: PluginCommand = {
  name: 'key change',
  isChange: true,
  usage: `key change <id> [--name N] ${TERM_USAGE}`,
  summary: 'change the name of a key, its end, its networks of origin, its skills and its notes',
  options: { name: { type: 'string' }, ...TERM_OPTIONS },
  run: changeKey,
}
const creditsBalance: PluginCommand = {
  name: 'credits balance',
  usage: 'credits balance <key id>',
  summary: 'show what a key has',
  run: showBalance,
}
const creditsGrant = grantCommand(
  'key',
  {
    name: 'credits grant',
    usage: 'credits grant <key id> <credits> [--reference R] [--note N]',
    summary: 'credit a key from the adjustment account, once per reference',
  },
  async ({ keys }, keyId) => {
    const accountId = await keys.accountOf(keyId)
    return accountId === null ? null : { accountId, keyId }
  },
)

export const keyCommands: readonly PluginCommand[] = [
  alsoRemote(keyCreate, createRemoteKey),
  alsoRemote(keyList, listRemoteKeys),
  alsoRemote(keyRotate, rotateRemoteKey),
  alsoRemote(keyRevoke, revokeRemoteKey),
  alsoRemote(keyBudget, changeRemoteBudget),
  alsoRemote(keyChange, changeRemoteKey),
  alsoRemote(creditsBalance, showRemoteBalance),
  alsoRemote(creditsGrant, grantRemotely('apiKeyId')),
]
