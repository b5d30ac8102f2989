/** Long bodies in memory: as many as the budget has room for, whoever sends them and however it ends. */
import { expect, it } from 'vitest'
import { BodyBudget, BodyReader } from '../../../kernel/http/body.ts'

const MIB = 1_048_576
const LIMIT = 8 * MIB

/** A request whose body is sent MiB by MiB with `send`, and ended by `end` or `breakOff`. */
function upload(declaredMib: number | null = null) {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) })
  const headers = new Headers()
  if (declaredMib !== null) headers.set('content-length', String(declaredMib * MIB))
  return {
    request: new Request('http://localhost/', { method: 'POST', body, headers }),
    send: (mib: number) => {
      for (let left = mib; left > 0; left--) controller.enqueue(new Uint8Array(MIB))
    },
    end: () => controller.close(),
    breakOff: () => controller.error(new Error('gone')),
  }
}
async function read(
  budget: BodyBudget,
  mib: number,
  declaredMib: number | null = null,
  share = 'key:a',
) {
  const sender = upload(declaredMib)
  const reader = new BodyReader(sender.request, { limitBytes: LIMIT, budget, share })
  sender.send(mib)
  sender.end()
  const body = await reader.read()
  return { reader, got: body instanceof Uint8Array ? body.byteLength / MIB : body.code }
}

it('are refused while others fill the budget, and taken once those are done', async () => {
  const budget = new BodyBudget(6 * MIB, 6 * MIB)
  const first = await read(budget, 4)
  expect(first.got).toBe(4)
  const second = await read(budget, 4, 4)
  expect(second.got).toBe('RATE_LIMITED')
  second.reader.done()
  expect((await read(budget, 2)).got).toBe(2)
  expect((await read(budget, 1)).got).toBe(1)
  first.reader.done()
  first.reader.done()
  expect((await read(budget, 4)).got).toBe(4)
  expect((await read(budget, 2)).got).toBe('RATE_LIMITED')
})

it('count what has come, not what was announced, and nothing once they broke off', async () => {
  const budget = new BodyBudget(6 * MIB, 6 * MIB)
  const slow = upload(8)
  const reader = new BodyReader(slow.request, { limitBytes: LIMIT, budget, share: 'key:a' })
  const reading = reader.read().catch(() => 'broken')
  slow.send(2)
  await Bun.sleep(20)
  const beside = await read(budget, 4)
  expect(beside.got).toBe(4)
  expect((await read(budget, 2)).got).toBe('RATE_LIMITED')
  slow.breakOff()
  expect(await reading).toBe('broken')
  reader.done()
  expect((await read(budget, 2)).got).toBe(2)
})

it('are refused over the limit before they fill anything', async () => {
  const budget = new BodyBudget(100 * MIB, 100 * MIB)
  for (const declared of [9, null]) {
    const { got, reader } = await read(budget, 9, declared)
    expect(got).toBe('INVALID_INPUT')
    reader.done()
  }
})

it('leave room for others, however many one sender sends', async () => {
  const budget = new BodyBudget(12 * MIB, 3 * MIB)
  const mine = await read(budget, 3, 3, 'address:192.0.2.1')
  expect(mine.got).toBe(3)
  expect((await read(budget, 2, 2, 'address:192.0.2.1')).got).toBe('RATE_LIMITED')
  const others = await read(budget, 3, 3, 'address:192.0.2.2')
  expect(others.got).toBe(3)
  mine.reader.done()
  expect((await read(budget, 2, 2, 'address:192.0.2.1')).got).toBe(2)
})

it("may be larger than one sender's part when they are its only one", async () => {
  const budget = new BodyBudget(12 * MIB, 3 * MIB)
  const large = await read(budget, 6, 6, 'address:192.0.2.1')
  expect(large.got).toBe(6)
  expect((await read(budget, 2, 2, 'address:192.0.2.1')).got).toBe('RATE_LIMITED')
  expect((await read(budget, 6, 6, 'address:192.0.2.2')).got).toBe(6)
})

it('are refused when they stop coming, and count no more', async () => {
  const budget = new BodyBudget(6 * MIB, 6 * MIB)
  const slow = upload(8)
  const pace = { graceMs: 5, bytesPerSecond: 1024 * MIB }
  const reader = new BodyReader(slow.request, { limitBytes: LIMIT, budget, share: 'a', pace })
  slow.send(5)
  expect(await reader.read()).toMatchObject({ code: 'TIMEOUT', status: 408 })
  reader.done()
  expect((await read(budget, 6)).got).toBe(6)
})

it('are refused when they stop coming, short ones too', async () => {
  const slow = upload(1)
  const pace = { graceMs: 5, bytesPerSecond: 1024 * MIB }
  const budget = new BodyBudget(6 * MIB, 6 * MIB)
  const reader = new BodyReader(slow.request, { limitBytes: LIMIT, budget, share: 'a', pace })
  expect(await reader.read()).toMatchObject({ code: 'TIMEOUT', status: 408 })
})

it('that their sender breaks off are no failure of ours', async () => {
  const budget = new BodyBudget(6 * MIB, 6 * MIB)
  const gone = upload(8)
  const reader = new BodyReader(gone.request, { limitBytes: LIMIT, budget, share: 'a' })
  const reading = reader.read()
  gone.send(2)
  gone.breakOff()
  await expect(reading).rejects.toMatchObject({
    failure: { code: 'INVALID_INPUT', details: { reason: 'aborted' } },
  })
})
