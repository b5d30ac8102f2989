/** Sign-ins, passkeys, sessions, and where the account's notices go. */
import {
  atomicToCredits,
  creditsToAtomic,
  invalid,
  isHttpUrl,
  isKeyName,
  isObject,
  readInput,
  type Accounts,
  type Failure,
  type Outbound,
  type Route,
} from '#kernel'
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { secretOf } from '../cookies.ts'
import type { Owners } from '../sign-in/owners.ts'
import type { Person } from '../people.ts'
import type { Sessions } from '../sessions.ts'
import type { Settings } from '../settings.ts'
import { emailOf, sendLink, type MailDeps } from '../sign-in/mail.ts'
import {
  passkeysOf,
  PASSKEYS_MAX,
  registeredPasskey,
  registrationOptions,
  savePasskey,
  TooManyPasskeys,
  type PasskeyDeps,
} from '../sign-in/passkey.ts'
import { notProven } from '../sign-in/proof.ts'
import { json } from '../answers.ts'
import { visitorOf } from '../sign-in/visitor.ts'
import { ProofInput, walletProof, type WalletDeps } from '../sign-in/wallet.ts'
import type { PageFacts } from '../documents/layout.ts'
import { apiRoutes, onlyKeyOf, unknown, type ApiDeps } from './route.ts'

export interface SettingsDeps extends ApiDeps {
  facts: PageFacts
  db: PasskeyDeps['db']
  accounts: Pick<Accounts, 'owners' | 'setLowMark' | 'get'>
  owners: Owners
  sessions: Sessions
  settings: Settings
  wallets: WalletDeps
  mail: MailDeps | null
  passkeys: PasskeyDeps | null
  outbound: Pick<Outbound, 'check'>
  /** Called when limits or addresses of notices were changed. */
  onNotices(): void
}

