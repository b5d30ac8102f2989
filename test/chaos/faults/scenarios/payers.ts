/** Gateways are killed under callers who pay each call on a chain. */
import { missingForSolana } from '../../../support/x402/solana-node.ts'
import { killedGateways, killedOnSolana, killedOnTempo } from '../killed-gateways.ts'
import { onAny, type Scenario } from './ground.ts'
import { anvil } from './needs.ts'

export const PAYERS: Record<string, Scenario> = {
  channels: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'channels'),
  },
  upfront: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'upfront'),
  },
  permit2: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'permit2'),
  },
  purchases: {
    missing: anvil,
    isOverAny: true,
    run: (ground) =>
      killedGateways((fault) => onAny(ground, { ...fault, gateways: 3 }), ground, 'purchases'),
  },
  solana: {
    missing: missingForSolana,
    isOverAny: true,
    run: (ground) => killedOnSolana((fault) => onAny(ground, fault), ground),
  },
  tempo: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedOnTempo((fault) => onAny(ground, { ...fault, gateways: 3 }), ground),
  },
}
