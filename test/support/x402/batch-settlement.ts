/** The contract of scheme batch-settlement on a local chain, and its unmodified client's channels. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { BATCH_SETTLEMENT_ADDRESS, ERC3009_DEPOSIT_COLLECTOR_ADDRESS } from '@x402/evm'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { rpc } from './chain.ts'

const SOURCE = 'batch-settlement.sol'

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

/** Runtime code of both contracts; throws with the compiler's errors. */
function compiled(): { settlement: string; collector: string } {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const content = readFileSync(new URL(SOURCE, import.meta.url), 'utf8')
  const settings = {
    evmVersion: 'paris',
    viaIR: true,
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: { [SOURCE]: { content } }, settings }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  const codeOf = (name: string) =>
    `0x${output.contracts[SOURCE]![name]!.evm.deployedBytecode.object}`
  return { settlement: codeOf('TestBatchSettlement'), collector: codeOf('TestDepositCollector') }
}

/** Plants the contract and its collector where @x402/evm looks for them. */
export async function plantBatchSettlement(chain: SandboxChain): Promise<void> {
  const { settlement, collector } = compiled()
  await rpc(chain, 'anvil_setCode', [BATCH_SETTLEMENT_ADDRESS, settlement])
  await rpc(chain, 'anvil_setCode', [ERC3009_DEPOSIT_COLLECTOR_ADDRESS, collector])
}
