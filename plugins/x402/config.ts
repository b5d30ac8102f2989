/** `config.networks` of the product file: what may be written there, and what makes no entry. */
import { Type, type Static } from 'typebox'
import { isHttpUrl, type Issue } from '#kernel'
import { settlementAddress } from './chain/chain-check.ts'
import { assetOf } from './terms/asset.ts'
import { isFacilitatorAuth } from './settle/facilitator-auth.ts'
import { isSolanaAddress } from '../shared/signing/base58.ts'
import { keyPairOf } from './solana/key-pair.ts'
import { WITHDRAW_DELAY_S } from './payment/channel.ts'
import type {
  ChannelSettings,
  EntrySettings,
  EvmSettings,
  FacilitatorSettings,
  SolanaSettings,
} from './terms/settings.ts'

const MOST_ENTRIES = 6
const MOST_FACILITATORS = 8
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

const FacilitatorConfig = Type.Object(
  {
    url: text(2000, 'Its address'),
    auth: Type.Optional(text(4000, 'Its credential, as in X402_FACILITATOR_AUTH: ${NAME}')),
  },
  { additionalProperties: false },
)
const dollars = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description }))
const ChannelsConfig = Type.Object(
  {
    withdraw_delay_hours: Type.Optional(
      Type.Number({
        minimum: WITHDRAW_DELAY_S.least / 3600,
        maximum: WITHDRAW_DELAY_S.most / 3600,
        description: 'How long a payer waits to withdraw without us; default: 24',
      }),
    ),
    deposit_usd: dollars('What clients are told to deposit at least; default: 1'),
    claim_above_usd: dollars('Charges of a channel are claimed from this sum on; default: 1'),
    claim_after_minutes: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10_080,
        description: 'The longest that charges wait to be claimed; default: 60',
      }),
    ),
  },
  { additionalProperties: false },
)
const NetworkConfig = Type.Object(
  {
    network: Type.String({
      pattern: `^(?:eip155:[1-9]\\d{0,14}|solana:${BASE58}{32,44})$`,
      description: 'CAIP-2: eip155:8453 or solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    }),
    asset: Type.Optional(text(100, 'Token address or mint; default: the USDC of an EVM network')),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 36 })),
    name: Type.Optional(text(100, 'EIP-712 name of the token')),
    version: Type.Optional(text(32, 'EIP-712 version of the token')),
    pay_to: text(100, 'Where payments go'),
    rpc: Type.Optional(text(2000, 'Node of the network, as ${NAME} where its URL holds a key')),
    signer: Type.Optional(
      text(200, 'Key that settles through `rpc`, on Solana by paying the fee; as ${NAME}'),
    ),
    fee_payer: Type.Optional(text(100, 'Solana: who pays fees where no facilitator says it')),
    facilitators: Type.Optional(
      Type.Array(FacilitatorConfig, { minItems: 1, maxItems: MOST_FACILITATORS }),
    ),
    channels: Type.Optional(ChannelsConfig),
    payment_flow: Type.Optional(
      Type.Enum(['authorization', 'upfront'], {
        description:
          'When payments of a fixed price are settled: after the work (authorization, default), or before it',
      }),
    ),
  },
  { additionalProperties: false },
)
export const X402Config = Type.Object(
  {
    networks: Type.Optional(Type.Array(NetworkConfig, { minItems: 1, maxItems: MOST_ENTRIES })),
  },
  { additionalProperties: false },
)
export type X402Config = Static<typeof X402Config>
type Network = Static<typeof NetworkConfig>
type Channels = Static<typeof ChannelsConfig>

/** What is wrong with networks that fit the schema. Values are not repeated: they may be secrets. */
export function networkProblems({ networks = [] }: X402Config): Issue[] {
  const seen = new Set<string>()
  return networks.flatMap((network, index) => {
    const place = `/networks/${index}`
    const problems = network.network.startsWith('solana:')
      ? solanaProblems(network, place)
      : evmProblems(network, place)
    const all = [...problems, ...settlerProblems(network, place)]
    const key = `${network.network} ${tokenIn(network)}`
    if (seen.has(key)) all.push({ path: place, message: 'is a token that is listed before' })
    seen.add(key)
    return all
  })
}

/** The token's address, also where it is left to be the USDC of the network. */
function tokenIn(network: Network): string {
  if (network.network.startsWith('solana:')) return network.asset ?? ''
  const resolved = assetOf(evmSettings(network, 0))
  return resolved.ok ? resolved.asset.address : (network.asset ?? '')
}

function evmProblems(network: Network, place: string): Issue[] {
  const problems: Issue[] = []
  const wrong = (name: string, message: string) =>
    problems.push({ path: `${place}/${name}`, message })
  if (network.asset !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(network.asset)) {
    wrong('asset', 'must be a token address, 0x and 40 hex digits')
  } else {
    const resolved = assetOf(evmSettings(network, 0))
    if (!resolved.ok) problems.push({ path: place, message: resolved.reason })
  }
  const receiver = settlementAddress(network.pay_to, 'pay_to')
  if (!receiver.ok) wrong('pay_to', `must be an EVM address with its checksum`)
  if (network.signer !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(network.signer)) {
    wrong('signer', 'must be a private key, 0x and 64 hex digits')
  }
  if (network.fee_payer !== undefined) wrong('fee_payer', 'is for networks of Solana')
  if (network.channels !== undefined)
    problems.push(...channelProblems(network, network.channels, place))
  return problems
}

