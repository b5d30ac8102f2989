import { describe, expect, it } from 'vitest'
import { compileContracts } from '../../../../plugins/x402/sandbox/compile.ts'
import committed from '../../../../plugins/x402/sandbox/contracts.json' with { type: 'json' }

describe('the sandbox contracts', () => {
  it('are committed as their source compiles', () => {
    expect(compileContracts()).toEqual(committed)
  })
})
