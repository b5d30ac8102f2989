/** How a listening gateway stops: what is not answered in time is cut off, and answered all the same. */
import { Elysia } from 'elysia'
import { expect, it } from 'vitest'
import { AddressError, listen, type createApp } from '../../../kernel/http/app.ts'
import { keepPort } from '../../../kernel/compose/kept-port.ts'
import type { Config } from '../../../kernel/config/config.ts'

it('a request that outlasts the shutdown gets the answer of the cut', async () => {
  const begun = Promise.withResolvers<void>()
  const cut = Promise.withResolvers<string>()
  const app = new Elysia().get('/', () => {
    begun.resolve()
    return cut.promise
  })
  const listening = listen(app as unknown as ReturnType<typeof createApp>, '127.0.0.1', 0)
  const answer = fetch(`http://127.0.0.1:${listening.port}/`)
  await begun.promise
  await listening.stop(0, () => {
    cut.resolve('cut off')
    return true
  })
  expect(await (await answer).text()).toBe('cut off')
})

it('a stream that outlasts the shutdown is cut as soon as no call is to be ended', async () => {
  const app = new Elysia().get(
    '/',
    () => new Response(new ReadableStream({ start: (to) => to.enqueue(' ') })),
  )
  const listening = listen(app as unknown as ReturnType<typeof createApp>, '127.0.0.1', 0)
  const answer = await fetch(`http://127.0.0.1:${listening.port}/`)
  let looks = 0

  await listening.stop(0, () => ++looks < 3)
  expect(looks).toBe(3)
  await expect(answer.text()).rejects.toThrow()
})

it('a free port of an address that is not of this machine is refused as the address', () => {
  // TEST-NET-3 of RFC 5737 is nobody's.
  const config = { host: '203.0.113.9', port: 0 } as Config
  expect(() => keepPort(config)).toThrow(AddressError)
})
