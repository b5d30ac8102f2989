/**
 * The sandbox's own chain: anvil with a USDC-like token at the network's usual address, Permit2 and
 * its x402 proxies at theirs, so that an unmodified x402 client pays from the first minute. It starts
 * empty at every boot: nothing on it is worth keeping, and settlements left over from an earlier one
 * are given up (see `ref`).
 */
import {
  createTestClient,
  encodeAbiParameters,
  http,
  keccak256,
  maxUint256,
  numberToHex,
  padHex,
  publicActions,
  stringToHex,
  type Address,
  type Hex,
} from 'viem'
import { newId } from '#kernel'
import { unitsOf } from '../terms/prices.ts'
import type { Asset } from '../terms/asset.ts'
import { PERMIT2, PROXY } from '../payment/permit2.ts'
import { domainSeparator } from '../payment/digests.ts'
import { directFetch } from '../settle/endpoint-fetch.ts'
import { TOKEN_ABI } from '../chain/token.ts'
import { startAnvil } from './anvil.ts'
import contracts from './contracts.json' with { type: 'json' }
import { GAS_WALLET, RECEIVING_WALLET, TEST_WALLET, type SandboxWallet } from './wallets.ts'

export interface SandboxChain {
  rpcUrl: string
  /** Mark of this very chain; the next boot's chain has another. */
  ref: string
  /** For X402_SIGNER_KEY. */
  signerKey: Hex
  /** For SETTLEMENT_ADDRESS when the operator has none. */
  receivingAddress: Address
  /** Holds sandbox USDC, for buyers. */
  testWallet: SandboxWallet
  /** Gives an address this much sandbox USDC, in atomic units, and lets Permit2 move all of it. */
  fund(address: Address, amountAtomic: bigint): Promise<void>
  /** Lets Permit2 move this much of an address's sandbox USDC. */
  allowPermit2(address: Address, amountAtomic: bigint): Promise<void>
  /** Balance of sandbox USDC in atomic units. */
  balanceOf(address: Address): Promise<bigint>
  /** Resolves with anvil's exit code, also when it dies by itself. */
  exited: Promise<number>
  stop(): Promise<void>
}

export type SandboxStart = { ok: true; chain: SandboxChain } | { ok: false; reason: string }

/** Storage slots of sandbox-token.sol. */
const SLOT = { balances: 0n, allowances: 1n, name: 3n, version: 4n, decimals: 6n } as const
const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** A thousand dollars: x402 clients pay at most one dollar a call by default. */
const TEST_BALANCE_ATOMIC = 1_000_000_000n

/** Starts the chain for `asset`; a reason when anvil cannot run here, or `signal` ended its start. */
export async function startSandboxChain(asset: Asset, signal?: AbortSignal): Promise<SandboxStart> {
  const started = await startAnvil(asset.chainId, { signal })
  if (!started.ok) return started
  const { anvil } = started
  try {
    const client = createClientOf(anvil.rpcUrl)
    const setSlot = (address: Address, index: Hex, value: Hex) =>
      client.setStorageAt({ address, index, value })
    const allowPermit2 = async (address: Address, amountAtomic: bigint): Promise<void> => {
      const slot = memberSlot(PERMIT2, memberSlot(address, numberToHex(SLOT.allowances)))
      await setSlot(asset.address, slot, numberToHex(amountAtomic, { size: 32 }))
    }
    const fund = async (address: Address, amountAtomic: bigint): Promise<void> => {
      const slot = memberSlot(address, numberToHex(SLOT.balances))
      await setSlot(asset.address, slot, numberToHex(amountAtomic, { size: 32 }))
      await allowPermit2(address, maxUint256)
    }
    const planted: [Address, { runtimeCode: string }][] = [
      [asset.address, contracts.SandboxToken],
      [MULTICALL3, contracts.SandboxMulticall],
      [PERMIT2, contracts.SandboxPermit2],
      [PROXY.exact, contracts.SandboxExactPermit2Proxy],
      [PROXY.upto, contracts.SandboxUptoPermit2Proxy],
    ]
    for (const [address, { runtimeCode }] of planted) {
      await client.setCode({ address, bytecode: runtimeCode as Hex })
    }
    await setSlot(asset.address, numberToHex(SLOT.name, { size: 32 }), shortString(asset.name))
    await setSlot(
      asset.address,
      numberToHex(SLOT.version, { size: 32 }),
      shortString(asset.version),
    )
    await setSlot(
      asset.address,
      numberToHex(SLOT.decimals, { size: 32 }),
      numberToHex(asset.decimals, { size: 32 }),
    )
    await fund(TEST_WALLET.address, unitsOf(asset.decimals, TEST_BALANCE_ATOMIC))
    const contract = { address: asset.address, abi: TOKEN_ABI } as const
    const separator = await client.readContract({ ...contract, functionName: 'DOMAIN_SEPARATOR' })
    if (separator !== domainSeparator(asset)) {
      throw new Error('the planted token has another EIP-712 domain than its asset')
    }
    return {
      ok: true,
      chain: {
        rpcUrl: anvil.rpcUrl,
        ref: newId(),
        signerKey: GAS_WALLET.privateKey,
        receivingAddress: RECEIVING_WALLET.address,
        testWallet: TEST_WALLET,
        fund,
        allowPermit2,
        balanceOf: (address) =>
          client.readContract({ ...contract, functionName: 'balanceOf', args: [address] }),
        exited: anvil.exited,
        stop: () => anvil.stop(),
      },
    }
  } catch (error) {
    await anvil.stop()
    return {
      ok: false,
      reason: `the sandbox chain could not be prepared: ${(error as Error).message}`,
    }
  }
}

function createClientOf(rpcUrl: string) {
  return createTestClient({
    mode: 'anvil',
    transport: http(rpcUrl, { fetchFn: directFetch }),
  }).extend(publicActions)
}

/** Where Solidity keeps the member of a mapping at `slot`. */
function memberSlot(key: Address, slot: Hex): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, padHex(slot)]),
  )
}

/** A string of at most 31 bytes as Solidity stores it: the bytes left, twice their number right. */
function shortString(text: string): Hex {
  const bytes = stringToHex(text)
  const length = (bytes.length - 2) / 2
  if (length > 31) throw new Error(`'${text}' is longer than 31 bytes`)
  return `0x${padHex(bytes, { size: 31, dir: 'right' }).slice(2)}${(length * 2).toString(16).padStart(2, '0')}`
}
