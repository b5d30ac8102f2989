/** The environment variables of the x402 rail, and which of them contradict each other. */
import {
  flag,
  isHttpUrl,
  list,
  optional,
  optionalUrl,
  text,
  type SetupFinding,
  type Variable,
  type VariableProblem,
  type VariableValues,
} from '#kernel'
import { isFacilitatorAuth } from './settle/facilitator-auth.ts'

const isAddress = (value: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(value)

/** Whether a sandbox without a node of its own starts a local chain. */
export const SANDBOX_CHAIN = flag('SANDBOX_CHAIN', true, { after: 'COINOP_MASTER_KEY' })

/** Where payments go. */
export const SETTLEMENT_ADDRESS = optional('SETTLEMENT_ADDRESS', {
  expected: 'an EVM address, 0x and 40 hex digits',
  example: '0x1111111111111111111111111111111111111111',
  accepts: isAddress,
  endsSandbox: true,
  after: 'SANDBOX',
})
export const X402_NETWORK = text('X402_NETWORK', {
  expected: 'a CAIP-2 EVM network',
  example: 'eip155:8453',
  fallback: 'eip155:8453',
  accepts: (value) => /^eip155:[1-9]\d{0,17}$/.test(value),
  after: 'SETTLEMENT_ADDRESS',
})
/** The token that is taken; null: USDC of the network. */
export const X402_ASSET = optional('X402_ASSET', {
  expected: 'an EVM token address',
  example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  accepts: isAddress,
  after: 'X402_NETWORK',
})
export const X402_FACILITATOR_URL = list('X402_FACILITATOR_URL', {
  expected: 'http(s) URLs in order of preference, comma-separated',
  example: 'https://facilitator.example.com',
  accepts: isHttpUrl,
  after: 'X402_ASSET',
})
/** Credentials of the facilitators, in the same order; '-' for none. */
export const X402_FACILITATOR_AUTH = list('X402_FACILITATOR_AUTH', {
  expected:
    "a credential for each facilitator in the same order, comma-separated: 'Bearer …', 'Header-Name: …', 'cdp:<key id>:<secret>' or '-'",
  example: 'Bearer abc,-',
  accepts: isFacilitatorAuth,
  isSecret: true,
  after: 'X402_FACILITATOR_URL',
})
/** Its path often holds an API key. */
export const X402_RPC_URL = optionalUrl('X402_RPC_URL', 'https://rpc.example.com', {
  isSecret: true,
  after: 'X402_FACILITATOR_AUTH',
})
export const X402_SIGNER_KEY = optional('X402_SIGNER_KEY', {
  expected: 'a private key, 0x and 64 hex digits',
  example: '0x…64 hex digits',
  accepts: (value) => /^0x[0-9a-fA-F]{64}$/.test(value),
  isSecret: true,
  after: 'X402_RPC_URL',
})
/** A node of Tempo; without it tempo/charge of MPP is not sold. */
export const TEMPO_RPC_URL = optionalUrl('TEMPO_RPC_URL', 'https://rpc.tempo.xyz', {
  isSecret: true,
  after: 'MPP_REALM',
})
export const TEMPO_CHAIN_ID = text('TEMPO_CHAIN_ID', {
  expected: 'a chain id in decimal',
  example: '4217',
  fallback: '4217',
  accepts: (value) => /^[1-9]\d{0,14}$/.test(value),
  after: 'TEMPO_RPC_URL',
})
/** The token that is taken there; null: USDC of the main network, pathUSD of others. */
export const TEMPO_CURRENCY = optional('TEMPO_CURRENCY', {
  expected: 'the address of a TIP-20 token of dollars',
  example: '0x20C000000000000000000000b9537d11c60E8b50',
  accepts: isAddress,
  after: 'TEMPO_CHAIN_ID',
})
/** Where payments on Tempo go; null: SETTLEMENT_ADDRESS. */
export const TEMPO_RECIPIENT = optional('TEMPO_RECIPIENT', {
  expected: 'an address, 0x and 40 hex digits',
  example: '0x1111111111111111111111111111111111111111',
  accepts: isAddress,
  after: 'TEMPO_CURRENCY',
})
/** Whether top-ups by card or transfer are open, as the discovery document tells; of the topup plugin. */
export const PREPAID_FIAT = flag('PREPAID_FIAT', false, { after: 'MIN_PREPAID_BUNDLE' })

export const VARIABLES: readonly Variable[] = [
  SANDBOX_CHAIN,
  SETTLEMENT_ADDRESS,
  X402_NETWORK,
  X402_ASSET,
  X402_FACILITATOR_URL,
  X402_FACILITATOR_AUTH,
  X402_RPC_URL,
  X402_SIGNER_KEY,
  TEMPO_RPC_URL,
  TEMPO_CHAIN_ID,
  TEMPO_CURRENCY,
  TEMPO_RECIPIENT,
  PREPAID_FIAT,
]

/**
 * Combinations that are each fine alone and wrong together. A variable that is wrong by itself
 * counts as set: what the operator meant by it is not known.
 */
export function contradictions(values: VariableValues): VariableProblem[] {
  const problems: VariableProblem[] = []
  const isSet = (variable: Variable): boolean =>
    values.isWrong(variable) || values.of(variable) !== null
  const hasRpc = isSet(X402_RPC_URL)
  const hasSigner = isSet(X402_SIGNER_KEY)
  const facilitators = values.of(X402_FACILITATOR_URL).length
  const credentials = values.of(X402_FACILITATOR_AUTH).length
  const isUrlWrong = values.isWrong(X402_FACILITATOR_URL)
  const settles = (hasRpc && hasSigner) || facilitators > 0 || isUrlWrong
  if (isSet(SETTLEMENT_ADDRESS) && !values.sandbox && !settles) {
    problems.push({
      name: X402_FACILITATOR_URL.name,
      got: '(not set)',
      expected:
        'a facilitator, or X402_RPC_URL with X402_SIGNER_KEY, because SETTLEMENT_ADDRESS is set',
      example: X402_FACILITATOR_URL.example,
    })
  }
  if (!isUrlWrong && !values.isWrong(X402_FACILITATOR_AUTH) && credentials > facilitators) {
    problems.push({
      name: X402_FACILITATOR_AUTH.name,
      got: `${credentials} credentials`,
      expected: `at most one for each of the ${facilitators} in X402_FACILITATOR_URL`,
      example: X402_FACILITATOR_AUTH.example,
    })
  }
  if (hasSigner && !hasRpc) {
    problems.push({
      name: X402_RPC_URL.name,
      got: '(not set)',
      expected: 'an RPC URL, because X402_SIGNER_KEY settles through it',
      example: X402_RPC_URL.example,
    })
  }
  return problems
}

/** What `coinop doctor` says of settlement. */
export function setupFindings(values: VariableValues): SetupFinding[] {
  if (values.of(SETTLEMENT_ADDRESS) === null && !values.sandbox) {
    const detail =
      'SETTLEMENT_ADDRESS is not set: x402 sells nothing, unless products/x402.yaml lists networks'
    return [{ part: 'x402', state: 'missing', detail }]
  }
  const facilitators = values.of(X402_FACILITATOR_URL).length
  const settledBy =
    facilitators > 0
      ? `${facilitators} facilitator(s)`
      : values.of(X402_RPC_URL) === null
        ? 'sandbox chain'
        : 'own signer'
  return [{ part: 'x402', state: 'ok', detail: `${values.of(X402_NETWORK)} by ${settledBy}` }]
}
