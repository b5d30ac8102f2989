/** What a start prints of the sandbox's own chain. */
import { atomicToUsd } from '#kernel'
import type { SandboxChain } from './sandbox.ts'

/** The test wallet with its key, which is worth nothing elsewhere. */
export async function sandboxNotes({ testWallet, balanceOf }: SandboxChain): Promise<string[]> {
  const usdc = atomicToUsd(await balanceOf(testWallet.address))
  return [
    `test wallet with ${usdc} test USDC on the sandbox chain:`,
    `  ${testWallet.address}`,
    `  ${testWallet.privateKey}`,
  ]
}
