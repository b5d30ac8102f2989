import { describe, expect, it } from 'vitest'
import { adminGate } from '../../../kernel/auth/admin.ts'
import { Operators, OWNER, type OperatorDirectory } from '../../../kernel/auth/operators.ts'

const TOKEN = 'operator-token-of-at-least-32-characters'
const bringing = (bearer: string) => ({
  header: (name: string) => (name === 'authorization' ? `Bearer ${bearer}` : null),
})

/** Operators over one directory, and the lines that they log. */
function operatorsOver(directory: OperatorDirectory) {
  const lines: string[] = []
  const log = { error: (_fields: object, message: string) => void lines.push(message) }
  const operators = new Operators(adminGate(TOKEN), log)
  operators.set([directory])
  return { lines, ask: (bearer: string) => operators.identify(bringing(bearer), '192.0.2.1') }
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
})
