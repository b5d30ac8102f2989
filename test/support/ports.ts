/** Ports for servers that a test closes and opens again, or whose URL must be known beforehand. */
import { randomInt } from 'node:crypto'

/** Below the ports that systems give to whoever asks for any: nobody is handed one of these. */
const FROM = 10_000
const TO = 32_000

/** A port of 127.0.0.1 that is free, and stays so while nothing listens there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO)
    try {
      await Bun.serve({ hostname: '127.0.0.1', port, fetch: () => new Response() }).stop(true)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}
