/** What an operator says of an entry, from the X402_* variables or from `config.networks`. */

/** An EVM entry as it was configured; its address and its token are not checked yet. */
export interface EvmSettings {
  kind: 'evm'
  /** CAIP-2: 'eip155:8453'. */
  network: string
  /** Token address; null = the network's USDC. */
  asset: string | null
  /** What the operator says of the token; absent members are those that @x402/evm knows. */
  token?: { decimals?: number; name?: string; version?: string }
  /** Settlement address; null leaves the entry closed. */
  payTo: string | null
  rpcUrl: string | null
  /** 0x and 64 hex digits: settles by itself through `rpcUrl`, after the facilitators. */
  signerKey: string | null
  /** In order of preference. */
  facilitators: readonly FacilitatorSettings[]
  /** Payment channels beside single payments; absent: none. */
  channels?: ChannelSettings
  /** Payments of scheme `exact` are settled before the work; absent: after it. */
  isUpfront?: boolean
  names: SettingNames
}

export interface ChannelSettings {
  /** Seconds between a payer's wish to withdraw and the withdrawal. */
  withdrawDelayS: number
  /** Millionths of a dollar that clients are told to deposit at least. */
  depositAtomic: bigint
  /** What is charged and not claimed goes to the chain from so many millionths of a dollar on, */
  claimAboveAtomic: bigint
  /** or when it is so old. */
  claimAfterMs: number
}

/** A Solana entry as it was configured. */
export interface SolanaSettings {
  kind: 'solana'
  /** CAIP-2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'. */
  network: string
  /** Mint. */
  asset: string
  decimals: number
  /** Owner of the account that is paid. */
  payTo: string
  rpcUrl: string | null
  /** Base58 secret key of our own fee payer, which sponsors after the facilitators. */
  signerKey: string | null
  /** The fee payer to name when a facilitator does not list one. */
  feePayer: string | null
  facilitators: readonly FacilitatorSettings[]
  names: SettingNames
}

/** Tempo as it was configured. */
export interface TempoSettings {
  rpcUrl: string
  chainId: number
  /** TIP-20 token. */
  asset: string
  /** Null leaves the entry closed. */
  payTo: string | null
}

export type EntrySettings = EvmSettings | SolanaSettings

export interface FacilitatorSettings {
  url: string
  /** As X402_FACILITATOR_AUTH has it; '-': none. */
  auth: string
}

/** How messages to the operator name the settings of an entry. */
export interface SettingNames {
  network: string
  asset: string
  payTo: string
  rpc: string
  /** What is missing where nothing can settle. */
  settlers: string
}

export const VARIABLE_NAMES: SettingNames = {
  network: 'X402_NETWORK',
  asset: 'X402_ASSET',
  payTo: 'SETTLEMENT_ADDRESS',
  rpc: 'X402_RPC_URL',
  settlers: 'neither X402_FACILITATOR_URL nor X402_RPC_URL with X402_SIGNER_KEY is set',
}
