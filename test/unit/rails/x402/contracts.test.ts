import { describe, expect, it } from 'vitest'
import { compileContracts } from '../../../../kernel/rails/x402/chain/compile.ts'
import committed from '../../../../kernel/rails/x402/chain/contracts.json' with { type: 'json' }

describe('the sandbox contracts', () => {
  it('are committed as their source compiles', () => {
    expect(compileContracts()).toEqual(committed)
    // The compiler is slow on a busy machine.
  }, 300_000)
})
