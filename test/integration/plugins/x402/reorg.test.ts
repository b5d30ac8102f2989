/** A settlement that the chain undoes after its answer was given is made again, while it can be. */
import { afterEach, expect, it, vi } from 'vitest'
import { answerOf } from '../../../support/outcomes.ts'
import { PATIENT } from '../../../support/patience.ts'
import { rpc } from '../../../support/x402/chain.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { echoSkill, x402Instances } from '../../../support/x402/instances.ts'
import { encode } from '../../../support/x402/payments.ts'
import { QUICK } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received } = ground
const work = echoSkill()
const open = x402Instances(ground, work)

afterEach(() => {
  vi.restoreAllMocks()
})

interface Block {
  transactions: string[]
}

/** No second look is due until `clockGoesOn`, however slow the machine. */
const clockStands = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())
const clockGoesOn = () => vi.restoreAllMocks()
const looksTwice = () =>
  open({
    timing: {
      ...QUICK,
      settleTimeoutMs: 30_000,
      raiseAfterMs: 200,
      reconcileEveryMs: 50,
      recheckAfterMs: 300,
    },
  })
/** Blocks that stay, below the one that goes. */
async function blocksThatStay(): Promise<void> {
  for (let block = 0; block < 3; block++) await rpc(ground.chain, 'evm_mine')
}
const undoLastBlock = () => rpc(ground.chain, 'anvil_reorg', [1, []])

it('settles again what a reorganisation undid, once', async () => {
  const gateway = await looksTwice()
  const payment = await gateway.signed()
  await blocksThatStay()
  const before = await received()
  const ranBefore = work.runs
  clockStands()
  expect((await gateway.pay(payment)).kind).toBe('answer')
  await undoLastBlock()
  expect(await received()).toBe(before)
  clockGoesOn()
  await vi.waitFor(async () => {
    expect((await received()) - before).toBe(10_000n)
    expect(answerOf(await gateway.pay(payment)).replayed).toBe(true)
  }, PATIENT)
  expect(work.runs - ranBefore).toBe(1)
})

it('settles again what failed when it was mined again', async () => {
  const gateway = await looksTwice()
  const payment = await gateway.signed()
  await blocksThatStay()
  const before = await received()
  clockStands()
  expect((await gateway.pay(payment)).kind).toBe('answer')
  const latest = await rpc<Block>(ground.chain, 'eth_getBlockByNumber', ['latest', false])
  const [transaction] = latest.transactions
  const raw = await rpc<string>(ground.chain, 'eth_getRawTransactionByHash', [transaction])
  await undoLastBlock()
  const { asset } = await gateway.asked()
  const code = await rpc<string>(ground.chain, 'eth_getCode', [asset, 'latest'])
  // As where the payer had spent the money meanwhile.
  await rpc(ground.chain, 'anvil_setCode', [asset, '0xfe'])
  await rpc(ground.chain, 'eth_sendRawTransaction', [raw])
  await rpc(ground.chain, 'anvil_setCode', [asset, code])
  expect(await rpc(ground.chain, 'eth_getTransactionReceipt', [transaction])).toMatchObject({
    status: '0x0',
  })
  clockGoesOn()
  await vi.waitFor(async () => expect((await received()) - before).toBe(10_000n), PATIENT)
})

it.each(['call', 'ahead'])(
  'settles again what a reorganisation undid while no gateway ran (%s)',
  async (by) => {
    const gateway = await looksTwice()
    const payment = await gateway.signed()
    await blocksThatStay()
    const before = await received()
    clockStands()
    if (by === 'call') expect((await gateway.pay(payment)).kind).toBe('answer')
    else {
      const quote = gateway.quotes.http(work)
      const order = { quote, requestId: 'ahead', paymentSignature: encode(payment), keyId: null }
      expect(await gateway.desk.settle(order)).toMatchObject({ ok: true })
    }
    await gateway.rail.stop()
    await undoLastBlock()
    expect(await received()).toBe(before)
    clockGoesOn()
    await looksTwice()
    await vi.waitFor(async () => expect((await received()) - before).toBe(10_000n), PATIENT)
  },
)
