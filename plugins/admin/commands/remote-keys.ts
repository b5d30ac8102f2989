/** The key and credits commands by the routes of a gateway elsewhere (--url). */
import { atomicToCredits, EXIT, isKeyName, type KeyMetadata, newId } from '#kernel'
import type { RemoteRun } from '../../shared/commands/remote.ts'
import { amountIn } from './credits-option.ts'
import { GRANT_NOTE } from './grant.ts'
import { BAD_GRACE, graceMsIn, wantedIn } from './list-options.ts'
import { BAD_NAME, limitsIn, type Limits } from './key-limits.ts'
import { allOf } from './remote-pages.ts'

interface Key {
  id: string
  accountId: string
  name: string
  mode: string
  prefix: string | null
  createdAt: string
  revokedAt: string | null
  expiresAt: string | null
  networks: string[] | null
  skills: string[] | null
  metadata: KeyMetadata
  budgets: Caps
  productBudgets: Record<string, Caps & Spent>
  balance: { credits: number; heldCredits: number }
  spentTodayCredits: number
  spentMonthCredits: number
}
interface Caps {
  call: number | null
  day: number | null
  month: number | null
}
interface Spent {
  spentTodayCredits: number
  spentMonthCredits: number
}

interface Granted {
  ledgerId: string
  duplicate: boolean
  availableCredits: number
}

const GRANT_PATH = '/v1/credits/grant'

/** The body of a grant, but for whom it credits. */
const grantBody = (reference: string, amountAtomic: bigint) => ({
  amountUsdcAtomic: Number(amountAtomic),
  reference,
  note: GRANT_NOTE,
})

const keyPath = (id: string): string => `/v1/keys/${encodeURIComponent(id)}`

/** Caps in credits, as bodies have them. */
function capsOf({ budget }: Extract<Limits, { ok: true }>): Partial<Caps> {
  return Object.fromEntries(
    Object.entries(budget).map(([limit, atomic]) => [
      limit,
      atomic === null ? null : atomicToCredits(atomic as bigint),
    ]),
  )
}

export const createRemoteKey: RemoteRun = async (context, remote) => {
  const [name = ''] = context.positionals
  const { mode, account, credits } = context.options
  if (!isKeyName(name)) return context.usage(BAD_NAME)
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  const amount = typeof credits === 'string' ? amountIn(credits) : null
  if (amount?.ok === false) return context.usage(amount.message)
  const made = await remote.ask<Key & { key: string }>('POST', '/v1/keys', {
    name,
    ...(mode !== undefined && { mode }),
    ...(account !== undefined && { accountId: account }),
    ...(limits.products !== undefined && { products: limits.products }),
    budgets: capsOf(limits),
    ...limits.terms,
  })
  const { id, accountId, expiresAt, key } = made
  let granted: Granted | null = null
  try {
    if (amount !== null) {
      const body = grantBody(`cli:${newId()}`, amount.amountAtomic)
      granted = await remote.ask<Granted>('POST', GRANT_PATH, { ...body, apiKeyId: id })
    }
  } finally {
    // Also where the grant was refused: the text of the key is not to be had again.
    context.printRecord({
      id,
      accountId,
      name,
      mode: made.mode,
      ...(expiresAt !== null && { expiresAt }),
      ...(granted !== null && { credits: granted.availableCredits }),
      key,
    })
  }
  return EXIT.ok
}

export const listRemoteKeys: RemoteRun = async (context, remote) => {
  const wanted = new URLSearchParams(wantedIn(context.options))
  const path = wanted.size === 0 ? '/v1/keys' : `/v1/keys?${wanted.toString()}`
  const found = await allOf<Key>(context, remote, path, 'keys')
  context.printRows(
    found.map(({ id, name, mode, prefix, createdAt, expiresAt, revokedAt }) => ({
      id,
      name,
      mode,
      prefix,
      createdAt,
      expiresAt,
      revokedAt,
    })),
  )
  return EXIT.ok
}

export const revokeRemoteKey: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  if (!id) return context.usage()
  const { revokedAt } = await remote.ask<Key>('POST', `${keyPath(id)}/revoke`, {})
  context.printRecord({ id, revoked: true, revokedAt })
  return EXIT.ok
}

export const rotateRemoteKey: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  if (!id) return context.usage()
  const graceMs = graceMsIn(context.options)
  if (graceMs === null) return context.usage(BAD_GRACE)
  const { key, previousValidUntil } = await remote.ask<{ key: string; previousValidUntil: string }>(
    'POST',
    `${keyPath(id)}/rotate`,
    { graceSeconds: graceMs / 1000 },
  )
  context.printRecord({ id, previousValidUntil, key })
  return EXIT.ok
}

export const changeRemoteBudget: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  const { product } = context.options
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  const caps = capsOf(limits)
  const isEmpty = Object.keys(caps).length === 0
  if (!id || (isEmpty && limits.products === undefined)) return context.usage()
  const key = await remote.ask<Key>('PATCH', keyPath(id), {
    ...(limits.products !== undefined && { products: limits.products }),
    ...(!isEmpty &&
      (typeof product === 'string' ? { productBudgets: { [product]: caps } } : { budgets: caps })),
  })
  const { budgets, productBudgets, spentTodayCredits, spentMonthCredits } = key
  context.printRows([
    { product: 'all', ...budgets, spentTodayCredits, spentMonthCredits },
    ...Object.entries(productBudgets).map(([one, budget]) => ({ product: one, ...budget })),
  ])
  return EXIT.ok
}

export const changeRemoteKey: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  const { name } = context.options
  const limits = limitsIn(context)
  if (!limits.ok) return context.usage(limits.message)
  const changes = { ...limits.terms, ...(typeof name === 'string' && { name }) }
  if (!id || Object.keys(changes).length === 0) return context.usage()
  const key = await remote.ask<Key>('PATCH', keyPath(id), changes)
  const { expiresAt, networks, skills, metadata } = key
  context.printRecord({ id, name: key.name, expiresAt, networks, skills, metadata })
  return EXIT.ok
}

export const showRemoteBalance: RemoteRun = async (context, remote) => {
  const [id] = context.positionals
  if (!id) return context.usage()
  const { balance, spentTodayCredits } = await remote.ask<Key>('GET', keyPath(id))
  const { credits, heldCredits } = balance
  context.printRecord({ apiKeyId: id, credits, heldCredits, spentTodayCredits })
  return EXIT.ok
}

/** `coinop credits grant` and `coinop account grant`: whom `member` of the body names. */
export const grantRemotely =
  (member: 'apiKeyId' | 'accountId'): RemoteRun =>
  async (context, remote) => {
    const [id, credits] = context.positionals
    if (!id || !credits) return context.usage()
    const amount = amountIn(credits)
    if (!amount.ok) return context.usage(amount.message)
    const { reference = `cli:${newId()}`, note = GRANT_NOTE } = context.options
    const granted = await remote.ask<Granted>('POST', GRANT_PATH, {
      ...grantBody(String(reference), amount.amountAtomic),
      [member]: id,
      note,
    })
    const { ledgerId, duplicate, availableCredits } = granted
    context.printRecord({ ledgerId, duplicate, credits: availableCredits })
    return EXIT.ok
  }