/** Channels are claimed by our own key, and before a payer can have withdrawn. */
function channelProblems(network: Network, channels: Channels, place: string): Issue[] {
  const path = `${place}/channels`
  if (network.rpc === undefined || network.signer === undefined) {
    return [{ path, message: 'needs `rpc` and `signer`, whose key claims what is charged' }]
  }
  const resolved = assetOf(evmSettings(network, 0))
  if (resolved.ok && resolved.asset.method === 'permit2') {
    return [{ path, message: 'needs a token with EIP-3009' }]
  }
  const { withdrawDelayS, claimAfterMs } = channelSettings(channels)
  return claimAfterMs > (withdrawDelayS * 1000) / 2
    ? [{ path, message: 'must claim in less than half of `withdraw_delay_hours`' }]
    : []
}

function solanaProblems(network: Network, place: string): Issue[] {
  const problems: Issue[] = []
  const wrong = (name: string, message: string) =>
    problems.push({ path: `${place}/${name}`, message })
  if (network.asset === undefined)
    problems.push({ path: place, message: 'needs `asset`, the mint' })
  if (network.decimals === undefined) problems.push({ path: place, message: 'needs `decimals`' })
  for (const name of ['asset', 'pay_to', 'fee_payer'] as const) {
    const value = network[name]
    if (value !== undefined && !isSolanaAddress(value)) wrong(name, 'must be a base58 address')
  }
  if (network.rpc === undefined) problems.push({ path: place, message: 'needs `rpc`, a node' })
  if (network.signer !== undefined && keyPairOf(network.signer) === null) {
    wrong('signer', 'must be the base58 secret key of an account that pays fees')
  }
  for (const name of ['name', 'version', 'channels', 'payment_flow'] as const) {
    if (network[name] !== undefined) wrong(name, 'is for EVM networks')
  }
  return problems
}

function settlerProblems(network: Network, place: string): Issue[] {
  const { rpc, signer, facilitators = [] } = network
  const problems: Issue[] = []
  if (rpc !== undefined && !isHttpUrl(rpc)) {
    problems.push({ path: `${place}/rpc`, message: 'must be an http or https URL' })
  }
  if (signer !== undefined && rpc === undefined) {
    problems.push({ path: `${place}/signer`, message: 'settles through `rpc`, which is not set' })
  }
  if (facilitators.length === 0 && signer === undefined) {
    problems.push({ path: place, message: 'needs `facilitators`, or `rpc` with `signer`' })
  }
  for (const [index, { url, auth }] of facilitators.entries()) {
    const at = `${place}/facilitators/${index}`
    if (!isHttpUrl(url))
      problems.push({ path: `${at}/url`, message: 'must be an http or https URL' })
    if (auth !== undefined && !isFacilitatorAuth(auth)) {
      problems.push({
        path: `${at}/auth`,
        message: "must be 'Bearer …', 'Header-Name: …' or 'cdp:<key id>:<secret>'",
      })
    }
  }
  return problems
}

/** The entries of a config without problems; null where it lists no networks. */
export function entriesOfConfig({ networks }: X402Config): EntrySettings[] | null {
  return (
    networks?.map((network, index) =>
      network.network.startsWith('solana:')
        ? solanaSettings(network, index)
        : evmSettings(network, index),
    ) ?? null
  )
}

function evmSettings(network: Network, index: number): EvmSettings {
  const { decimals, name, version } = network
  return {
    kind: 'evm',
    network: network.network,
    asset: network.asset ?? null,
    token: {
      ...(decimals !== undefined && { decimals }),
      ...(name !== undefined && { name }),
      ...(version !== undefined && { version }),
    },
    ...(network.channels && { channels: channelSettings(network.channels) }),
    ...(network.payment_flow === 'upfront' && { isUpfront: true }),
    ...commonOf(network, index),
  }
}

function channelSettings(channels: Channels): ChannelSettings {
  const {
    withdraw_delay_hours: delayHours = 24,
    deposit_usd: deposit = 1,
    claim_above_usd: claimAbove = 1,
    claim_after_minutes: claimAfter = 60,
  } = channels
  return {
    withdrawDelayS: Math.round(delayHours * 3600),
    depositAtomic: atomicOfDollars(deposit),
    claimAboveAtomic: atomicOfDollars(claimAbove),
    claimAfterMs: claimAfter * 60_000,
  }
}

/** At least one. */
function atomicOfDollars(dollarsText: number): bigint {
  return BigInt(Math.max(1, Math.round(dollarsText * 1_000_000)))
}

function solanaSettings(network: Network, index: number): SolanaSettings {
  return {
    kind: 'solana',
    network: network.network,
    asset: network.asset!,
    decimals: network.decimals!,
    feePayer: network.fee_payer ?? null,
    ...commonOf(network, index),
  }
}

function commonOf({ pay_to: payTo, rpc, signer, facilitators = [] }: Network, index: number) {
  const place = `networks[${index}]`
  return {
    payTo,
    rpcUrl: rpc ?? null,
    signerKey: signer ?? null,
    facilitators: facilitators.map(({ url, auth = '-' }): FacilitatorSettings => ({ url, auth })),
    names: {
      network: `${place}.network`,
      asset: `${place}.asset`,
      payTo: `${place}.pay_to`,
      rpc: `${place}.rpc`,
      settlers: `${place} has neither facilitators nor rpc with signer`,
    },
  }
}
