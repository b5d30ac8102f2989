/** The reference facilitator in its strict form, and unmodified clients that pay through it. */
import { ExactEvmScheme } from '@x402/evm'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { describe, expect, it } from 'vitest'
import { withoutChain } from '../support/x402/chain.ts'
import { challengeOf, post, until, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'

const without = withoutChain('the reference facilitator on a local chain')

describe.skipIf(without)('the facilitator of @x402/core that settles only what it verified', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { start, settlingBy } = x402Gateways(ground)

  it.each([true, false])(
    'is paid through by @x402/fetch, exact and upto (gateway with a node: %s)',
    async (hasNode) => {
      const remote = ground.facilitator([], { isStrict: true, listsUpto: true })
      const gateway = await start(
        hasNode ? settlingBy(remote) : { X402_FACILITATOR_URL: remote.url },
      )
      await until(async () => {
        const { accepts } = (await challengeOf(gateway)) as { accepts: { scheme: string }[] }
        return accepts.some(({ scheme }) => scheme === 'upto')
      })
      for (const scheme of [new ExactEvmScheme(ground.buyer), new UptoEvmScheme(ground.buyer)]) {
        const before = await ground.received()
        const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', scheme))
        const answer = await pay(`${gateway.url}/v1/paid/echo`, post({ message: 'hi' }))
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('hi')])
        expect(await ground.received()).toBeGreaterThan(before)
        const [verified, settled] = [remote.asked.verify.at(-1)!, remote.asked.settle.at(-1)!]
        expect(settled.paymentPayload).toEqual(verified.paymentPayload)
        expect(settled.paymentPayload['extensions']).toMatchObject({ bazaar: expect.anything() })
      }
      expect(remote).toMatchObject({ verifies: 2, settles: 2 })
    },
  )
})
