/**
 * Compiles the sandbox's contracts: `bun kernel/rails/x402/chain/compile.ts` writes contracts.json,
 * which is committed so that a running gateway needs no compiler. A test checks that both agree.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const SOURCE = new URL('./sandbox-token.sol', import.meta.url)
const OUTPUT = new URL('./contracts.json', import.meta.url)
/** Every chain that has EIP-3009 tokens runs at least this version of the EVM. */
const EVM_VERSION = 'paris'

export interface CompiledContracts {
  /** Runtime bytecode by contract name, as anvil_setCode takes it. */
  [contract: string]: { runtimeCode: `0x${string}` }
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}

/** The runtime bytecode of every contract of the source file. Throws with the compiler's errors. */
export function compileContracts(): CompiledContracts {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: { 'sandbox-token.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: EVM_VERSION,
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput
  const errors = (output.errors ?? []).filter((problem) => problem.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(output.contracts['sandbox-token.sol']!).map(([name, contract]) => [
      name,
      { runtimeCode: `0x${contract.evm.deployedBytecode.object}` as const },
    ]),
  )
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(OUTPUT), `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
