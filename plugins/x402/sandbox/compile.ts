/**
 * Compiles the sandbox's contracts: `bun plugins/x402/sandbox/compile.ts` writes contracts.json,
 * which is committed so that a running gateway needs no compiler. A test checks that both agree.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const SOURCES = ['sandbox-token.sol', 'sandbox-permit2.sol']
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

/** The runtime bytecode of every contract of the source files. Throws with the compiler's errors. */
export function compileContracts(): CompiledContracts {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      SOURCES.map((name) => [
        name,
        { content: readFileSync(new URL(name, import.meta.url), 'utf8') },
      ]),
    ),
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
  const named = SOURCES.flatMap((source) => Object.entries(output.contracts[source]!))
  return Object.fromEntries(
    named
      .map(([name, { evm }]) => [name, evm.deployedBytecode.object] as const)
      // An interface has none.
      .filter(([, code]) => code !== '')
      .map(([name, code]) => [name, { runtimeCode: `0x${code}` as const }]),
  )
}

if (import.meta.main) {
  writeFileSync(fileURLToPath(OUTPUT), `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
