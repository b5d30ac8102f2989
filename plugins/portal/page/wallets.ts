/**
 * Wallets of this browser: EIP-6963 (https://eips.ethereum.org/EIPS/eip-6963) finds them, EIP-1193
 * talks to them. The server writes what is signed; a wallet only signs.
 */

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

/** Calls `found` with all wallets that are known, each time another one announces itself. */
export function watchWallets(found: (wallets: readonly Wallet[]) => void): void {
  const known = new Map<string, Wallet>()
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announced>).detail ?? {}
    const { uuid, name, icon } = info ?? {}
    if (typeof uuid !== 'string' || typeof name !== 'string' || !provider) return
    known.set(uuid, { name: name.slice(0, NAME_CHARACTERS), icon: iconOf(icon), provider })
    found([...known.values()])
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  // A wallet of before EIP-6963, only where there is no other.
  setTimeout(() => {
    const { ethereum } = globalThis as { ethereum?: Provider }
    if (known.size === 0 && ethereum) {
      found([{ name: 'Wallet of this browser', icon: null, provider: ethereum }])
    } else found([...known.values()])
  }, ANSWERED_WITHIN_MS)
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

/** EIP-712 signature, on the chain of the typed data. */
export async function signTyped(
  wallet: Wallet,
  address: string,
  typed: { domain: { chainId: number } },
): Promise<string> {
  const { chainId } = typed.domain
  if ((await chainOf(wallet)) !== chainId) {
    await asked(wallet.provider, 'wallet_switchEthereumChain', [
      { chainId: `0x${chainId.toString(16)}` },
    ])
  }
  return String(
    await asked(wallet.provider, 'eth_signTypedData_v4', [address, JSON.stringify(typed)]),
  )
}

/** What a wallet refused; the message is for people. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
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
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
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
