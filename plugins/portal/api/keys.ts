/** Keys of the account: made, capped, renamed, renewed, revoked. */
import {
  fail,
  invalid,
  readInput,
  type AccountKey,
  type AccountKeys,
  type Accounts,
  type Failure,
  type Issue,
  type Route,
} from '#kernel'
import { Type } from 'typebox'
import { KEY_TERMS_INPUT, keyTermsIn } from '../../shared/documents/key-terms.ts'
import { csvResponse } from '../csv.ts'
import { roleOf } from '../owner.ts'
import type { Person } from '../people.ts'
import { REASONS } from '../reasons.ts'
import type { Sessions } from '../sessions.ts'
import { LIMITS, limitsOf, PRODUCTS } from './limits.ts'
import { everyPage, pageOf } from './page.ts'
import { apiRoutes, onlyKeyOf, unknown, type ApiDeps } from './route.ts'
import { keyView } from './views.ts'

const Name = Type.String({ minLength: 1, maxLength: 128 })
const NewKey = Type.Object(
  { name: Name, ...LIMITS, products: PRODUCTS, ...KEY_TERMS_INPUT },
  { additionalProperties: false },
)
const Changes = Type.Object(
  { name: Type.Optional(Name), ...LIMITS, products: PRODUCTS, ...KEY_TERMS_INPUT },
  { additionalProperties: false },
)
/** How long the credential before lives on after a new one was made. */
const GRACE_MS = 24 * 3_600_000
const FIND_MAX = 128
/** Keys of a file that are read at once. */
const FILE_PAGE = 200

export interface KeyRouteDeps extends ApiDeps {
  accounts: Pick<Accounts, 'owners'>
  accountKeys: AccountKeys
  sessions: Pick<Sessions, 'endOthers'>
}

export function keyRoutes(deps: KeyRouteDeps): Route[] {
  const { accounts, accountKeys, sessions } = deps
  const route = apiRoutes(deps)

  /** A key that the person may see; grants have a page of their own. */
  async function find(person: Person, id: string): Promise<AccountKey | null> {
    const only = onlyKeyOf(person)
    if (only !== null && only !== id) return null
    const key = await accountKeys.get(person.accountId, id)
    return key?.kind === 'key' ? key : null
  }

  /**
   * 409 for a change by which the key that signed in would be no owner's any more, where nothing else
   * leads to the account: nobody could take it back.
   */
  async function lockedOut(person: Person, changed: AccountKey): Promise<Failure | null> {
    if (changed.id !== person.keyId || roleOf(changed) === 'owner') return null
    if ((await accounts.owners(person.accountId)).length > 0) return null
    return fail(
      'INVALID_INPUT',
      'You signed in with this key, and with a limit it would not let you change anything here again. Add a sign-in in the settings first, or make another key and limit that one',
      { status: 409, details: { reason: REASONS.last_sign_in } },
    )
  }

  async function* filePages(accountId: string, signal: AbortSignal) {
    const read = (cursor: string | null) =>
      accountKeys.list(accountId, { kind: 'key', limit: FILE_PAGE, cursor })
    for await (const { records } of everyPage(read, signal))
      yield records
        .map(keyView)
        .map((key) => [
          key.id,
          key.name,
          key.start,
          key.mode,
          key.createdAt,
          key.lastUsedAt,
          key.expiresAt,
          key.revokedAt,
          key.call,
          key.day,
          key.month,
          key.spentToday,
          key.spentMonth,
        ])
  }

  const one = async (person: Person, id: string): Promise<Response | Failure> => {
    const key = await find(person, id)
    return key ? Response.json(keyView(key)) : unknown('key')
  }

  return [
    route('GET', '/keys', 'Keys, newest first', 'anyone', async (person, { query }) => {
      const only = onlyKeyOf(person)
      if (only !== null) {
        const key = await find(person, only)
        return Response.json({ keys: key ? [keyView(key)] : [], nextCursor: null })
      }
      const page = pageOf(query)
      if (!page.ok) return page
      const named = query.get('find') ?? ''
      if (named.length > FIND_MAX) {
        return invalid([{ path: '/find', message: `must have at most ${FIND_MAX} characters` }])
      }
      const { records, nextCursor } = await accountKeys.list(person.accountId, {
        kind: 'key',
        find: named,
        ...page.page,
      })
      return Response.json({ keys: records.map(keyView), nextCursor })
    }),
    route('GET', '/keys.csv', 'All of them as a file', 'owner', (person, { signal }) =>
      csvResponse(
        deps.log,
        'keys',
        [
          'id',
          'name',
          'starts with',
          'mode',
          'made',
          'last used',
          'ends',
          'revoked',
          'call budget',
          'day budget',
          'month budget',
          'spent today',
          'spent this month',
        ],
        filePages(person.accountId, signal),
      ),
    ),
    route('POST', '/keys', 'Makes a key; its text is told once', 'owner', async (person, asked) => {
      const input = await readInput(asked, NewKey)
      if (!input.ok) return input
      const { name, products, ...said } = input.value
      const limits = limitsOf(said)
      if (!limits.ok) return limits
      const issues: Issue[] = []
      const terms = keyTermsIn(said, issues)
      if (issues.length > 0) return invalid(issues)
      const made = await accountKeys.create(person.accountId, {
        name,
        limits: limits.limits,
        ...(products !== undefined && { products }),
        ...terms,
      })
      if ('ok' in made) return made
      return Response.json({ ...keyView(made.record), key: made.key }, { status: 201 })
    }),
    route('GET', '/keys/{id}', 'One key', 'anyone', (person, { params }) =>
      one(person, params['id']!),
    ),
    route(
      'PATCH',
      '/keys/{id}',
      'Changes name, budget, products, end, networks, notes',
      'owner',
      async (person, asked) => {
        const id = asked.params['id']!
        const input = await readInput(asked, Changes)
        if (!input.ok) return input
        const { name, products, ...said } = input.value
        const limits = limitsOf(said)
        if (!limits.ok) return limits
        const issues: Issue[] = []
        const terms = keyTermsIn(said, issues)
        if (issues.length > 0) return invalid(issues)
        const key = await find(person, id)
        if (key === null) return unknown('key')
        const changes = {
          ...(name !== undefined && { name }),
          ...(products !== undefined && { products }),
          ...terms,
        }
        const changedLimits = { ...key.limits, ...limits.limits }
        const refusal = await lockedOut(person, { ...key, ...changes, limits: changedLimits })
        if (refusal) return refusal
        const changed = await accountKeys.patch(person.accountId, id, {
          ...changes,
          limits: limits.limits,
        })
        return changed ? Response.json(keyView(changed)) : unknown('key')
      },
    ),
    route(
      'POST',
      '/keys/{id}/rotate',
      'A new credential; ends the other sessions of the key',
      'owner',
      async (person, { params }) => {
        const { accountId, sessionHash } = person
        const id = params['id']!
        if ((await find(person, id)) === null) return unknown('key')
        const made = await accountKeys.rotate(accountId, id, GRACE_MS)
        if ('ok' in made) return made
        // Whoever signed in with a credential that leaked is not let stay by a new one.
        await sessions.endOthers(accountId, sessionHash, id)
        const { record, key, previousValidUntil } = made
        return Response.json({ ...keyView(record), key, previousValidUntil })
      },
    ),
    route('DELETE', '/keys/{id}', 'Revokes a key for good', 'owner', async (person, { params }) => {
      const id = params['id']!
      if ((await find(person, id)) === null) return unknown('key')
      const gone = await accountKeys.revoke(person.accountId, id)
      return gone ? Response.json(keyView(gone)) : unknown('key')
    }),
  ]
}
