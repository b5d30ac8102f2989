/** The `signals` service: a plugin's own channels of PostgreSQL's LISTEN and NOTIFY. */
import { assert, type Signals } from '#kernel'
import type { Database } from '#kernel/host'

const TOPIC = /^[a-z][a-z0-9_]{0,19}$/

/** Signals of one plugin: another plugin's topic of the same name is another channel. */
export function createSignals(db: Pick<Database, 'listen' | 'notify'>, pluginId: string): Signals {
  const channelOf = (topic: string): string => {
    assert(TOPIC.test(topic), `a topic of at most 20 letters, digits and _, got ${topic}`)
    return `coinop_${pluginId.replaceAll('-', '_')}_${topic}`
  }
  return {
    async notify(topic, payload, tx) {
      if (!tx) return db.notify(channelOf(topic), payload)
      await tx.query('SELECT pg_notify($1, $2)', [channelOf(topic), payload])
    },
    listen: (topic, listener) => db.listen(channelOf(topic), listener),
  }
}
