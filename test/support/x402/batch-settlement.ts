/**
 * The contract of scheme batch-settlement on a local chain: a stand-in, whose source is here, or the
 * published one. Its packages bring no bytecode, so that one is compiled elsewhere:
 * BATCH_SETTLEMENT_CREATION names a JSON file with the creation code of both contracts,
 * `{"settlement":"0x…","collector":"0x…"}`, as `forge inspect <contract> bytecode` prints it.
 */
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

/** Code of both contracts, as 0x and hex digits. */
interface Contracts {
  settlement: string
  collector: string
}

/** Runtime code of the stand-in; throws with the compiler's errors. */
function compiled(): Contracts {
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

/** Runtime code of the published contracts: what their constructors return on this chain. */
async function constructed(chain: SandboxChain, path: string): Promise<Contracts> {
  const { settlement, collector } = JSON.parse(readFileSync(path, 'utf8')) as Contracts
  const owner = BATCH_SETTLEMENT_ADDRESS.slice(2).toLowerCase().padStart(64, '0')
  const run = async (data: string) => String(await rpc(chain, 'eth_call', [{ data }, 'latest']))
  return { settlement: await run(settlement), collector: await run(collector + owner) }
}

/** Plants the contract and its collector where @x402/evm looks for them. */
export async function plantBatchSettlement(chain: SandboxChain): Promise<void> {
  const creation = process.env['BATCH_SETTLEMENT_CREATION']
  const { settlement, collector } = creation ? await constructed(chain, creation) : compiled()
  await rpc(chain, 'anvil_setCode', [BATCH_SETTLEMENT_ADDRESS, settlement])
  await rpc(chain, 'anvil_setCode', [ERC3009_DEPOSIT_COLLECTOR_ADDRESS, collector])
}
