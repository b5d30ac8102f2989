import { describe, expect, it } from 'vitest'
import {
  Breaker,
  type Admission,
  type BreakerOptions,
  type Ticket,
} from '../../../kernel/work/breaker.ts'

function world(failures = 3, resetMs = 1000) {
  let nowMs = 0
  const changes: string[] = []
  const breaker = new Breaker({
    failures,
    resetMs,
    nowMs: () => nowMs,
    onChange: (state) => changes.push(state),
  })
  const ticket = (): Ticket => ticketOf(breaker.admit())
  return { breaker, changes, ticket, pass: (ms: number) => (nowMs += ms) }
}
function ticketOf(admission: Admission): Ticket {
  if (!admission.ok) throw new Error('not admitted')
  return admission.ticket
}

describe('circuit breaker', () => {
  it('opens after so many failures in a row, and a success starts the count anew', () => {
    const { breaker, ticket } = world()
    ticket().failure()
    ticket().failure()
    ticket().success()
    ticket().failure()
    ticket().failure()
    expect(breaker.state).toBe('closed')
    ticket().failure()
    expect(breaker.state).toBe('open')
    expect(breaker.admit()).toEqual({ ok: false, retryAfterMs: 1000 })
  })

  it('says how long it stays open, then lets one probe through at a time', () => {
    const { breaker, ticket, pass } = world(1)
    ticket().failure()
    pass(400)
    expect(breaker.admit()).toEqual({ ok: false, retryAfterMs: 600 })
    pass(600)
    expect(breaker.state).toBe('half_open')
    const probe = ticket()
    expect(breaker.admit()).toEqual({ ok: false, retryAfterMs: 1000 })
    probe.success()
    expect(breaker.state).toBe('closed')
    expect(breaker.admit().ok).toBe(true)
  })

  it('opens again when the probe fails, and gives the place on when it is abandoned', () => {
    const { breaker, ticket, pass, changes } = world(1)
    ticket().failure()
    pass(1000)
    ticket().abandoned()
    ticket().failure()
    expect(breaker.state).toBe('open')
    expect(breaker.admit()).toEqual({ ok: false, retryAfterMs: 1000 })
    expect(changes).toEqual(['open', 'half_open', 'open'])
  })

  it('does not hear calls that began before it opened', () => {
    const { breaker, ticket, pass } = world(2)
    const early = ticket()
    const late = ticket()
    ticket().failure()
    ticket().failure()
    early.success()
    expect(breaker.state).toBe('open')
    pass(1000)
    const probe = ticket()
    late.failure()
    expect(breaker.state).toBe('half_open')
    probe.success()
    expect(breaker.state).toBe('closed')
  })

  it('counts a ticket once', () => {
    const { breaker, ticket } = world(2)
    const one = ticket()
    one.failure()
    one.failure()
    expect(breaker.state).toBe('closed')
  })
})

describe('the breaker of a service that is asked before it works', () => {
  /** A call at a time, as the settlers of a rail use it. */
  function calls(options: BreakerOptions) {
    const breaker = new Breaker(options)
    let ticket: Ticket | null = null
    const enter = (): boolean => {
      const admission = breaker.admit()
      if (admission.ok) ticket = admission.ticket
      return admission.ok
    }
    const end = (how: keyof Ticket) => () => {
      if (ticket === null) enter()
      ticket![how]()
      ticket = null
    }
    return {
      state: () => (breaker.state === 'half_open' ? 'trial' : breaker.state),
      enter,
      failed: end('failure'),
      succeeded: end('success'),
      answered: end('answered'),
      unanswered: end('unanswered'),
    }
  }

  it('opens after failures in a row, lets one trial through, and closes on success', () => {
    let nowMs = 0
    const breaker = calls({ failures: 2, resetMs: 100, nowMs: () => nowMs })
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
    const breaker = calls({ failures: 1, resetMs: 100, nowMs: () => nowMs })
    breaker.failed()
    nowMs = 150
    expect(breaker.enter()).toBe(true)
    nowMs = 250
    expect(breaker.enter()).toBe(true)
  })

  it('forgives questions without an answer when one is answered, and no failed work', () => {
    let nowMs = 0
    const breaker = calls({ failures: 2, resetMs: 100, nowMs: () => nowMs })
    breaker.unanswered()
    breaker.answered()
    breaker.unanswered()
    expect(breaker.state()).toBe('closed')
    breaker.unanswered()
    expect(breaker.state()).toBe('open')
    nowMs = 100
    breaker.answered()
    expect(breaker.state()).toBe('closed')
    breaker.failed()
    breaker.answered()
    breaker.failed()
    expect(breaker.state()).toBe('open')
    nowMs = 200
    breaker.answered()
    expect(breaker.state()).toBe('trial')
  })
})
