/** Those whom a gateway depends on misbehave. */
import { drippedDestinations, killedNode, lyingFacilitators, undoneBlocks } from '../outsiders.ts'
import { onAny, type Scenario } from './ground.ts'
import { anvil } from './needs.ts'

export const OUTSIDERS: Record<string, Scenario> = {
  facilitators: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => lyingFacilitators((fault) => onAny(ground, fault), ground),
  },
  'chain-node': {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedNode((fault) => onAny(ground, fault), ground),
  },
  reorganisations: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => undoneBlocks((fault) => onAny(ground, fault), ground),
  },
  destinations: {
    missing: () => null,
    isOverAny: true,
    run: (ground) => drippedDestinations((fault) => onAny(ground, fault), ground),
  },
}
