/**
 * The token that buys calls: its address, decimals and EIP-712 domain. The domain's name differs by
 * chain for the same token ("USD Coin" on Base, "USDC" on Base Sepolia), so it comes from the
 * table of @x402/evm and is compared with the contract at boot.
 */
import { findDefaultAsset, getDefaultAsset } from '@x402/evm'
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { getAddress, isAddress, type Address } from 'viem'
import type { Token, TransferMethod } from './token.ts'
import type { EvmSettings } from './settings.ts'

/** A token on a network, as offers and signatures name it. */
export interface Asset {
  /** CAIP-2: 'eip155:8453'. */
  network: `${string}:${string}`
  chainId: number
  /** Name of the network in x402 version 1 ('base'), or the CAIP-2 text where it has none. */
  networkV1: string
  address: Address
  decimals: number
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
  return { ok: true, asset: assetWith(caip, known.asset, known, known) }
}

/** The token of an entry: what the operator says of it, and else what @x402/evm knows. */
export function assetOf(
  settings: EvmSettings,
): { ok: true; asset: Asset } | { ok: false; reason: string } {
  const { network, asset: address, token } = settings
  if (!token) return resolveAsset(network, address)
  if (address !== null && !isAddress(address, { strict: false })) {
    return { ok: false, reason: `${settings.names.asset} is no address` }
  }
  const chainId = Number(network.split(':')[1])
  const caip = `eip155:${chainId}` as const
  const known = address === null ? defaultAsset(caip) : findDefaultAsset(address, caip)
  const decimals = token.decimals ?? known?.decimals
  const name = token.name ?? known?.name
  const version = token.version ?? known?.version
  const found = address ?? known?.asset
  if (decimals === undefined || name === undefined || version === undefined || !found) {
    const where = found === undefined ? '' : ` at ${found}`
    return {
      ok: false,
      reason: `no x402 token is known on ${network}${where}: asset, decimals, name and version are needed`,
    }
  }
  return { ok: true, asset: assetWith(caip, found, { decimals, name, version }, known) }
}

/** `known` is what @x402/evm says of the token; undefined: nothing. */
function assetWith(
  network: `eip155:${number}`,
  address: string,
  { decimals, name, version }: Pick<Asset, 'decimals' | 'name' | 'version'>,
  known: { assetTransferMethod?: string | undefined } | undefined,
): Asset {
  const chainId = Number(network.slice('eip155:'.length))
  return {
    network,
    chainId,
    networkV1: networkV1Of(chainId),
    address: getAddress(address),
    decimals,
    name,
    version,
    method: known?.assetTransferMethod === 'permit2' ? 'permit2' : 'eip3009',
  }
}

/** Name of a chain in x402 version 1, or its CAIP-2 text where it has none. */
export function networkV1Of(chainId: number): string {
  const known = Object.entries(EVM_NETWORK_CHAIN_ID_MAP).find(([, id]) => id === chainId)
  return known?.[0] ?? `eip155:${chainId}`
}

/** The same with its receiver, in the terms that all kinds of networks have. */
export function tokenOf(asset: Asset, payTo: string): Token {
  const { network, networkV1, chainId, address, decimals, name, version, method } = asset
  // A token that moves by Permit2 alone takes no authorization of its own.
  const domain = method === 'eip3009' ? { name, version } : null
  return { kind: 'evm', network, networkV1, chainId, asset: address, decimals, domain, payTo }
}

function defaultAsset(network: `${string}:${string}`) {
  try {
    return getDefaultAsset(network)
  } catch {
    return undefined
  }
}
