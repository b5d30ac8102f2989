/** What a caller may expect: accounts, keys, and what was bought with them. Sums are atomic. */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { GatewayProcess } from '../../support/gateway.ts'

/** Atomic units of a credit. */
const ATOMIC = 10_000

export const atomicOf = (credits: number): number => Math.round(credits * ATOMIC)
export const creditsOf = (atomic: number): number => atomic / ATOMIC

export interface Plan {
  id: string
  /** Null: only the operator gives it. */
  price: number | null
  monthly: number
  hashPrice: number
  freeEchoes: number
}
/** List prices of the skills that sequences buy. */
export const HASH_PRICE = atomicOf(2)
export const ECHO_PRICE = atomicOf(1)
export const FORWARD_PRICE = atomicOf(0.01)
export const PLANS: readonly Plan[] = [
  { id: 'starter', price: atomicOf(5), monthly: atomicOf(6), hashPrice: atomicOf(1), freeEchoes: 3 },
  { id: 'pro', price: atomicOf(12), monthly: 0, hashPrice: atomicOf(0.5), freeEchoes: 0 },
  { id: 'partner', price: null, monthly: atomicOf(4), hashPrice: HASH_PRICE, freeEchoes: 1 },
] // prettier-ignore
/** The same as a product file. */
export const PLANS_FILE = `product_id: plans
base_path: /v1/plans
plugin: plans
metered: false
config:
  plans:
${PLANS.map(
  ({ id, price, monthly, hashPrice, freeEchoes }) => `    ${id}:
      ${price === null ? '' : `price: { credits: ${creditsOf(price)} }`}
      ${monthly === 0 ? '' : `monthly_credits: ${creditsOf(monthly)}`}
      prices: { demo.hash: { credits: ${creditsOf(hashPrice)} } }
      ${freeEchoes === 0 ? '' : `free: { demo.echo: ${freeEchoes}/day }`}
`,
).join('')}`

export interface Account {
  id: string
  available: number
  held: number
  isClosed: boolean
  /** The plan whose prices and free calls hold now: that of its subscription, while that is paid. */
  plan: Plan | null
  subscription: Subscription | null
  /** Free calls that its plan has given today. */
  freeEchoes: number
  /** What its calls captured since the month of its subscription began. */
  monthSpent: number
}
/** A plan that an account has until it ends. */
export interface Subscription {
  id: string
  plan: Plan
  /** No month of it costs anything. */
  isGiven: boolean
  /** Of the month that runs: 1 is the first. */
  turn: number
  /** What was held of the month before as it ended. */
  carried: number
  state: 'active' | 'past_due'
  /** It ends with its month. */
  isCancelled: boolean
}
/** Null: no limit. No sequence counts that went over midnight, so that a day and a month are the same. */
export interface Caps {
  call: number | null
  day: number | null
  month: number | null
}
export const NO_CAPS: Caps = { call: null, day: null, month: null }

export type Product = 'demo' | 'webinfra'
export interface Key {
  id: string
  secret: string
  account: Account
  isRevoked: boolean
  caps: Caps
  productCaps: Map<string, Caps>
  /** The products that it may buy; null: all. */
  products: readonly string[] | null
  spent: Record<Product, number>
}
/** What an app may spend: a key without a secret, for which the app's tokens stand. */
export interface Grant {
  key: Key
  /** The key in whose session it was made, and with which it ends. */
  parent: Key
  accessToken: string
  refreshToken: string
  /** Of two that were made at the same moment nobody tells which has which id. */
  hasKnownId: boolean
}
export interface Hold {
  id: string
  requestId: string
  key: Key
  amount: number
  state: 'authorized' | 'captured' | 'released' | 'refunded'
}
/** An answered call, or a captured hold, that may be refunded. */
export interface Charge {
  requestId: string
  key: Key
  amount: number
  isRefunded: boolean
  /** The month in which it was captured: the account's subscription and its turn. */
  month: string
}
/** A call that an Idempotency-Key names, with its answer. */
export interface Kept {
  key: Key
  product: Product
  path: string
  headers: Record<string, string>
  body: object
  answer: string
  /** Whether the same call is still taken. */
  isOpen?: () => boolean
}
export interface Topup {
  reference: string
  /** Where it was paid: the simulated provider is in that process. */
  at: GatewayProcess
  key: Key
  amount: number
  provider: 'a' | 'b'
  /** The first reversal decides what later ones may do. */
  reversal: 'refund' | 'dispute' | 'won' | null
  taken: number
}
export interface Endpoint {
  id: string
  owner: Key
  destinationId: string
  /** What the destination calls itself. */
  destinationName: string
  /** The secrets by which the gateway signs what it sends there. */
  signs: readonly string[]
  /** By which its senders sign; null: any key may send. */
  secret: string | null
  /**
   * What its destination does: takes everything, fails the first time, or is gone (410), which
   * disables it.
   */
  destination: 'takes' | 'flaky' | 'gone' | 'disabled'
  isDeleted: boolean
}
export interface Delivery {
  id: string
  /** What its sender calls it. */
  name: string
  endpoint: Endpoint
  payer: Key
  /** Its sender had no key. */
  isSigned: boolean
}

/** A wallet that pays each call in USDC, which it has so much of. */
export interface Payer {
  wallet: PrivateKeyAccount
  usdc: number
}
/** A payment that was answered, and how the same request is sent again. */
export interface Paid {
  path: string
  headers: Record<string, string>
  body: object
  answer: string
}

export const monthOf = ({ subscription }: Account): string =>
  `${subscription?.id} ${subscription?.turn}`
export const totalSpent = ({ spent }: Key): number => spent.demo + spent.webinfra
export const isFor = ({ products }: Key, product: string): boolean =>
  products?.includes(product) ?? true

/** What the budgets of the key leave for one purchase of the product. */
export function leftFor(key: Key, product: string): number {
  const whole = leftOf(key.caps, totalSpent(key))
  const spent = product in key.spent ? key.spent[product as Product] : 0
  return Math.min(whole, leftOf(key.productCaps.get(product) ?? NO_CAPS, spent))
}

function leftOf({ day, month }: Caps, spent: number): number {
  return Math.min(day ?? Infinity, month ?? Infinity) - spent
}

function callCap(key: Key, product: string): number {
  const of = ({ call }: Caps): number => call ?? Infinity
  return Math.min(of(key.caps), of(key.productCaps.get(product) ?? NO_CAPS))
}

/** What the key's own limits leave now; a day or month may be overdrawn, by a limit that came later. */
export function leftOfKey(key: Key): Caps {
  const { call, day, month } = key.caps
  const rest = (most: number | null) => (most === null ? null : most - totalSpent(key))
  return { call, day: rest(day), month: rest(month) }
}

/** How many purchases of this price the key can make now. */
export function affordable(key: Key, product: Product, amount: number): number {
  if (!canBuy(key, product) || amount > callCap(key, product)) return 0
  const left = Math.min(key.account.available, leftFor(key, product))
  return Math.max(0, Math.floor(left / amount))
}

/** Whether it may buy of the product at all, whatever it can pay. */
export function canBuy(key: Key, product: Product): boolean {
  return !key.isRevoked && !key.account.isClosed && isFor(key, product)
}

/** Whether a single purchase of the amount is within every budget, whatever the balance is. */
export function allows(key: Key, product: string, amount: number): boolean {
  return amount <= Math.min(leftFor(key, product), callCap(key, product))
}
