/** A port that is known early during the start: challenges, documents and tokens contain the URL. */
import type { Config } from '../config/config.ts'
import { localUrl } from '../net/local-url.ts'
import { atAddress, type Listening } from '../http/app.ts'

const TRIES = 100
const PAUSE_MS = 50

/**
 * Takes a free port at once for PORT=0, which `config` has then; a configured port is not touched.
 * `listen` releases it and calls `start`, repeatedly while the port is not free yet.
 */
export function keepPort(config: Config) {
  if (config.port !== 0) return { config, listen: async (start: () => Listening) => start() }
  const probe = atAddress(config.host, 0, () =>
    Bun.listen({ hostname: config.host, port: 0, socket: { data() {} } }),
  )
  // The process of a failed start must be able to end while the port is kept.
  probe.unref()
  const { port } = probe
  const unset = config.publicUrl === localUrl(config.host, 0)
  return {
    config: { ...config, port, ...(unset && { publicUrl: localUrl(config.host, port) }) },
    listen(start: () => Listening) {
      probe.stop(true)
      return listenSoon(start)
    },
  }
}

/** The port is free only once the probe's socket has closed, which the runtime does later. */
async function listenSoon(start: () => Listening): Promise<Listening> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return start()
    } catch (error) {
      if (left === 0) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}
