/**
 * The sandbox chain of this process. A reload of the product makes a second revision of the rail
 * beside the first: both use one chain, and it ends with the last of them.
 */
import type { Asset } from '../offers/asset.ts'
import { startSandboxChain, type SandboxChain, type SandboxStart } from './sandbox.ts'

let users = 0
let starting: Promise<SandboxStart> | null = null

export type BorrowedChain =
  | { ok: true; chain: SandboxChain; giveBack(): Promise<void> }
  | { ok: false; reason: string }

/** The chain, started by the first who asks; a reason when it cannot run here. */
export async function borrowSandboxChain(asset: Asset): Promise<BorrowedChain> {
  starting ??= startSandboxChain(asset)
  const mine = starting
  users += 1
  const leave = async (): Promise<void> => {
    users -= 1
    if (users > 0) return
    starting = null
    const started = await mine
    if (started.ok) await started.chain.stop()
  }
  const started = await mine.catch(async (error: unknown) => {
    await leave().catch(() => {})
    throw error
  })
  if (!started.ok) {
    await leave()
    return started
  }
  let isBack = false
  return {
    ok: true,
    chain: started.chain,
    async giveBack() {
      if (isBack) return
      isBack = true
      await leave()
    },
  }
}
