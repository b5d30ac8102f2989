/** The one entry that the X402_* variables describe, where the product file lists no networks. */
import { getAddress } from 'viem'
import type { Variable } from '#kernel'
import {
  SETTLEMENT_ADDRESS,
  TEMPO_CHAIN_ID,
  TEMPO_CURRENCY,
  TEMPO_RECIPIENT,
  TEMPO_RPC_URL,
  X402_ASSET,
  X402_FACILITATOR_AUTH,
  X402_FACILITATOR_URL,
  X402_NETWORK,
  X402_RPC_URL,
  X402_SIGNER_KEY,
} from './variables.ts'
import { VARIABLE_NAMES, type EvmSettings, type TempoSettings } from './terms/settings.ts'

/** Names of the variables about an entry that are set. */
export function variablesThatAreSet(valueOf: <T>(variable: Variable<T>) => T): string[] {
  const texts = [SETTLEMENT_ADDRESS, X402_ASSET, X402_RPC_URL, X402_SIGNER_KEY]
  const set: Variable[] = texts.filter((variable) => valueOf(variable) !== null)
  if (valueOf(X402_FACILITATOR_URL).length > 0) set.push(X402_FACILITATOR_URL)
  return set.map(({ name }) => name)
}

export function entryOfVariables(valueOf: <T>(variable: Variable<T>) => T): EvmSettings {
  const credentials = valueOf(X402_FACILITATOR_AUTH)
  return {
    kind: 'evm',
    network: valueOf(X402_NETWORK),
    asset: valueOf(X402_ASSET),
    payTo: valueOf(SETTLEMENT_ADDRESS),
    rpcUrl: valueOf(X402_RPC_URL),
    signerKey: valueOf(X402_SIGNER_KEY),
    facilitators: valueOf(X402_FACILITATOR_URL).map((url, index) => ({
      url,
      auth: credentials[index] ?? '-',
    })),
    names: VARIABLE_NAMES,
  }
}

/** Of Tempo: its own chain, where USDC is bridged. */
const TEMPO_MAINNET = 4217
const TEMPO_USDC = '0x20C000000000000000000000b9537d11c60E8b50'
const PATH_USD = '0x20c0000000000000000000000000000000000000'

/** Null without a node of Tempo. */
export function tempoOfVariables(valueOf: <T>(variable: Variable<T>) => T): TempoSettings | null {
  const rpcUrl = valueOf(TEMPO_RPC_URL)
  if (rpcUrl === null) return null
  const chainId = Number(valueOf(TEMPO_CHAIN_ID))
  const usual = chainId === TEMPO_MAINNET ? TEMPO_USDC : PATH_USD
  return {
    rpcUrl,
    chainId,
    asset: getAddress(valueOf(TEMPO_CURRENCY) ?? usual),
    payTo: valueOf(TEMPO_RECIPIENT) ?? valueOf(SETTLEMENT_ADDRESS),
  }
}
