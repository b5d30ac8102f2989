/** Rails come and go: what is offered, how documents order them, and what stays reserved. */
import { describe, expect, it } from 'vitest'
import { Cors } from '../../../kernel/http/cors.ts'
import { withoutCredentials } from '../../../kernel/http/incoming.ts'
import { instanceProblem } from '../../../host/plugin-loading/returned.ts'
import { neverPasses } from '../../../kernel/net/foreign-answer.ts'
import type { CredentialSource } from '../../../kernel/auth/contract.ts'
import type { Quote, Rail } from '../../../kernel/rails/contract.ts'
import { isPayingBy, RailRegistry } from '../../../kernel/rails/registry.ts'

const quote = {} as Quote

function rail(id: string, precedence: number, more: Partial<Rail> = {}): Rail {
  return {
    id,
    precedence,
    available: () => ({ ok: true }),
    presented: () => true,
    offer: () => ({ headers: {}, body: { [id]: precedence } }),
    authorize: async () => {
      throw new Error('not called')
    },
    capture: async () => {
      throw new Error('not called')
    },
    release: async () => {},
    stateOf: async () => 'captured',
    ...more,
  }
}

it.each(['Vouchers', '9lives', '', 'with space', 'a'.repeat(41)])('refuses the id %j', (id) => {
  expect(() => new RailRegistry().add(rail(id, 1))).toThrow(/rail id/)
  expect(instanceProblem({ rails: [rail(id, 1)] })).toMatch(/rails.*\.id must be a name like/)
})

describe('the rails of plugins', () => {
  it('are sorted by precedence', () => {
    const rails = new RailRegistry()
    rails.add(rail('credits', 100))
    rails.setOfPlugins([rail('voucher', 50), rail('coins', 10)])
    expect(rails.list().map(({ id }) => id)).toEqual(['coins', 'voucher', 'credits'])
  })

  it('are replaced by another revision in one step, and are the same list while none changes', () => {
    const rails = new RailRegistry()
    rails.add(rail('credits', 100))
    const first = rail('coins', 10)
    rails.setOfPlugins([first])
    const list = rails.list()
    rails.setOfPlugins([first])
    expect(rails.list()).toBe(list)
    const second = rail('coins', 10)
    rails.setOfPlugins([second])
    expect(rails.get('coins')).toBe(second)
    expect(rails.offers(['credits', 'coins'], quote)).toHaveLength(2)
    rails.setOfPlugins([])
    expect(rails.offers(['credits', 'coins'], quote)).toEqual([
      { headers: {}, body: { credits: 100 } },
    ])
  })

  it('cannot take the id of another rail', () => {
    const rails = new RailRegistry()
    const own = rail('credits', 100)
    rails.add(own)
    const impostor = rail('credits', 1)
    const coins = rail('coins', 10)
    const twin = rail('coins', 20)
    expect(rails.setOfPlugins([impostor, coins, twin])).toEqual([impostor, twin])
    expect(rails.get('credits')).toBe(own)
    expect(rails.get('coins')).toBe(coins)
  })
})

describe('the state of a hold', () => {
  it('is open while its rail is not mounted, so that paid work never runs again', async () => {
    const rails = new RailRegistry()
    expect(await rails.stateOf('coins', 'hold')).toBe('open')
    rails.setOfPlugins([rail('coins', 10)])
    expect(await rails.stateOf('coins', 'hold')).toBe('captured')
    rails.setOfPlugins([])
    expect(await rails.stateOf('coins', 'hold')).toBe('open')
  })
})

describe('two payments at once', () => {
  it('are for the rail that goes first, and the other one is not touched', () => {
    const asked: string[] = []
    const reads = (id: string, precedence: number, header: string) =>
      rail(id, precedence, {
        presented(source) {
          asked.push(id)
          return source.header(header) !== null
        },
      })
    const rails = new RailRegistry()
    rails.setOfPlugins([reads('second', 20, 'authorization'), reads('first', 10, 'coin')])
    const both = { header: (name: string) => (name === 'x-api-key' ? null : 'given') }
    expect(rails.presented(['first', 'second'], both, null, quote)?.id).toBe('first')
    expect(asked).toEqual(['first'])
    // A product that does not sell by the first one takes the other.
    expect(rails.presented(['second'], both, null, quote)?.id).toBe('second')
  })

  it('are looked for where a request has a place for them', () => {
    const asked: string[] = []
    const reads = (id: string, requestHeaders: Rail['requestHeaders']) =>
      rail(id, 10, {
        requestHeaders,
        presented() {
          asked.push(id)
          return false
        },
      })
    const rails = new RailRegistry()
    const coin = { name: 'Coin', description: 'a coin' }
    rails.setOfPlugins([reads('named', [coin]), reads('unnamed', undefined)])
    const askedOf = (brought: CredentialSource) => {
      asked.length = 0
      expect(rails.presented(['named', 'unnamed'], brought, null, quote)).toBeNull()
      return asked
    }
    const none = { header: () => null }
    expect(askedOf(none)).toEqual(['unnamed'])
    expect(askedOf({ ...none, meta: {} })).toEqual(['unnamed'])
    expect(askedOf({ ...none, meta: { coin: '1' } })).toEqual(['named', 'unnamed'])
    expect(askedOf({ header: (name) => (name === 'coin' ? '1' : null) })).toEqual([
      'named',
      'unnamed',
    ])
    expect(askedOf({ header: (name) => (name === 'x-request-id' ? 'id' : null) })).toEqual([
      'named',
      'unnamed',
    ])
  })

  it('may come by Authorization, of which the scheme decides', () => {
    const source = (authorization: string | null) => ({ header: () => authorization })
    expect(isPayingBy(source('Payment abc'), 'Authorization')).toBe(true)
    for (const key of ['Bearer ck_live', 'bearer', ' BEARER x', null])
      expect(isPayingBy(source(key), 'authorization')).toBe(false)
    expect(isPayingBy(source('Bearer x'), 'payment-authorization')).toBe(true)
  })
})

