/**
 * How many files of the kernel and the plugins one warm paid call crosses, by prepaid credits and by
 * x402 on the sandbox chain, with their names: `bun test/bench/crossings.ts`. A file is crossed when
 * one of its functions is entered between the request and the end of its answer. Background work
 * falls into some of these times as well, so only files that every one of CALLS calls crosses count.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'

const CALLS = 12
const WARM_CALLS = 5
/** Between two calls, so that what follows an answer is not counted for the next call. */
const PAUSE_MS = 200
const PATH = '/v1/paid/echo'
const LIMITS = { prepaid: 40, x402: 60 }

const folder = mkdtempSync(join(tmpdir(), 'coinop-crossings-'))
const socket = join(folder, 'control')
const gateway = await startGateway({
  PORT: String(await freePort()),
  BUN_OPTIONS: `--preload ${resolve(import.meta.dirname, 'lib/record-crossings.ts')}`,
  CROSSINGS_SOCKET: socket,
})
const recorded = async (step: 'begin' | 'end'): Promise<string[]> =>
  (await fetch(`http://recorder/${step}`, { unix: socket })).json()

/** Files that each of CALLS calls crosses, sorted. */
async function crossedBy(headersOf: () => Promise<Record<string, string>>): Promise<string[]> {
  const crossed: Set<string>[] = []
  for (let call = 0; call < WARM_CALLS + CALLS; call++) {
    const headers = { 'content-type': 'application/json', ...(await headersOf()) }
    await Bun.sleep(PAUSE_MS)
    await recorded('begin')
    const answer = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers,
      body: '{"message":"hello"}',
    })
    const text = await answer.text()
    const files = new Set(await recorded('end'))
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
    if (call >= WARM_CALLS) crossed.push(files)
  }
  const [first, ...others] = crossed
  return [...first!].filter((file) => others.every((files) => files.has(file))).toSorted()
}

try {
  const { key } = await gateway.key(1000)
  const unpaid = await fetch(gateway.url + PATH, { method: 'POST', body: '{"message":"hello"}' })
  const requirements = requirementsIn(decode(unpaid.headers.get('payment-required')))
  const account = privateKeyToAccount(TEST_WALLET.privateKey)
  const crossed = {
    prepaid: await crossedBy(async () => ({ 'x-api-key': key })),
    x402: await crossedBy(async () => ({
      'payment-signature': encode(await signPayment(account, requirements)),
    })),
  }
  for (const rail of ['prepaid', 'x402'] as const) {
    const files = crossed[rail]
    console.log(`${rail}: ${files.length} files (at most ${LIMITS[rail]})`)
    for (const file of files) console.log(`  ${file}`)
  }
} finally {
  await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
}
