import { describe, expect, it } from 'vitest'
import { Operators, OWNER, type OperatorDirectory } from '../../../kernel/auth/operators.ts'

const TOKEN = 'operator-token-of-at-least-32-characters'
const bringing = (bearer: string) => ({
  header: (name: string) => (name === 'authorization' ? `Bearer ${bearer}` : null),
})

/** Operators over one directory, the lines that they log, and the hands of their clock. */
function operatorsOver(directory: OperatorDirectory) {
  const lines: string[] = []
  const warnings: object[] = []
  const log = {
    error: (_fields: object, message: string) => void lines.push(message),
    warn: (fields: object) => void warnings.push(fields),
  }
  const clock = { nowMs: 0 }
  const operators = new Operators(TOKEN, log, () => clock.nowMs)
  operators.set([directory])
  const ask = (bearer: string, from = '192.0.2.1') => operators.identify(bringing(bearer), from)
  return { lines, warnings, clock, ask }
}

describe('operators', () => {
  it('the admin token is its owner, and no directory is asked for it', async () => {
    const { ask } = operatorsOver({ identify: () => Promise.reject(new Error('asked')) })
    expect(await ask(TOKEN)).toEqual({ ok: true, operator: OWNER })
  })

  it('a directory that is away is logged once, and again when it goes away anew', async () => {
    let isAway = true
    const ada = { name: 'ada', role: 'read' } as const
    const { ask, lines } = operatorsOver({
      identify: async () => {
        if (isAway) throw new Error('no database')
        return ada
      },
    })
    for (let call = 0; call < 3; call++) expect(await ask('ca_x')).toMatchObject({ status: 503 })
    expect(lines).toHaveLength(1)
    isAway = false
    expect(await ask('ca_x')).toEqual({ ok: true, operator: ada })
    isAway = true
    expect(await ask('ca_x')).toMatchObject({ status: 503 })
    expect(lines).toHaveLength(2)
  })

  it('a directory that is away is one line a minute, whatever strangers send between', async () => {
    const { ask, lines, clock } = operatorsOver({
      identify: async (bearer) => {
        if (bearer === 'no token') return null
        throw new Error('no database')
      },
    })
    for (let call = 0; call < 5; call++) {
      expect(await ask('ca_x')).toMatchObject({ status: 503 })
      expect(await ask('no token')).toMatchObject({ status: 401 })
    }
    expect(lines).toHaveLength(1)
    clock.nowMs = 60_000
    await ask('ca_x')
    expect(lines).toHaveLength(2)
  })

  it('bearers of nobody are one line a minute, with their number and no token', async () => {
    const { ask, warnings, clock } = operatorsOver({ identify: async () => null })
    await ask('ca_live_first')
    for (let call = 0; call < 4; call++) await ask(`ca_live_${call}`, '198.51.100.2')
    // Who brings none, or the key of a customer, tries nothing, and who is right is no news.
    await ask('')
    await ask(TOKEN)
    await ask('ck_live_abc')
    expect(warnings).toEqual([{ count: 1, clientAddress: '192.0.2.1' }])
    clock.nowMs = 60_000
    await ask('ca_live_last', '203.0.113.3')
    expect(warnings.slice(1)).toEqual([{ count: 5, clientAddress: '203.0.113.3' }])
    expect(JSON.stringify(warnings)).not.toContain('ca_live')
  })
})
