/**
 * Wallets of this browser: EIP-6963 (https://eips.ethereum.org/EIPS/eip-6963) finds them, EIP-1193
 * talks to them. The server writes what is signed; a wallet only signs.
 */

import { InputError } from './api.ts'
import { GivenUp } from './give-up.ts'

interface Provider {
  request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export interface Wallet {
  /** Chosen by the wallet: a text like any other. */
  name: string
  /** A data URI of an image, or null. */
  icon: string | null
  provider: Provider
}

interface Announced {
  info?: { uuid?: unknown; name?: unknown; icon?: unknown }
  provider?: Provider
}

const ANSWERED_WITHIN_MS = 300
const NAME_CHARACTERS = 60
const ICON_CHARACTERS = 100_000
const ICON = /^data:image\/[a-z+.-]+[;,]/

/**
 * Calls `found` with all wallets that are known, each time another one announces itself, until `over`
 * is aborted.
 */
export function watchWallets(
  found: (wallets: readonly Wallet[]) => void,
  over?: AbortSignal,
): void {
  const known = new Map<string, Wallet>()
  const announced = (event: Event): void => {
    const { info, provider } = (event as CustomEvent<Announced>).detail ?? {}
    const { uuid, name, icon } = info ?? {}
    if (typeof uuid !== 'string' || typeof name !== 'string' || !provider) return
    // A script that runs twice in a page announces its wallet under two ids.
    for (const [id, other] of known) if (other.provider === provider) known.delete(id)
    known.set(uuid, { name: name.slice(0, NAME_CHARACTERS), icon: iconOf(icon), provider })
    found([...known.values()])
  }
  addEventListener('eip6963:announceProvider', announced, over && { signal: over })
  dispatchEvent(new Event('eip6963:requestProvider'))
  // A wallet of before EIP-6963, only where there is no other.
  setTimeout(() => {
    if (over?.aborted) return
    const { ethereum } = globalThis as { ethereum?: Provider }
    if (known.size === 0 && ethereum) {
      found([{ name: 'Wallet of this browser', icon: null, provider: ethereum }])
    } else found([...known.values()])
  }, ANSWERED_WITHIN_MS)
}

/** The wallets that announce themselves at once. */
export async function walletsHere(): Promise<readonly Wallet[]> {
  const over = new AbortController()
  const found = await new Promise<readonly Wallet[]>((resolve) => {
    let all: readonly Wallet[] = []
    watchWallets((wallets) => (all = wallets), over.signal)
    setTimeout(() => resolve(all), ANSWERED_WITHIN_MS)
  })
  over.abort()
  return found
}

/** The account that the person lets this page use. */
export async function accountOf({ provider }: Wallet): Promise<string> {
  const accounts = await asked(provider, 'eth_requestAccounts')
  const [first] = Array.isArray(accounts) ? (accounts as unknown[]) : []
  if (typeof first !== 'string') throw new WalletError('The wallet gave no account.')
  return first
}

export async function chainOf({ provider }: Wallet): Promise<number> {
  return Number(await asked(provider, 'eth_chainId'))
}

/** EIP-191 signature of a text. */
export async function signText(wallet: Wallet, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)]
  const hex = `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return String(await asked(wallet.provider, 'personal_sign', [hex, address]))
}

/** Wallets sign only for the chain that they are on. */
export async function useChain(wallet: Wallet, chainId: number): Promise<void> {
  if ((await chainOf(wallet)) === chainId) return
  const wanted = { chainId: `0x${chainId.toString(16)}` }
  await asked(wallet.provider, 'wallet_switchEthereumChain', [wanted])
}

/** EIP-712 signature, on the chain of the typed data. */
export async function signTyped(
  wallet: Wallet,
  address: string,
  typed: { domain: { chainId: number } },
): Promise<string> {
  await useChain(wallet, typed.domain.chainId)
  return String(
    await asked(wallet.provider, 'eth_signTypedData_v4', [address, JSON.stringify(typed)]),
  )
}

/** What a wallet refused. */
class WalletError extends InputError {}

interface Refused {
  code?: unknown
  message?: unknown
  data?: { originalError?: { code?: unknown } }
}

/** EIP-1193: the person said no. EIP-3326: the wallet does not know the chain. */
const REFUSED = 4001
const UNKNOWN_CHAIN = 4902

async function asked(
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    if (error instanceof GivenUp) throw error
    const { message, data, ...refused } = (error ?? {}) as Refused
    // Wallets on telephones wrap what they refuse.
    const code = data?.originalError?.code ?? refused.code
    if (code === REFUSED) throw new WalletError('You said no in the wallet.')
    if (code === UNKNOWN_CHAIN) {
      throw new WalletError('The wallet does not know this network: add it there and try again.')
    }
    throw new WalletError(`The wallet refused: ${String(message ?? error).slice(0, 200)}`)
  }
}

function iconOf(icon: unknown): string | null {
  if (typeof icon !== 'string' || icon.length > ICON_CHARACTERS) return null
  return ICON.test(icon) ? icon : null
}
