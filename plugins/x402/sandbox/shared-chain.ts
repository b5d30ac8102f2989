/**
 * The sandbox chain of this process. A reload of the product makes a second revision of the rail
 * beside the first: both use one chain, and it ends with the last of them.
 */
import type { Asset } from '../terms/asset.ts'
import { startSandboxChain, type SandboxStart } from './sandbox.ts'

interface Shared {
  users: number
  started: Promise<SandboxStart>
  /** Ends a start that is under way. */
  ending: AbortController
}

let shared: Shared | null = null

export interface BorrowedChain {
  /** A reason when it cannot run here. */
  started: Promise<SandboxStart>
  giveBack(): Promise<void>
}

/** The chain, started by the first who asks. */
export function borrowSandboxChain(asset: Asset): BorrowedChain {
  shared ??= startShared(asset)
  const mine = shared
  mine.users += 1
  let isBack = false
  return {
    started: mine.started,
    async giveBack() {
      if (isBack) return
      isBack = true
      mine.users -= 1
      if (mine.users > 0) return
      if (shared === mine) shared = null
      mine.ending.abort()
      const started = await mine.started
      if (started.ok) await started.chain.stop()
    },
  }
}

function startShared(asset: Asset): Shared {
  const ending = new AbortController()
  return { users: 0, ending, started: startSandboxChain(asset, ending.signal) }
}
