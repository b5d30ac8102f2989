/**
 * How many files of the gateway, those of the kernel, of the plugins and beside them, one warm paid
 * call crosses, by prepaid credits and by x402 on the sandbox chain: `bun test/bench/crossings.ts`
 * prints both numbers and, for each file, the lines of the functions that were entered.
 *
 * A file is crossed when one of its functions is entered between the request and the end of its
 * answer: declared, arrow or method, getters and constructors as well, of one line or of many. A file
 * of types, tables and constants is never entered and does not count. Nothing is left out by name:
 * the skill, the driver of the database and the log count like the rest. Background work falls into
 * some of these times too, so only files that every one of CALLS calls crosses count. The
 * gateway runs with its default log level, so that a call writes its line.
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
  LOG_LEVEL: 'info',
})
const recorded = async (step: 'begin' | 'end'): Promise<string[]> =>
  (await fetch(`http://recorder/${step}`, { unix: socket })).json()

/** Files that each of CALLS calls crosses, sorted, with the lines of the functions entered. */
async function crossedBy(
  headersOf: () => Promise<Record<string, string>>,
): Promise<Map<string, number[]>> {
  const entered: Set<string>[] = []
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
    const functions = new Set(await recorded('end'))
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
    if (call >= WARM_CALLS) entered.push(functions)
  }
  const fileOf = (place: string): string => place.split(':')[0]!
  const crossed = entered.map((functions) => new Set([...functions].map(fileOf)))
  const always = [...crossed[0]!].filter((file) => crossed.every((files) => files.has(file)))
  const places = [...new Set(entered.flatMap((functions) => [...functions]))]
  return new Map(
    always.toSorted().map((file) => {
      const own = places.filter((place) => fileOf(place) === file)
      return [file, own.map((place) => Number(place.split(':')[1])).toSorted((x, y) => x - y)]
    }),
  )
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
    console.log(`${rail}: ${files.size} files (at most ${LIMITS[rail]})`)
    for (const [file, lines] of files) console.log(`  ${file} ${lines.join(' ')}`)
  }
} finally {
  await gateway.stop()
  rmSync(folder, { recursive: true, force: true })
}
