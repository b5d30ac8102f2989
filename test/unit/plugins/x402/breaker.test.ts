import { describe, expect, it } from 'vitest'
import { Breaker } from '../../../../plugins/x402/settle/breaker.ts'

describe('the circuit breaker', () => {
  it('opens after failures in a row, lets one trial through, and closes on success', () => {
    let nowMs = 0
    const breaker = new Breaker({ failures: 2, resetMs: 100, now: () => nowMs })
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    expect(breaker.enter()).toBe(true)
    breaker.failed()
    expect(breaker.state()).toBe('open')
    expect(breaker.enter()).toBe(false)
    nowMs = 100
    expect(breaker.state()).toBe('trial')
    expect(breaker.enter()).toBe(true)
    expect(breaker.enter()).toBe(false)
    breaker.failed()
    expect(breaker.state()).toBe('open')
    nowMs = 200
    expect(breaker.enter()).toBe(true)
    breaker.succeeded()
    expect(breaker.state()).toBe('closed')
  })

  it('lets another trial through when the last one never came back', () => {
    let nowMs = 0
    const breaker = new Breaker({ failures: 1, resetMs: 100, now: () => nowMs })
    breaker.failed()
    nowMs = 150
    expect(breaker.enter()).toBe(true)
    nowMs = 250
    expect(breaker.enter()).toBe(true)
  })
})
