/** A node of a chain that is killed and comes back: its blocks are on its disk, what waited is lost. */
import type { Hex } from 'viem'
import { startAnvil } from '../../../plugins/x402/sandbox/anvil.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { baseAsset, rpc, testChain } from '../../support/x402/chain.ts'
import { patiently } from '../patiently.ts'
import { forwarder } from './forwarder.ts'

export interface KillableNode {
  /** As it was started: addresses and keys; its own `rpcUrl` is that of the first process. */
  chain: SandboxChain
  /** Where gateways find it, whichever process it is. */
  rpcUrl: string
  /**
   * Ends it with SIGKILL. Blocks that were mined stay, as on a node's disk; transactions of the last
   * `waitingMs` were accepted and are lost with it: how many, is what it resolves with. It is away for
   * `awayMs`, then it answers again.
   */
  kill(waitingMs: number, awayMs: number): Promise<number>
  /** Undoes the last blocks, as soon as there are so many, with what was in them. */
  undo(blocks: number): Promise<void>
  stop(): Promise<void>
}

export async function killableNode(): Promise<KillableNode> {
  const chain = await testChain()
  const { chainId } = baseAsset()
  let running = { rpcUrl: chain.rpcUrl, stop: chain.stop }
  const ask = <T>(method: string, params: unknown[] = []): Promise<T> =>
    rpc<T>({ ...chain, rpcUrl: running.rpcUrl }, method, params)
  const door = await forwarder(portOf(chain.rpcUrl))
  return {
    chain,
    rpcUrl: `http://127.0.0.1:${door.port}`,
    async kill(waitingMs, awayMs) {
      await ask('evm_setAutomine', [false])
      const disk = await ask<string>('anvil_dumpState')
      await Bun.sleep(waitingMs)
      const { pending } = await ask<{ pending: Hex }>('txpool_status')
      // The way anvil is stopped here is a SIGKILL.
      await running.stop()
      await Bun.sleep(awayMs)
      const started = await startAnvil(chainId)
      if (!started.ok) throw new Error(started.reason)
      running = started.anvil
      await ask('anvil_loadState', [disk])
      door.leadTo(portOf(running.rpcUrl))
      return Number(pending)
    },
    async undo(blocks) {
      await patiently(async () => {
        if (Number(await ask<Hex>('eth_blockNumber')) < blocks) throw new Error('no blocks yet')
      })
      await ask('anvil_reorg', [blocks, []])
    },
    async stop() {
      door.close()
      await running.stop()
    },
  }
}

const portOf = (url: string): number => Number(new URL(url).port)
