/** How much of each fault: for minutes by hand, or for seconds in the test suite. */

export interface Size {
  /** Who buy from prepaid credits at once. */
  callers: number
  /** Each of them waits so long after an answer. */
  pauseMs: number
  /** Who pay by x402, or through channels, at once. */
  payers: number
  /** Callers go on for so long after the fault. */
  afterMs: number
  /** How long a database stands still or has no room. */
  frozenMs: number
  /** Between two changes of a clock: gateways look at it each second. */
  jumpMs: number
  liesMs: number
  /** Share of lies by which a facilitator never answers: each keeps a caller for half a minute. */
  hangs: number
  dripsMs: number
  /** Before the next node or gateway is killed, or the next block undone: least and most. */
  betweenMs: readonly [number, number]
  nodeKills: number
  /** Most that transactions wait in a node before it is killed, and that it is away then. */
  waitingMs: number
  awayMs: number
  reorganisations: number
  childKills: number
  childBetweenMs: readonly [number, number]
  gatewayKills: number
  /** Whether leases of what died are ended by hand where a run would wait for them. */
  isHurried: boolean
}

export const LONG: Size = {
  callers: 12,
  pauseMs: 0,
  payers: 6,
  afterMs: 2500,
  frozenMs: 8000,
  jumpMs: 3000,
  liesMs: 40_000,
  hangs: 0.05,
  dripsMs: 30_000,
  betweenMs: [1000, 4000],
  nodeKills: 10,
  waitingMs: 2000,
  awayMs: 3000,
  reorganisations: 8,
  childKills: 25,
  childBetweenMs: [200, 1000],
  gatewayKills: 12,
  isHurried: false,
}

export const SHORT: Size = {
  callers: 6,
  pauseMs: 40,
  payers: 3,
  afterMs: 300,
  frozenMs: 1500,
  jumpMs: 3000,
  liesMs: 2500,
  hangs: 0,
  dripsMs: 2000,
  betweenMs: [200, 600],
  nodeKills: 2,
  waitingMs: 400,
  awayMs: 400,
  reorganisations: 2,
  childKills: 5,
  childBetweenMs: [50, 300],
  gatewayKills: 2,
  isHurried: true,
}
