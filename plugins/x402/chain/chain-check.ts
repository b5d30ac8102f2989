/**
 * Checks at the start what a wrong setting would otherwise show only in refused payments: chain id,
 * code at the asset's address, its EIP-712 domain, the settlement address. A node that does not answer
 * is asked again; a wrong setting closes the rail until it is corrected.
 */
import { getAddress, isAddress, type Address } from 'viem'
import type { Asset } from '../terms/asset.ts'
import type { SettingNames } from '../terms/settings.ts'
import type { Chain } from './chain.ts'
import { messageOf } from './node-errors.ts'
import { TOKEN_ABI } from './token.ts'
import { domainSeparator } from '../payment/digests.ts'

export type BootCheck =
  | { state: 'ok' }
  /** The configuration disagrees with the chain. */
  | { state: 'wrong'; reason: string }
  /** The node gave no answer. */
  | { state: 'unreachable'; reason: string }

/** The settlement address with its checksum; mixed case with a wrong checksum is a typing error. */
export function settlementAddress(
  text: string,
  name = 'SETTLEMENT_ADDRESS',
): { ok: true; address: Address } | { ok: false; reason: string } {
  const lower = text.toLowerCase()
  if (!isAddress(lower)) return { ok: false, reason: `${name} ${text} is no address` }
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && !isAddress(text)) {
    return {
      ok: false,
      reason: `${name} ${text} has a wrong checksum (EIP-55); is a digit mistyped? The right one for these digits is ${getAddress(lower)}`,
    }
  }
  const address = getAddress(lower)
  if (BigInt(address) === 0n) return { ok: false, reason: `${name} is the zero address` }
  return { ok: true, address }
}

/** Compares the node and the token with the configuration. Never throws. */
export async function checkChain(
  chain: Chain,
  asset: Asset,
  names: SettingNames,
): Promise<BootCheck> {
  const { client } = chain
  try {
    const chainId = await client.getChainId()
    if (chainId !== asset.chainId) {
      return wrong(`${names.rpc} is chain ${chainId}, ${names.network} says ${asset.network}`)
    }
    const code = await client.getCode({ address: asset.address })
    if (code === undefined || code === '0x') {
      return wrong(
        `there is no contract at the asset's address ${asset.address} on ${asset.network}`,
      )
    }
  } catch (error) {
    return { state: 'unreachable', reason: `${names.rpc}: ${messageOf(error)}` }
  }
  return asset.method === 'permit2' ? checkPermit2(chain, asset, names) : checkDomain(chain, asset)
}

/** A token that moves by Permit2 alone: its decimals, and the contracts that move it. */
async function checkPermit2(chain: Chain, asset: Asset, names: SettingNames): Promise<BootCheck> {
  try {
    const [decimals, isDeployed] = await Promise.all([
      chain.client.readContract({
        address: asset.address,
        abi: TOKEN_ABI,
        functionName: 'decimals',
      }),
      chain.permit2.isDeployed('exact'),
    ])
    if (decimals !== asset.decimals) return wrongDecimals(asset, decimals)
    if (isDeployed) return { state: 'ok' }
  } catch (error) {
    return { state: 'unreachable', reason: `${names.rpc}: ${messageOf(error)}` }
  }
  return wrong(`Permit2 or its x402 proxy is not on ${asset.network}, and ${asset.name} needs it`)
}

async function checkDomain(chain: Chain, asset: Asset): Promise<BootCheck> {
  const { client } = chain
  const contract = { address: asset.address, abi: TOKEN_ABI } as const
  const [separator, name, version, decimals] = await Promise.allSettled([
    client.readContract({ ...contract, functionName: 'DOMAIN_SEPARATOR' }),
    client.readContract({ ...contract, functionName: 'name' }),
    client.readContract({ ...contract, functionName: 'version' }),
    client.readContract({ ...contract, functionName: 'decimals' }),
  ])
  if (decimals.status === 'fulfilled' && decimals.value !== asset.decimals) {
    return wrongDecimals(asset, decimals.value)
  }
  if (separator.status === 'fulfilled' && separator.value === domainSeparator(asset)) {
    return { state: 'ok' }
  }
  const found = `"${name.status === 'fulfilled' ? name.value : '?'}" version "${version.status === 'fulfilled' ? version.value : '?'}"`
  const configured = `"${asset.name}" version "${asset.version}"`
  if (separator.status === 'fulfilled') {
    return wrong(
      `the EIP-712 domain of ${asset.address} is not ${configured}: the token calls itself ${found}`,
    )
  }
  // Some tokens have no DOMAIN_SEPARATOR(): their name and version are compared instead.
  const agrees =
    name.status === 'fulfilled' &&
    name.value === asset.name &&
    (version.status === 'rejected' || version.value === asset.version)
  if (agrees) return { state: 'ok' }
  if (name.status === 'fulfilled')
    return wrong(`the token calls itself ${found}, expected ${configured}`)
  return {
    state: 'unreachable',
    reason: `the asset did not answer: ${messageOf(separator.reason)}`,
  }
}

function wrongDecimals(asset: Asset, found: number): BootCheck {
  return wrong(`the asset ${asset.address} has ${found} decimals, not ${asset.decimals}`)
}

function wrong(reason: string): BootCheck {
  return { state: 'wrong', reason }
}
