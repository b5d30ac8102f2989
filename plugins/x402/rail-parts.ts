/** The parts of the rail, built once from its options and shared by the rail and its routes. */
import type { Logger, PluginDb, Settlements as SettlementRecords, Signals } from '#kernel'
import type { Hex } from 'viem'
import { ChannelEntry } from './channels/entry.ts'
import { CHANNEL_NONCE } from './payment/nonces.ts'
import type { ClaimFacts } from './claims/claim.ts'
import { Claims } from './claims/claims.ts'
import type { Entry } from './entries/contract.ts'
import type { Token } from './terms/token.ts'
import { EvmEntry, evmEntry } from './evm/entry.ts'
import type { EntrySettings, TempoSettings } from './terms/settings.ts'
import type { EntryShared, X402Timing } from './entries/shared.ts'
import type { ExtensionsFor } from './offers/answer-extensions.ts'
import { tempoEntry } from './tempo/entry.ts'
import { solanaEntry } from './solana/entry.ts'
import { ChallengeCache } from './offers/challenge-cache.ts'
import { SANDBOX_NAME } from './offers/challenge.ts'
import { Prices, type OlderPrices } from './terms/prices.ts'
import { isSameAddress, type Payment } from './payment/wire.ts'
import { DatabaseClock } from '../shared/storage/database-clock.ts'
import type { SandboxChain } from './sandbox/sandbox.ts'
import { Leases } from './settle/leases.ts'

export interface X402Options {
  db: PluginDb
  records: SettlementRecords
  signals: Signals
  log: Logger
  /** What is taken; the first is the main entry. None: x402 is not configured. */
  entries: readonly EntrySettings[]
  /** What is taken in the dialect of MPP alone; absent: nothing. */
  tempo?: TempoSettings | null
  /** Name of the service in challenges, printable ASCII of at most 32 characters. */
  serviceName?: string
  /**
   * Opens the sandbox's own chain, which gives what is null in the settings of the main entry; null:
   * there is none. The rail opens when it runs, also long after its start.
   */
  sandboxChain?: () => Promise<SandboxChain | null>
  /** Mark of the sandbox chain (`SandboxChain.ref`); null on real networks. */
  chainRef?: string | null
  /** Prices of a skill valid since a moment, for quotes that other instances gave. */
  olderPrices?: OlderPrices
  /** What other plugins add to the challenge of one answer; absent: nothing. */
  extensions?: ExtensionsFor
  timing?: X402Timing
}

export interface RailParts {
  /** The first is main. None where x402 sells nothing and another dialect has entries of its own. */
  entries: readonly Entry[]
  /** Why there are no `entries`; null while there are some. */
  closedBy: string | null
  /** Payment channels beside some of them. */
  channels: readonly ChannelEntry[]
  /** Those and the ones that other dialects alone are paid on. */
  all: readonly Entry[]
  /** Version 1 buyers, plain transfers and the sandbox are about this one. */
  main: Entry | null
  offers: ChallengeCache
  prices: Prices
  claims: Claims
  leases: Leases
  /** By which payments are in time: instances may disagree, and this machine may be wrong. */
  clock: DatabaseClock
  chainRef: string | null
  log: Logger
  /**
   * The entry that judges the payment: that of its offer, else the one that says best why not; null
   * without `entries`.
   */
  entryFor(payment: Payment): Entry | null
  /** The entry of a claim; null when it is not taken any more. */
  entryAt(claim: Pick<ClaimFacts, 'network' | 'asset' | 'nonce'>): Entry | null
  /** How receipts of a claim name its network. */
  networkOf(claim: Pick<ClaimFacts, 'network' | 'asset'>): Pick<Token, 'network' | 'networkV1'>
}

const NOT_CONFIGURED =
  'not configured: SETTLEMENT_ADDRESS is not set, and its product file lists no networks'