const Text = Type.Union([Type.String({ minLength: 1, maxLength: 2000 }), Type.Null()])
const Changes = Type.Object(
  {
    keySignIn: Type.Optional(Type.Boolean()),
    lowMarkCredits: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
    noticeEmail: Type.Optional(Text),
    webhookUrl: Type.Optional(Text),
  },
  { additionalProperties: false },
)
const Rotation = Type.Object(
  { graceSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 * 86_400 })) },
  { additionalProperties: false },
)
/** As long as the former credential of a key is valid. */
const GRACE_DEFAULT_S = 86_400
const Subject = Type.Object(
  { subject: Type.String({ minLength: 3, maxLength: 400, pattern: '^[\\x21-\\x7e]+$' }) },
  { additionalProperties: false },
)
const Email = Type.Object(
  { email: Type.String({ maxLength: 254 }) },
  { additionalProperties: false },
)

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export function settingsRoutes(deps: SettingsDeps): Route[] {
  const { accounts, db, owners, sessions, settings, site } = deps
  const route = apiRoutes(deps)

  async function show(person: Person): Promise<object> {
    const { accountId } = person
    const [account, own, list, passkeys] = await Promise.all([
      accounts.get(accountId),
      settings.of(accountId),
      accounts.owners(accountId),
      passkeysOf(db, accountId),
    ])
    const lowMarkAtomic = account?.lowMarkAtomic ?? null
    return {
      ...own,
      lowMarkCredits: lowMarkAtomic === null ? null : atomicToCredits(lowMarkAtomic),
      signIns: list.map(({ subject, addedAt }) => ({
        subject,
        addedAt,
        name: passkeys.find(({ id }) => `passkey:${id}` === subject)?.name ?? null,
      })),
      canMail: deps.mail !== null,
      canPasskey: deps.passkeys !== null,
    }
  }

  async function change(
    person: Person,
    said: Record<string, unknown>,
  ): Promise<Response | Failure> {
    const { keySignIn, lowMarkCredits, noticeEmail, webhookUrl } = said as {
      keySignIn?: boolean
      lowMarkCredits?: number | null
      noticeEmail?: string | null
      webhookUrl?: string | null
    }
    const { accountId } = person
    const list = await accounts.owners(accountId)
    // Notices go to mailboxes that somebody has shown to be theirs.
    if (noticeEmail && !list.some(({ subject }) => subject === `email:${noticeEmail}`)) {
      return invalid([
        { path: '/noticeEmail', message: 'must be an e-mail sign-in of the account' },
      ])
    }
    if (keySignIn === false && list.length === 0) {
      return invalid([{ path: '/keySignIn', message: 'needs another sign-in first' }])
    }
    const low = lowMarkCredits == null ? null : creditsToAtomic(lowMarkCredits)
    if (low?.ok === false) return invalid([{ path: '/lowMarkCredits', message: low.message }])
    const refusal = webhookUrl ? await refusalOfUrl(webhookUrl) : null
    if (refusal) return refusal
    const before = await settings.of(accountId)
    const webhookSecret = webhookUrl && webhookUrl !== before.webhookUrl ? newSecret() : null
    await settings.change(
      accountId,
      {
        ...(keySignIn !== undefined && { keySignIn }),
        ...(noticeEmail !== undefined && { noticeEmail }),
        ...(webhookUrl !== undefined && { webhookUrl }),
      },
      webhookSecret,
    )
    if (lowMarkCredits !== undefined) {
      // 0 is no mark, as on the command line: a balance is never below it.
      await accounts.setLowMark(accountId, (low?.ok && low.amountAtomic) || null)
    }
    if (keySignIn === false && person.keyId === null) await sessions.endOfKeys(accountId)
    deps.onNotices()
    const shown = await show(person)
    return Response.json(webhookSecret === null ? shown : { ...shown, webhookSecret })
  }

  async function refusalOfUrl(url: string): Promise<Failure | null> {
    const refuse = (message: string): Failure => invalid([{ path: '/webhookUrl', message }])
    if (!isHttpUrl(url)) return refuse('must be an http or https URL')
    const checked = await deps.outbound.check(url)
    if (checked.ok) return null
    return refuse(
      checked.reason === 'ssrf'
        ? 'must lead to a public address, on the usual port and without a password'
        : `cannot be reached from here: ${checked.reason}`,
    )
  }

  return [
    route('GET', '/settings', 'Sign-ins and notices', 'owner', async (person) =>
      Response.json(await show(person)),
    ),
    route(
      'PATCH',
      '/settings',
      'Changes where notices go and who signs in',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, Changes)
        return input.ok ? change(person, input.value) : input
      },
    ),
    route(
      'POST',
      '/settings/webhook/rotate',
      'A new secret of the webhook of notices; those before it sign too for a grace time',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, Rotation)
        if (!input.ok) return input
        const { graceSeconds = GRACE_DEFAULT_S } = input.value
        const webhookSecret = newSecret()
        const until = await settings.rotateSecret(person.accountId, webhookSecret, graceSeconds)
        if (until === null) return unknown('webhook')
        return Response.json({ webhookSecret, previousValidUntil: until })
      },
    ),
    route('DELETE', '/sign-ins', 'Takes a way in away', 'owner', async (person, asked) => {
      const input = await readInput(asked, Subject)
      if (!input.ok) return input
      const refusal = await owners.remove(person, input.value.subject)
      return refusal ?? Response.json(await show(person))
    }),
    route(
      'POST',
      '/sign-ins/wallet',
      'Adds a wallet by a signed message',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, ProofInput)
        if (!input.ok) return input
        const visitor = secretOf(asked.request, 'visitor', site)
        const proof = await walletProof(deps.wallets, visitor, input.value)
        if (!proof.ok) return proof
        const added = await owners.add(person, proof.subject)
        return 'ok' in added ? added : json({ subject: proof.subject }, added)
      },
    ),
    ...(deps.mail === null ? [] : [addEmail(deps.mail)]),
    ...(deps.passkeys === null ? [] : addPasskey(deps.passkeys)),
    route('GET', '/sessions', 'Where the account is signed in', 'anyone', async (person) =>
      Response.json({
        sessions: await sessions.list(person.accountId, person.sessionHash, onlyKeyOf(person)),
      }),
    ),
    route('DELETE', '/sessions', 'Ends all sessions but this', 'anyone', async (person) =>
      Response.json({
        ended: await sessions.endOthers(person.accountId, person.sessionHash, onlyKeyOf(person)),
      }),
    ),
    route('DELETE', '/sessions/{id}', 'Ends one session', 'anyone', async (person, { params }) => {
      const ended = await sessions.endListed(person.accountId, params['id']!, onlyKeyOf(person))
      return ended ? Response.json({ ended: 1 }) : unknown('session')
    }),
  ]

  function addEmail(mail: MailDeps): Route {
    return route(
      'POST',
      '/sign-ins/email',
      'Sends a link that adds a mailbox',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, Email)
        if (!input.ok) return input
        const email = emailOf(input.value.email)
        if (email === null)
          return invalid([{ path: '/email', message: 'must be an e-mail address' }])
        const visitor = visitorOf(deps, asked.request)
        await sendLink(mail, {
          email,
          visitor: visitor.secret,
          address: asked.clientAddress,
          accountId: person.accountId,
          next: `${site.home}/settings`,
        })
        return json({ sent: true }, visitor.cookies)
      },
    )
  }

  function addPasskey(passkeys: PasskeyDeps): Route[] {
    return [
      route(
        'POST',
        '/sign-ins/passkey/options',
        'What the browser makes a passkey of',
        'owner',
        async (person, asked) => {
          const known = await passkeysOf(db, person.accountId)
          if (known.length >= PASSKEYS_MAX) return tooMany()
          const visitor = visitorOf(deps, asked.request)
          const account = await accounts.get(person.accountId)
          const userName = account?.name ?? `account ${person.accountId.slice(-6)}`
          const { accountId } = person
          const options = await registrationOptions(passkeys, visitor.secret, {
            accountId,
            userName,
          })
          return json(options, visitor.cookies)
        },
      ),
      route('POST', '/sign-ins/passkey', 'Adds a passkey', 'owner', async (person, asked) => {
        const read = await asked.json()
        if (!read.ok) return read
        const { answer, name = 'Passkey' } = isObject(read.value) ? read.value : {}
        if (typeof name !== 'string' || name.length > 60 || !isKeyName(name)) {
          return invalid([{ path: '/name', message: 'must have 1 to 60 characters' }])
        }
        const visitor = secretOf(asked.request, 'visitor', site)
        const made = await registeredPasskey(passkeys, visitor, answer)
        if (made === null) return notProven('The passkey’s answer does not hold: try again')
        const subject = `passkey:${made.id}`
        const added = await owners
          .add(person, subject, (tx) => savePasskey(tx, person.accountId, name, made))
          .catch((error: unknown) => {
            if (error instanceof TooManyPasskeys) return tooMany()
            throw error
          })
        return 'ok' in added ? added : json({ subject }, added)
      }),
    ]
  }
}

const tooMany = (): Failure =>
  invalid([{ path: '', message: `must be at most ${PASSKEYS_MAX} passkeys` }])
