/**
 * What a wallet call costs beside a key call, in one run: by a proof of one call, and by a session.
 * Proofs are signed beforehand; CPU is that of the gateway's process. Unpaid calls stand beside, with
 * the sign-in in their 402 and without.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { startGateway } from '../support/gateway.ts'
import { proofFor, signInIn } from '../support/wallet.ts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { median, runLoad } from './lib/load.ts'
import { cpuSeconds } from './lib/process.ts'
import { formatNumber, formatTable } from './lib/table.ts'

const CALLERS = 32
const ROUNDS = 3
const ROUND_MS = 1500
const PROOFS = Number(process.argv[2] ?? 3000)
const ECHO = '/v1/paid/echo'
const TOPUP = '/v1/credits/topup/x402'

const env = { LOG_LEVEL: 'error', RATE_LIMIT_RPM: '1000000', RATE_LIMIT_BURST: '100000' }
const gateway = await startGateway(env)
const plain = await startGateway({ ...env, WALLET_CREDITS: 'false' })
const told = await gateway.admin('GET', '/v1/x402/sandbox')
const buyer = privateKeyToAccount(told.json.wallet.privateKey)
const order = { amountUsd: 900, wallet: true }
const unpaid = await gateway.call('POST', TOPUP, { body: order })
const requirements = requirementsIn(decode(unpaid.headers.get('payment-required')))
const payment = encode(await signPayment(buyer, requirements))
const bought = await gateway.call('POST', TOPUP, {
  body: order,
  headers: { 'payment-signature': payment },
})
if (bought.status !== 200) throw new Error(bought.text)

async function proofs(path: string, count: number): Promise<string[]> {
  const made: string[] = []
  for (let number = 0; number < count; number++) {
    const answer = await gateway.call('POST', path, { body: {} })
    made.push(await proofFor(signInIn(answer)!, buyer))
  }
  return made
}
const [forSession] = await proofs('/v1/wallets/session', 1)
const session = await gateway.call('POST', '/v1/wallets/session', {
  headers: { 'sign-in-with-x': forSession! },
})
const { key } = await gateway.key(1_000_000)
console.log(`signing ${PROOFS} proofs for each of ${ROUNDS} rounds`)
const pool = await proofs(ECHO, PROOFS * (ROUNDS + 1))

const fixed = (headers: Record<string, string>) => () => headers
const subjects = [
  { name: 'API key', headers: fixed({ 'x-api-key': key }), status: 200 },
  {
    name: 'session of a wallet',
    headers: fixed({ authorization: `Bearer ${session.json.token}` }),
    status: 200,
  },
  {
    name: 'proof of a wallet',
    headers: () => ({ 'sign-in-with-x': pool.pop()! }),
    status: 200,
    calls: PROOFS,
  },
  { name: 'unpaid, sign-in offered', headers: fixed({}), status: 402 },
  { name: 'unpaid, no sign-in', headers: fixed({}), status: 402, at: plain },
]

const rows: string[][] = []
let base = 0
for (const { name, headers, status, calls = Infinity, at = gateway } of subjects) {
  const results = []
  const cpuUs: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = cpuSeconds(at.pid)
    let left = calls
    let count = 0
    const operation = async (): Promise<void> => {
      // Proofs are counted: once they are gone, the round waits for its end.
      if (left <= 0) return Bun.sleep(5)
      left -= 1
      const response = await fetch(at.url + ECHO, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers() },
        body: '{"message":"hello"}',
      })
      await response.arrayBuffer()
      if (response.status !== status) throw new Error(`${name}: ${response.status}`)
      count += 1
    }
    const result = await runLoad({ callers: CALLERS, durationMs: ROUND_MS, operation })
    // The first round warms up.
    if (round === 0) continue
    results.push(result)
    cpuUs.push(((cpuSeconds(at.pid) - before) / count) * 1e6)
  }
  const cpu = cpuUs.sort((a, b) => a - b)[ROUNDS >> 1]!
  if (base === 0) base = cpu
  const rate = calls === Infinity ? formatNumber(median(results).perSecond) : '–'
  rows.push([name, rate, formatNumber(cpu), `${(cpu / base).toFixed(2)} x`])
}
console.log(`1 credit echo, ${CALLERS} callers, median of ${ROUNDS}`)
console.log(formatTable(['caller', 'calls/s', 'µs CPU', 'of a key call'], rows))
await Promise.all([gateway.stop(), plain.stop()])
