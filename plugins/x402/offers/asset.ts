/**
 * The token that buys calls: its address, decimals and EIP-712 domain. The domain's name differs by
 * chain for the same token ("USD Coin" on Base, "USDC" on Base Sepolia), so it comes from the
 * table of @x402/evm and is compared with the contract at boot.
 */
import { findDefaultAsset, getDefaultAsset } from '@x402/evm'
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { getAddress, isAddress, type Address } from 'viem'
import type { TransferMethod } from '../payment/wire.ts'

/** A token on a network, as offers and signatures name it. */
export interface Asset {
  /** CAIP-2: 'eip155:8453'. */
  network: `${string}:${string}`
  chainId: number
  /** Name of the network in x402 version 1 ('base'), or the CAIP-2 text where it has none. */
  networkV1: string
  address: Address
  /** EIP-712 domain name and version of the token. */
  name: string
  version: string
  /** How its money is moved unless the offer says otherwise; 'permit2' where it has no EIP-3009. */
  method: TransferMethod
}

/**
 * The asset of a network: its USDC, or `address` when the operator names another token that
 * @x402/evm knows there. A problem text when it is unknown or has not 6 decimals.
 */
export function resolveAsset(
  network: string,
  address: string | null,
): { ok: true; asset: Asset } | { ok: false; reason: string } {
  const [namespace, reference] = network.split(':')
  const chainId = Number(reference)
  if (namespace !== 'eip155' || !Number.isSafeInteger(chainId)) {
    return { ok: false, reason: `X402_NETWORK ${network} is no EVM network` }
  }
  const caip = `eip155:${chainId}` as const
  if (address !== null && !isAddress(address, { strict: false })) {
    return { ok: false, reason: `X402_ASSET ${address} is no address` }
  }
  const known = address === null ? defaultAsset(caip) : findDefaultAsset(address, caip)
  if (!known) {
    return {
      ok: false,
      reason: `no x402 token is known on ${network}${address === null ? '' : ` at ${address}`}`,
    }
  }
  if (known.decimals !== 6) {
    return {
      ok: false,
      reason: `${known.symbol} on ${network} has ${known.decimals} decimals, not 6`,
    }
  }
  const networkV1 = Object.entries(EVM_NETWORK_CHAIN_ID_MAP).find(([, id]) => id === chainId)?.[0]
  return {
    ok: true,
    asset: {
      network: caip,
      chainId,
      networkV1: networkV1 ?? caip,
      address: getAddress(known.asset),
      name: known.name,
      version: known.version,
      method: known.assetTransferMethod === 'permit2' ? 'permit2' : 'eip3009',
    },
  }
}

function defaultAsset(network: `${string}:${string}`) {
  try {
    return getDefaultAsset(network)
  } catch {
    return undefined
  }
}