/** The parts, or why x402 is closed: the reason names the setting. */
export function buildRailParts(
  options: X402Options,
): { ok: true; core: RailParts } | { ok: false; reason: string } {
  const { log, db, timing = {}, chainRef = null } = options
  const claims = new Claims(db, options.records)
  const leases = new Leases(claims)
  const prices = new Prices()
  const clock = new DatabaseClock(db)
  const shared: EntryShared = {
    db,
    clock,
    claims,
    leases,
    prices,
    log,
    timing,
    changed: () => offers.renew(),
    ...(options.olderPrices && { olderPrices: options.olderPrices }),
  }
  const made = entriesOf(options.entries, chainRef, shared)
  const tempo = options.tempo ? tempoEntry(options.tempo, shared) : null
  if (tempo?.ok === false) log.error({ reason: tempo.reason }, 'tempo/charge is closed')
  if (!made.ok && !tempo?.ok) return made
  const { entries, channels } = made.ok ? made : { entries: [], channels: [] }
  const all = [...entries, ...channels, ...(tempo?.ok ? [tempo.entry] : [])]
  const serviceName = options.serviceName ?? (chainRef === null ? 'Coinop' : SANDBOX_NAME)
  const { extensions = null } = options
  const offers = new ChallengeCache([...entries, ...channels], serviceName, prices, extensions)
  const main = entries[0] ?? null
  const entryAt: RailParts['entryAt'] = ({ network, asset, nonce }) => {
    const among: readonly Entry[] = nonce.startsWith(CHANNEL_NONCE) ? channels : all
    return among.find(({ token }) => token.network === network && token.asset === asset) ?? null
  }
  return {
    ok: true,
    core: {
      entries,
      closedBy: made.ok ? null : made.reason,
      channels,
      all,
      main,
      offers,
      prices,
      claims,
      leases,
      clock,
      chainRef,
      log,
      entryFor: (payment) =>
        entryFor(payment.method === 'channel' ? channels : entries, main, payment),
      entryAt,
      networkOf: (claim) =>
        entryAt({ ...claim, nonce: '' })?.token ?? {
          network: claim.network as Token['network'],
          networkV1: claim.network,
        },
    },
  }
}

/** The entries with the channels beside them, or why the settings make none. */
function entriesOf(
  all: readonly EntrySettings[],
  chainRef: string | null,
  shared: EntryShared,
): { ok: true; entries: Entry[]; channels: ChannelEntry[] } | { ok: false; reason: string } {
  if (all.length === 0) return { ok: false, reason: NOT_CONFIGURED }
  const entries: Entry[] = []
  const channels: ChannelEntry[] = []
  for (const [index, settings] of all.entries()) {
    const made = entryOf(settings, index === 0 ? chainRef : null, shared)
    if (!made.ok) return made
    const { entry } = made
    entries.push(entry)
    if (entry instanceof EvmEntry) channels.push(...channelsBeside(entry, settings, shared))
  }
  return { ok: true, entries, channels }
}

function entryOf(
  settings: EntrySettings,
  chainRef: string | null,
  shared: EntryShared,
): { ok: true; entry: Entry } | { ok: false; reason: string } {
  switch (settings.kind) {
    case 'evm':
      return evmEntry(settings, chainRef, shared)
    case 'solana':
      return solanaEntry(settings, shared)
  }
}

/** The channels of an entry whose settings want some. */
function channelsBeside(
  { asset, payTo }: EvmEntry,
  settings: EntrySettings,
  shared: EntryShared,
): ChannelEntry[] {
  if (settings.kind !== 'evm' || !settings.channels) return []
  const { channels, rpcUrl, signerKey } = settings
  if (rpcUrl === null || signerKey === null) return []
  const key = signerKey as Hex
  return [new ChannelEntry({ asset, payTo, channels, rpcUrl, signerKey: key }, shared)]
}

/** Version 1 names no token, and only the main entry is offered in it. */
function entryFor(entries: readonly Entry[], main: Entry | null, payment: Payment): Entry | null {
  const { accepted, network } = payment
  if (accepted === null || entries.length === 0) return main
  if (entries.length === 1) return entries[0]!
  const there = entries.filter(({ token }) => token.network === network)
  return there.find(({ token }) => isTokenOf(token, accepted.asset)) ?? there[0] ?? main
}

function isTokenOf({ kind, asset }: Token, named: string): boolean {
  return kind === 'evm' ? isSameAddress(asset, named) : asset === named
}
