/**
 * A port that is known from the start of a boot: challenges, documents and tokens name the URL, so
 * PORT=0 takes a free port at once and keeps it until the gateway listens seconds later.
 */
import type { Config } from '../config/config.ts'
import { localUrl } from '../net/local-url.ts'
import type { Listening } from '../http/app.ts'

const TRIES = 100
const PAUSE_MS = 50

export interface KeptPort {
  /** The configuration with the port that was found, and the URL that follows from it. */
  config: Config
  /** Gives the port up and calls `start`, again while the port is not free yet. */
  listen(start: () => Listening): Promise<Listening>
}

/** Keeps a free port where the configuration leaves the choice; a chosen one is left alone. */
export function keepPort(config: Config): KeptPort {
  if (config.port !== 0) return { config, listen: async (start) => start() }
  const probe = Bun.listen({ hostname: config.host, port: 0, socket: { data() {} } })
  // A boot that fails must end with the port still kept.
  probe.unref()
  const { port } = probe
  const unset = config.publicUrl === localUrl(config.host, 0)
  return {
    config: { ...config, port, ...(unset && { publicUrl: localUrl(config.host, port) }) },
    listen(start) {
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
