/** Gateways are killed under customers whose credits move. */
import { killedTills } from '../killed-gateways.ts'
import { onAny, type Scenario } from './ground.ts'

export const CUSTOMERS: Record<string, Scenario> = {
  'customers-of-one': {
    missing: () => null,
    isOverAny: true,
    run: (ground) => killedTills((fault) => onAny(ground, { ...fault, gateways: 1 }), ground),
  },
  'customers-of-three': {
    missing: () => null,
    isOverAny: true,
    run: (ground) => killedTills((fault) => onAny(ground, { ...fault, gateways: 3 }), ground),
  },
}
