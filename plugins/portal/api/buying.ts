/** Buying credits: what a browser wallet is to sign, card and mobile checkouts, what is pending. */
import {
  atomicToCredits,
  fail,
  isObject,
  readInput,
  type Accounts,
  type Failure,
  type Route,
} from '#kernel'
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import type { Payments } from '../../shared/payments/contract.ts'
import { TRANSFER_TYPES } from '../../shared/payments/transfer-types.ts'
import type { TopupDesk } from '../../shared/topup/contract.ts'
import type { Person } from '../people.ts'
import { mailboxOf } from '../sign-in/owners.ts'
import { FOLDER } from '../site.ts'
import { PORTAL_KEY } from './own-key.ts'
import { apiRoutes, type ApiDeps } from './route.ts'

const AmountUsd = Type.Number({ minimum: 0.01, maximum: 10_000 })
const WalletOrder = Type.Object(
  {
    amountUsd: AmountUsd,
    address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
    network: Type.Optional(Type.String({ maxLength: 60 })),
  },
  { additionalProperties: false },
)
const CheckoutOrder = Type.Object(
  {
    amountUsd: AmountUsd,
    provider: Type.Union([Type.Literal('provider_a'), Type.Literal('provider_b')]),
    email: Type.Optional(Type.String({ maxLength: 254 })),
  },
  { additionalProperties: false },
)

const CancelledCheckout = Type.Object(
  { reference: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }) },
  { additionalProperties: false },
)

/** An entry of `accepts` of x402 version 2, as far as a wallet's payment needs it. */
interface Requirements {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string; assetTransferMethod?: string }
}

export interface BuyingDeps extends ApiDeps {
  accounts: Pick<Accounts, 'get' | 'owners' | 'ownKey'>
  /** Null while no product sells credits. */
  desk(): TopupDesk | null
  /** Null while no product takes payments of wallets. */
  payments(): Pick<Payments, 'networks'> | null
  now(): Date
}

export function buyingRoutes(deps: BuyingDeps): Route[] {
  const { accounts, desk, payments, site, now } = deps
  const route = apiRoutes(deps)

  const keyOf = async ({ accountId }: Person): Promise<string | null> =>
    (await accounts.ownKey(accountId, PORTAL_KEY))?.keyId ?? null

  async function options(person: Person): Promise<Response> {
    const sold = desk()
    // What others began to buy is not for a key that sees its own calls only.
    const keyId = sold && person.role === 'owner' ? await keyOf(person) : null
    const account = await accounts.get(person.accountId)
    const owners = person.role === 'owner' ? await accounts.owners(person.accountId) : []
    const mailboxes = owners.map(({ subject }) => mailboxOf(subject))
    return Response.json({
      balanceCredits: atomicToCredits(account?.availableAtomic ?? 0n),
      walletsOpen: sold !== null && isOpenForWallets(payments()),
      ...(sold?.checkouts() ?? { providers: [], minimumUsd: 0 }),
      email: mailboxes.find((mailbox) => mailbox !== null) ?? null,
      begun: sold && keyId ? await sold.begun(keyId) : [],
    })
  }

  return [
    route('GET', '/topup', 'Ways to buy, and what is pending', 'anyone', options),
    route('POST', '/topup/x402', 'What a wallet is to sign', 'anyone', async (person, asked) => {
      const input = await readInput(asked, WalletOrder)
      if (!input.ok) return input
      const { amountUsd, address, network } = input.value
      const sold = desk()
      if (!sold) return closed()
      const { requestId, signal } = asked
      const { accountId } = person
      const offered = await sold.offer({ accountId, amountUsd, requestId, signal })
      if (!offered.ok) return offered
      const challenge = challengeOf(offered.unpaid)
      const accepted = challenge?.accepts.find(
        (one) => isForWallets(one) && (network === undefined || one.network === network),
      )
      if (!challenge || !accepted) return closed()
      const authorization = {
        from: address,
        to: accepted.payTo,
        value: accepted.amount,
        validAfter: '0',
        validBefore: String(Math.floor(now().getTime() / 1000) + accepted.maxTimeoutSeconds),
        nonce: `0x${randomBytes(32).toString('hex')}`,
      }
      return Response.json({
        typed: {
          types: TRANSFER_TYPES,
          primaryType: 'TransferWithAuthorization',
          domain: {
            name: accepted.extra.name,
            version: accepted.extra.version,
            chainId: Number(accepted.network.split(':')[1]),
            verifyingContract: accepted.asset,
          },
          message: authorization,
        },
        payment: {
          x402Version: 2,
          resource: challenge.resource,
          accepted,
          payload: { authorization },
        },
        purchase: { path: site.home.slice(0, -FOLDER.length) + offered.path, body: offered.body },
      })
    }),
    route(
      'POST',
      '/topup/card',
      'Begins a card or mobile checkout',
      'anyone',
      async (person, asked) => {
        const input = await readInput(asked, CheckoutOrder)
        if (!input.ok) return input
        const [sold, keyId] = [desk(), await keyOf(person)]
        if (!sold || keyId === null) return closed()
        if (!sold.checkouts().providers.includes(input.value.provider)) return closed()
        const { email = null, ...order } = input.value
        const started = await sold.begin({ ...order, email, keyId, callbackUrl: `${site.uri}/buy` })
        if (!started.ok) return started
        return Response.json({
          reference: started.reference,
          authorizationUrl: started.authorizationUrl,
        })
      },
    ),
    route(
      'POST',
      '/topup/cancelled',
      'Tells that a checkout was given up',
      'owner',
      async (person, asked) => {
        const input = await readInput(asked, CancelledCheckout)
        if (!input.ok) return input
        const [sold, keyId] = [desk(), await keyOf(person)]
        if (!sold || keyId === null) return closed()
        await sold.cancel(keyId, input.value.reference)
        return options(person)
      },
    ),
  ]
}

function closed(): Failure {
  return fail('PROCESSING_FAILURE', 'Credits cannot be bought this way here at this moment', {
    status: 503,
  })
}

function isOpenForWallets(payments: Pick<Payments, 'networks'> | null): boolean {
  return payments?.networks().some(({ kind, isOpen }) => kind === 'evm' && isOpen) === true
}

function isForWallets({ scheme, network, extra }: Requirements): boolean {
  return (
    scheme === 'exact' && network.startsWith('eip155:') && extra.assetTransferMethod !== 'permit2'
  )
}

/** The challenge of a 402 (x402 version 2, header PAYMENT-REQUIRED); null where it has none. */
function challengeOf(unpaid: Response): { resource: unknown; accepts: Requirements[] } | null {
  const header = unpaid.status === 402 ? unpaid.headers.get('payment-required') : null
  if (header === null) return null
  const parsed: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  if (!isObject(parsed) || !Array.isArray(parsed['accepts'])) return null
  return { resource: parsed['resource'], accepts: parsed['accepts'] as Requirements[] }
}
