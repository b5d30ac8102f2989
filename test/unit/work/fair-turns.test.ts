/** Turns: who sends much waits for himself. */
import { expect, it } from 'vitest'
import { FairTurns } from '../../../host/json-slices/fair-turns.ts'

/** Work that ends when it is told to, and says in `begun` that it began. */
function pieces(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, (failed: boolean) => void>()
  return {
    begun,
    add: (share: string, name: string) =>
      turns.run(share, () => {
        begun.push(name)
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (failed) => (failed ? reject(new Error(name)) : resolve(name)))
        })
      }),
    end: (name: string, failed = false) => ends.get(name)!(failed),
  }
}

it('go from one share to the next, one piece of each at a time', async () => {
  const turns = new FairTurns(2)
  const { begun, add, end } = pieces(turns)
  const first = add('a', 'a1')
  const others = ['a2', 'a3'].map((name) => add('a', name))
  const b1 = add('b', 'b1')
  const b2 = add('b', 'b2')
  const c1 = add('c', 'c1')
  expect(begun).toEqual(['a1', 'b1'])
  expect(turns.waiting).toBe(4)
  end('a1')
  expect(await first).toBe('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  end('b1')
  await b1
  expect(begun.at(-1)).toBe('a2')
  end('c1')
  await c1
  expect(begun.at(-1)).toBe('b2')
  end('a2')
  expect(await others[0]).toBe('a2')
  expect(begun.at(-1)).toBe('a3')
  end('a3')
  end('b2')
  await Promise.all([others[1], b2])
  expect(turns.waiting).toBe(0)
})

it('go on after work that failed', async () => {
  const turns = new FairTurns(1)
  const { begun, add, end } = pieces(turns)
  const failing = add('a', 'a1')
  const next = add('a', 'a2')
  end('a1', true)
  await expect(failing).rejects.toThrow('a1')
  expect(begun).toEqual(['a1', 'a2'])
  end('a2')
  expect(await next).toBe('a2')
})
