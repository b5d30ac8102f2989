/**
 * The sandbox's stand-in for a provider whose secrets are not set: its checkouts are paid by
 * `coinop trigger charge.success`, and refunded or disputed by its other events, so that an operator
 * can rehearse everything without an account.
 * Its secret is made anew at each start and never leaves the process.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type {
  Callback,
  Lookup,
  Paid,
  Provider,
  ProviderId,
  Reversal,
  ReversalKind,
  ReversalLookup,
} from './contract.ts'
import { providerA } from './provider-a.ts'
import { providerB } from './provider-b.ts'
import type { GuardedFetch } from '#kernel'

interface SignedCallback {
  body: Uint8Array
  headers: Headers
}

export interface SimulatedProvider extends Provider {
  /** Pays a checkout as a buyer would and returns the signed callback the provider would send. */
  pay(reference: string): SignedCallback | null
  /**
   * Refunds a paid checkout, opens a dispute about it or (`won`) ends that in the merchant's favour,
   * and returns the signed callback; null when it was not paid, or there is no dispute to win.
   */
  reverse(reference: string, event: string, what: ReversalKind | 'won'): SignedCallback | null
}

const unreachable: GuardedFetch = async () => ({
  ok: false,
  reason: 'connect',
  message: 'simulated',
})

export function simulatedProvider(id: ProviderId, publicUrl: string): SimulatedProvider {
  const secret = randomBytes(32).toString('hex')
  const real =
    id === 'provider_a'
      ? providerA({ secret, url: publicUrl, fetch: unreachable })
      : providerB({ secret, webhookHash: secret, url: publicUrl, fetch: unreachable })
  const checkouts = new Map<string, Paid>()
  /** By the charge and the kind. */
  const reversals = new Map<string, Reversal>()
  return {
    id,
    configured: true,
    async initialize(order) {
      checkouts.set(order.reference, {
        reference: order.reference,
        currency: order.currency,
        amountMinor: order.amountMinor,
        chargeId: randomId(),
        status: 'unpaid',
        mode: 'test',
      })
      const event = id === 'provider_a' ? 'charge.success' : 'charge.completed'
      return {
        ok: true,
        authorizationUrl: `${publicUrl}/v1/credits/topup/success?reference=${order.reference}&event=${event}`,
      }
    },
    isSigned: (body, headers) => real.isSigned(body, headers),
    read: (body): Callback => real.read(body),
    async lookUp(reference): Promise<Lookup> {
      const paid = checkouts.get(reference)
      return paid
        ? { ok: true, paid }
        : { ok: false, reason: 'unknown', message: 'no such checkout' }
    },
    async lookUpReversals(notice, charge): Promise<ReversalLookup> {
      const known = reversals.get(`${charge.chargeId}:${notice.kind}`)
      return { ok: true, reversals: known ? [known] : [] }
    },
    reverse(reference, event, what) {
      const paid = checkouts.get(reference)
      if (paid?.status !== 'paid') return null
      const kind = what === 'won' ? 'dispute' : what
      const place = `${paid.chargeId}:${kind}`
      const known = reversals.get(place)
      if (what === 'won' && !known) return null
      const reversal: Reversal = known ?? {
        kind,
        id: randomId(),
        currency: paid.currency,
        amountMinor: paid.amountMinor,
        state: 'gone',
        disputeId: null,
        mode: 'test',
      }
      if (what === 'won') reversal.state = 'kept'
      reversals.set(place, reversal)
      return signed(id, secret, reversalEvent(id, event, reversal, paid))
    },
    pay(reference) {
      const checkout = checkouts.get(reference)
      if (!checkout) return null
      checkout.status = 'paid'
      return signed(id, secret, chargeEvent(id, checkout))
    },
  }
}

const randomId = (): string => String(BigInt(`0x${randomBytes(6).toString('hex')}`))

function chargeEvent(id: ProviderId, paid: Paid): object {
  return id === 'provider_a'
    ? {
        event: 'charge.success',
        data: {
          id: Number(paid.chargeId),
          domain: 'test',
          status: 'success',
          reference: paid.reference,
          amount: Number(paid.amountMinor),
          currency: paid.currency,
        },
      }
    : {
        event: 'charge.completed',
        data: {
          id: Number(paid.chargeId),
          tx_ref: paid.reference,
          amount: Number(paid.amountMinor) / 100,
          currency: paid.currency,
          status: 'successful',
        },
      }
}

function reversalEvent(id: ProviderId, event: string, reversal: Reversal, paid: Paid): object {
  const { amountMinor, currency } = reversal
  const data =
    id === 'provider_a'
      ? {
          id: Number(reversal.id),
          domain: 'test',
          amount: Number(amountMinor),
          currency,
          transaction: { id: Number(paid.chargeId), reference: paid.reference },
        }
      : {
          id: Number(reversal.id),
          tx_id: Number(paid.chargeId),
          tx_ref: paid.reference,
          amount: Number(amountMinor) / 100,
          currency,
        }
  return { event, data }
}

function signed(id: ProviderId, secret: string, event: object): SignedCallback {
  const body = new TextEncoder().encode(JSON.stringify(event))
  const [header, algorithm, encoding] =
    id === 'provider_a'
      ? (['x-paystack-signature', 'sha512', 'hex'] as const)
      : (['flutterwave-signature', 'sha256', 'base64'] as const)
  const mac = createHmac(algorithm, secret).update(body).digest(encoding)
  return { body, headers: new Headers({ [header]: mac }) }
}
