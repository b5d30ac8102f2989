/**
 * Pays a 402 with the wallet of a page's visitor (EIP-1193): the typed data of EIP-3009 is signed by
 * the wallet, and no key is ever seen here. x402 version 2, scheme `exact`.
 */
import { accountOf, signTyped, useChain, walletsHere } from '../../shared/pages/wallets.ts'
import { TRANSFER_TYPES } from '../../shared/payments/transfer-types.ts'

interface Requirements {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name?: string; version?: string; assetTransferMethod?: string; paymentFlow?: string }
}
interface Challenge {
  resource: unknown
  accepts: Requirements[]
}

/** The header that pays for `unpaid`; throws, for people, where there is no wallet or no offer for it. */
export async function pay(
  unpaid: Response,
  body: unknown,
  say: (step: string) => void,
  choose: (question: string, options: readonly string[]) => Promise<number>,
): Promise<Record<string, string>> {
  const wallets = await walletsHere()
  const [only] = wallets
  if (!only) throw new Error('there is no wallet in this browser; a key needs none')
  const header = unpaid.headers.get('payment-required')
  const challenge = header === null ? null : decoded<Challenge>(header)
  const accepted = challenge?.accepts.find(
    ({ scheme, network, extra }) =>
      scheme === 'exact' &&
      network.startsWith('eip155:') &&
      extra.assetTransferMethod !== 'permit2',
  )
  if (!challenge || !accepted) throw new Error('x402 offers nothing that a wallet can sign here')
  say(`Asked: ${priceIn(body)} USDC on ${accepted.network}, to ${accepted.payTo}`)
  const names = wallets.map(({ name }) => name)
  const wallet = wallets.length === 1 ? only : wallets[await choose('With which wallet?', names)]!
  say(`Waiting for ${wallet.name} …`)
  const from = await accountOf(wallet)
  const chainId = Number(accepted.network.split(':')[1])
  // Before the payment's time begins to run out.
  await useChain(wallet, chainId)
  const authorization = {
    from,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
    nonce: `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
  const typed = {
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: accepted.extra.name,
      version: accepted.extra.version,
      chainId,
      verifyingContract: accepted.asset,
    },
    message: authorization,
  }
  const signature = await signTyped(wallet, from, typed)
  const isUpfront = accepted.extra.paymentFlow === 'upfront'
  say(`Signed. No transfer has happened yet: it ${isUpfront ? 'precedes' : 'follows'} the work.`)
  const payment = {
    x402Version: 2,
    resource: challenge.resource,
    accepted,
    payload: { signature, authorization },
  }
  return {
    'payment-signature': btoa(
      String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payment))),
    ),
  }
}

/** Dollars, by the body of the 402: tokens have decimals of their own, which no offer tells. */
function priceIn(body: unknown): number {
  const { problem, error } = body as Record<'problem' | 'error', Explained | undefined>
  return Number((problem ?? error)?.details?.priceUsdcAtomic) / 1e6
}

interface Explained {
  details?: { priceUsdcAtomic?: string }
}

interface Progress {
  state: 'held' | 'transferring' | 'transferred' | 'given_back'
  transaction: string | null
  ledger: { id: string; kind: string; amountUsdcAtomic: number }[]
}

const POLL_MS = 300

/**
 * Tells how the payment of the call `requestId` goes on, each step once and as soon as it is known: the
 * hold, the transfer, the row in the ledger. `end` resolves once the last of them is told.
 */
export function watch(
  headers: Record<string, string>,
  requestId: string,
  say: (step: string) => void,
): { end(): Promise<void> } {
  let said = 0
  const over = new AbortController()
  const look = async (): Promise<void> => {
    const response = await fetch('/v1/x402/progress', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requestId, paymentSignature: headers['payment-signature'] }),
      credentials: 'omit',
      cache: 'no-store',
    })
    if (!response.ok) return
    const steps = stepsOf((await response.json()) as Progress)
    for (const step of steps.slice(said)) say(step)
    said = Math.max(said, steps.length)
  }
  const looking = (async () => {
    while (!over.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      // One that fails is no news: the next one tells the same.
      if (!over.signal.aborted) await look().catch(() => undefined)
    }
  })()
  return {
    async end() {
      over.abort()
      await looking
      await look().catch(() => undefined)
    },
  }
}

function stepsOf({ state, transaction, ledger }: Progress): string[] {
  const held = 'Held: the payment is claimed for this call, and nothing has moved'
  if (state === 'held') return [held]
  if (state === 'given_back') return [held, 'Given back: nothing was transferred.']
  const steps = [held, 'The transfer is under way']
  if (state === 'transferring') return steps
  return [
    ...steps,
    `Transferred: transaction ${transaction ?? ''}`,
    ...ledger.map(
      ({ id, kind, amountUsdcAtomic }) =>
        `In the ledger: ${kind} of ${amountUsdcAtomic / 1e6} USDC, row ${id}`,
    ),
  ]
}

function decoded<T>(header: string): T {
  const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as T
}
