/**
 * The sandbox's stand-in for a provider whose secrets are not set: its checkouts are paid by
 * `coinop trigger charge.success`, so that an operator can rehearse everything without an account.
 * Its secret is made anew at each start and never leaves the process.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Callback, Lookup, Paid, Provider, ProviderId } from './contract.ts'
import { providerA } from './provider-a.ts'
import { providerB } from './provider-b.ts'
import type { GuardedFetch } from '#kernel'

export interface SimulatedProvider extends Provider {
  /** Pays a checkout as a buyer would and returns the signed callback the provider would send. */
  pay(reference: string): { body: Uint8Array; headers: Headers } | null
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
  return {
    id,
    configured: true,
    async initialize(order) {
      checkouts.set(order.reference, {
        reference: order.reference,
        currency: order.currency,
        amountMinor: order.amountMinor,
        chargeId: String(BigInt(`0x${randomBytes(6).toString('hex')}`)),
        status: 'unpaid',
        mode: 'test',
      })
      return {
        ok: true,
        authorizationUrl: `${publicUrl}/v1/credits/topup/success?reference=${order.reference}&simulated=true`,
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
    async lookUpReversals() {
      return { ok: true, reversals: [] }
    },
    pay(reference) {
      const checkout = checkouts.get(reference)
      if (!checkout) return null
      checkout.status = 'paid'
      return signedCallback(id, secret, checkout)
    },
  }
}

function signedCallback(
  id: ProviderId,
  secret: string,
  paid: Paid,
): { body: Uint8Array; headers: Headers } {
  const event =
    id === 'provider_a'
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
  const body = new TextEncoder().encode(JSON.stringify(event))
  const headers =
    id === 'provider_a'
      ? new Headers({
          'x-paystack-signature': createHmac('sha512', secret).update(body).digest('hex'),
        })
      : new Headers({
          'flutterwave-signature': createHmac('sha256', secret).update(body).digest('base64'),
        })
  return { body, headers }
}
