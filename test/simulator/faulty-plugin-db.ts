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

/** What an instance drawn by `random` answers; null: nobody hears it. */
export async function answerOf<One extends { db: FaultyPluginDb }, Answer>(
  instances: readonly One[],
  random: Random,
  work: (instance: One) => Promise<Answer>,
): Promise<Answer | null> {
  const instance = random.of(instances)
  const answer = await work(instance).catch(() => null)
  return instance.db.isDead ? null : answer
}

/** Opens another in place of each dead instance; how many were dead. */
export function replaceDead<One extends { db: FaultyPluginDb }>(
  instances: One[],
  open: () => One,
): number {
  let deaths = 0
  for (const [at, { db }] of instances.entries()) {
    if (!db.isDead) continue
    deaths++
    instances[at] = open()
  }
  return deaths
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
