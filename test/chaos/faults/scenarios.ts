/** What is done to gateways and their database, one fault each; callers buy all the time. */
import { CHILDREN } from './scenarios/children.ts'
import { CLOCKS } from './scenarios/clocks.ts'
import { DISKS } from './scenarios/disk.ts'
import { FAILOVERS } from './scenarios/failover.ts'
import { FROZEN } from './scenarios/frozen.ts'
import type { Scenario } from './scenarios/ground.ts'
import { LOADS } from './scenarios/loads.ts'
import { NETWORKS } from './scenarios/network.ts'
import { OUTSIDERS } from './scenarios/outsiders.ts'
import { POOLERS } from './scenarios/poolers.ts'

export const SCENARIOS: Record<string, Scenario> = {
  ...FROZEN,
  ...FAILOVERS,
  ...POOLERS,
  ...DISKS,
  ...NETWORKS,
  ...CHILDREN,
  ...OUTSIDERS,
  ...LOADS,
  ...CLOCKS,
}
