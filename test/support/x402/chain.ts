/** A local chain, its buyers and its wallets for tests of x402. */
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  http,
  numberToHex,
  padHex,
  parseAbi,
  parseSignature,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { resolveAsset, type Asset } from '../../../plugins/x402/terms/asset.ts'
import { anvilBinary } from '../../../plugins/x402/sandbox/anvil.ts'
import contracts from '../../../plugins/x402/sandbox/contracts.json' with { type: 'json' }
import { startSandboxChain, type SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { callData } from '../../../plugins/x402/chain/token.ts'
import { skipPart } from '../skips.ts'
import type { signPayment } from './payments.ts'

const TOKEN_ABI = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

/** Base and its USDC, as the sandbox has them. */
export function baseAsset(): Asset {
  const resolved = resolveAsset('eip155:8453', null)
  if (!resolved.ok) throw new Error(resolved.reason)
  return resolved.asset
}

/** A fresh local chain; throws with the reason where anvil cannot run. */
export async function testChain(): Promise<SandboxChain> {
  const started = await startSandboxChain(baseAsset())
  if (!started.ok) throw new Error(started.reason)
  return started.chain
}

/** Whether anvil cannot run here; then the end of the run says that this part was skipped. */
export function withoutChain(part: string): boolean {
  const anvil = anvilBinary()
  return !anvil.ok && skipPart(part, anvil.reason)
}

/** A new account with this much USDC. */
export async function buyerOn(
  chain: SandboxChain,
  amountAtomic = 10_000_000n,
): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, amountAtomic)
  return account
}

/** Asks the chain's node; throws what it refuses. */
export function rpc<T>(chain: SandboxChain, method: string, params: unknown[] = []): Promise<T> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  return client.request({ method: method as never, params: params as never }) as Promise<T>
}

/** Gives an address what it needs to send transactions of its own. */
export const giveGas = (chain: SandboxChain, address: Address): Promise<unknown> =>
  rpc(chain, 'anvil_setBalance', [address, toHex(10n ** 20n)])

/** A contract that takes its owner's signatures for its own (EIP-1271), and signs as its owner. */
export async function contractWallet(chain: SandboxChain): Promise<PrivateKeyAccount> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { address } = privateKeyToAccount(generatePrivateKey())
  await rpc(chain, 'anvil_setCode', [address, contracts.SandboxWallet.runtimeCode])
  const ownerSlot = [numberToHex(0, { size: 32 }), padHex(owner.address, { size: 32 })]
  await rpc(chain, 'anvil_setStorageAt', [address, ...ownerSlot])
  return { ...owner, address }
}

export interface TestWallet {
  account: PrivateKeyAccount
  send(call: { to: Address; data: Hex }): Promise<Hex>
  /** USDC, in atomic units. */
  transfer(to: Address, amountAtomic: bigint): Promise<Hex>
  /** Settles a payment that anybody signed by EIP-3009. */
  submit(payment: Awaited<ReturnType<typeof signPayment>>): Promise<Hex>
  /** Uses up an EIP-3009 nonce of its own without paying anybody. */
  cancel(nonce: Hex): Promise<Hex>
}

/** A wallet with gas; each of its transactions resolves with its hash once it was mined well. */
export async function walletOn(
  chain: SandboxChain,
  account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()),
): Promise<TestWallet> {
  await giveGas(chain, account.address)
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ chain: base, transport, pollingInterval: 20 })
  const wallet = createWalletClient({ account, chain: base, transport })
  const token = baseAsset().address
  async function send(call: { to: Address; data: Hex }): Promise<Hex> {
    const hash = await wallet.sendTransaction(call)
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was mined and failed`)
    return hash
  }
  return {
    account,
    send,
    transfer: (to, amountAtomic) => {
      const args = [to, amountAtomic] as const
      const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args })
      return send({ to: token, data })
    },
    submit: (payment) => send({ to: token, data: callData(payment as never) }),
    async cancel(nonce) {
      const message = { authorizer: account.address, nonce }
      const signature = await account.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: token },
        types: {
          CancelAuthorization: [
            { name: 'authorizer', type: 'address' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'CancelAuthorization',
        message,
      })
      const { r, s, yParity } = parseSignature(signature)
      const args = [account.address, nonce, 27 + yParity, r, s] as const
      const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args })
      return send({ to: token, data })
    },
  }
}
