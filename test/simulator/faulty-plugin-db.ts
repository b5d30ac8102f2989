/** The tables of a plugin, whose statements fail before or after they took effect, as the seed says. */
import type { PluginDb } from '../../kernel/storage/contract.ts'
import type { Random } from './random.ts'

export interface FaultyPluginDb extends PluginDb {
  /** Probability that a statement fails. */
  faulty: number
  /** Probability that its gateway dies at a statement. */
  fatal: number
  /** Nothing reaches the storage any more. */
  isDead: boolean
  faults: number
}

class LostConnection extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

export function faultyPluginDb(db: PluginDb, random: () => Random): FaultyPluginDb {
  async function step<T>(work: () => Promise<T>): Promise<T> {
    // Nothing of it goes on, so nothing tries again for seconds, as it would for a lost connection.
    if (faulty.isDead) throw new Error('simulated: the gateway is dead')
    const dies = random().chance(faulty.fatal)
    if (!dies && !random().chance(faulty.faulty)) return work()
    faulty.faults++
    faulty.isDead ||= dies
    if (random().chance(0.5)) throw new LostConnection('simulated: unsent')
    await work()
    throw new LostConnection('simulated: its answer is lost')
  }
  const faulty: FaultyPluginDb = {
    faulty: 0,
    fatal: 0,
    isDead: false,
    faults: 0,
    query: (text, parameters) => step(() => db.query(text, parameters)),
    transaction: (work) => step(() => db.transaction(work)),
  }
  return faulty
}