describe("a rail's headers", () => {
  const shown = rail('coins', 10, {
    requestHeaders: [{ name: 'Coin-Inserted', description: 'A coin' }],
    answerHeaders: [{ name: 'Coin-Wanted', description: 'A price', isOffer: true }],
  })
  const request = new Request('http://gw.example/', { headers: { origin: 'https://a.example' } })

  it('are allowed and exposed to pages while it is mounted', () => {
    const rails = new RailRegistry()
    const cors = new Cors(rails)
    const exposed = () =>
      cors.add(request, new Response()).headers.get('access-control-expose-headers')!.split(', ')
    const allowed = () =>
      cors
        .preflight(request, ['GET'], true)
        .headers.get('access-control-allow-headers')!
        .split(', ')
    expect(exposed()).not.toContain('Coin-Wanted')
    rails.setOfPlugins([shown])
    expect(exposed()).toContain('Coin-Wanted')
    expect(allowed()).toContain('Coin-Inserted')
    rails.setOfPlugins([])
    expect(exposed()).not.toContain('Coin-Wanted')
    expect(allowed()).not.toContain('Coin-Inserted')
  })

  it('are listed once, also where two things declare them', () => {
    const authorized = rail('coins', 10, {
      requestHeaders: [{ name: 'authorization', description: 'By a scheme of its own' }],
    })
    const other = [
      { requestHeaders: [{ name: 'Seat' }], answerHeaders: [{ name: 'Seat-Receipt' }] },
    ]
    const rails = new RailRegistry()
    rails.setOfPlugins([authorized])
    const { headers } = new Cors(rails, { list: () => other }).preflight(request, ['GET'], true)
    const allowed = headers.get('access-control-allow-headers')!.split(', ')
    expect(allowed).toContain('Seat')
    expect(allowed.filter((name) => name.toLowerCase() === 'authorization')).toHaveLength(1)
    const response = new Cors(rails, { list: () => other }).add(request, new Response())
    expect(response.headers.get('access-control-expose-headers')).toMatch(/Seat-Receipt/)
  })

  it('reach no skill and come from no upstream, also once it has gone', () => {
    const rails = new RailRegistry()
    rails.setOfPlugins([shown])
    rails.setOfPlugins([])
    const headers = new Headers({ 'coin-inserted': 'c', 'x-own': '1' })
    expect([...withoutCredentials(headers).keys()]).toEqual(['x-own'])
    expect(neverPasses('Coin-Wanted')).toBe(true)
  })
})

describe('a rail that throws', () => {
  const thrown = (): never => {
    throw new Error('the rail is broken')
  }
  const source = (headers: Record<string, string>) => ({
    header: (name: string) => headers[name.toLowerCase()] ?? null,
  })
  const all = ['credits', 'coins']
  function withBroken(more: Partial<Rail>) {
    const errors: object[] = []
    const rails = new RailRegistry({ error: (fields) => errors.push(fields) })
    rails.add(rail('credits', 100))
    rails.setOfPlugins([rail('coins', 10, more)])
    return { rails, errors }
  }

  it.each([{ available: thrown }, { offer: thrown }])('offers nothing: %o', (more) => {
    const { rails, errors } = withBroken(more)
    expect(rails.offers(all, quote)).toEqual([{ headers: {}, body: { credits: 100 } }])
    expect(rails.sellers(all, quote).map(({ id }) => id)).toEqual(['credits'])
    expect(errors).toContainEqual({ err: expect.any(Error), rail: 'coins' })
  })

  it('is not available', () => {
    expect(withBroken({ available: thrown }).rails.available('coins').ok).toBe(false)
  })

  it('keeps no caller from paying by another', () => {
    const { rails } = withBroken({ presented: thrown })
    expect(rails.presented(all, source({ 'x-api-key': 'k' }), null, quote)?.id).toBe('credits')
  })

  it('pays by no other where its own credential may be', () => {
    const { rails } = withBroken({
      presented: thrown,
      requestHeaders: [{ name: 'Coin', description: 'a coin' }],
    })
    expect(() => rails.presented(all, source({ coin: '1' }), null, quote)).toThrow(/broken/)
    const inMeta = { ...source({}), meta: { 'coins/coin': '1' } }
    expect(() => rails.presented(all, inMeta, null, quote)).toThrow(/broken/)
  })
})
