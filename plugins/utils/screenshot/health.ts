/** Whether screenshots can be taken, for /ready and the product's own /health. */
import type { Health } from '#kernel'
import { lackOfFonts } from './browser/fonts.ts'
import type { BrowserKeeper } from './browser/keeper.ts'

/** Not critical: without a browser everything else still works. */
export function browserHealth(keeper: BrowserKeeper): Health {
  return {
    name: 'screenshot_browser',
    critical: false,
    timeoutMs: 5_000,
    async probe() {
      const located = await keeper.locate()
      if (!located.ok) return { state: 'degraded', detail: located.message }
      // Looked for each time: fonts that are installed meanwhile count without a restart.
      const lack = lackOfFonts(located.binary.fontFolders)
      if (lack !== null) return { state: 'degraded', detail: lack }
      const running = keeper.pids().length
      return {
        state: 'ok',
        detail: `${located.binary.origin}, ${running === 0 ? 'not started' : 'running'}`,
      }
    },
  }
}
