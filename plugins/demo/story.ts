/**
 * The story that `coinop demo` tells: a product launched by its spec, a 402, x402 and prepaid
 * payments, failures that cost nothing, a replay, and the ledger that proves itself.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { EXIT, formatUsd, type PluginCommandContext } from '#kernel'
import { proofFor } from './sign-in.ts'
import type { DemoWallet } from './wallet.ts'

/** A product whose upstream answers 500 to everything: its work always fails. */
const brokenProduct = (upstreamUrl: string): string => `
product_id: broken
title: A broken upstream
base_path: /v1/broken
metered: true
upstream: { url: "${upstreamUrl}", allow_private: true, timeout: 2s }
skills:
  - { id: broken.call, title: Fails, description: Always fails., route: POST /call, price: { credits: 3 }, input: { type: object } }
`

/** Where the story is played. */
export interface Stage {
  url: string
  adminToken: string
  /** An HTTP API that answers 500 to everything. */
  brokenUpstreamUrl: string
  /** Null: no x402 wallet with test money. */
  wallet: DemoWallet | null
  verify: PluginCommandContext['verifyLedger']
  say: PluginCommandContext['say']
  warn: PluginCommandContext['warn']
}

/** What the 402 asks for on chain. */
interface ChainOffer {
  network: string
  asset: Address
  maxAmountRequired: string
  payTo: Address
}

interface Told {
  status: number
  headers: Headers
  json: Record<string, unknown>
}

/** The steps in the order they are told; each says what it does, shows what came and checks it. */
export class Story {
  readonly #stage: Stage
  readonly #failures: string[] = []
  #step = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Every step; the exit code says whether all of them went as told. */
  async tell(): Promise<number> {
    await this.#launchBroken()
    try {
      const offer = await this.#unpaid()
      const { wallet } = this.#stage
      if (wallet && offer) {
        await this.#payWithX402(wallet, offer)
        await this.#buyOnceAndSignIn(wallet)
      } else
        this.#stage.warn(
          '   (x402 is closed: there is no chain to pay on, so that part is left out)',
        )
      await this.#payWithCredits()
    } finally {
      await this.#sendAsAdmin('DELETE', '/v1/admin/products/broken')
    }
    await this.#verify()
    if (this.#failures.length === 0) {
      this.#say('\nEverything went as told.')
      return EXIT.ok
    }
    for (const failure of this.#failures) this.#stage.warn(`   not as told: ${failure}`)
    return EXIT.failed
  }

  async #launchBroken(): Promise<void> {
    this.#title('Dropping a spec launches a product: any HTTP API, here one that always fails')
    const spec = brokenProduct(this.#stage.brokenUpstreamUrl)
    const answer = await this.#sendAsAdmin('PUT', '/v1/admin/products/broken', spec)
    this.#say(`   ${answer.status} ${JSON.stringify(answer.json)}`)
    this.#expect('the product is mounted', answer.status < 300)
  }

  /** The first offer on chain; null: the 402 offers no x402. */
  async #unpaid(): Promise<ChainOffer | null> {
    this.#title('An unpaid call gets a 402 that says how to pay')
    const answer = await this.#send('POST', '/v1/paid/hash', { input: 'hello' })
    if (answer.status !== 402)
      throw new Error(
        `POST /v1/paid/hash answers ${answer.status}: the story needs the product demo (products/demo.yaml)`,
      )
    const accepts = (answer.json['accepts'] as ChainOffer[] | undefined) ?? []
    const problem = answer.json['problem'] as { code: string; message: string }
    this.#say(`   ${answer.status} ${problem.code}: ${problem.message}`)
    for (const offer of accepts)
      this.#say(
        `   x402: ${offer.maxAmountRequired} atomic USDC on ${offer.network} to ${offer.payTo}`,
      )
    return accepts[0] ?? null
  }

  async #payWithX402(wallet: DemoWallet, { asset, payTo }: ChainOffer): Promise<void> {
    const buyer = privateKeyToAccount(wallet.privateKey)
    const client = new x402Client()
    client.register('eip155:*', new ExactEvmScheme(buyer))
    let signature: string | null = null
    const remember = (async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      signature = request.headers.get('payment-signature') ?? signature
      return fetch(request)
    }) as typeof fetch
    const pay = wrapFetchWithPayment(remember, client)
    const showBalances = async (when: string): Promise<bigint> => {
      const [mine, theirs] = await Promise.all([
        wallet.balanceOf(asset, buyer.address),
        wallet.balanceOf(asset, payTo),
      ])
      this.#say(`   ${when}: buyer ${formatUsd(mine)} USDC, gateway ${formatUsd(theirs)} USDC`)
      return mine
    }

    this.#title('An unmodified @x402/fetch client pays the same call on chain')
    await showBalances('before')
    const paid = await this.#told(
      await pay(`${this.#stage.url}/v1/paid/hash`, post({ input: 'hello' })),
    )
    this.#say(`   ${paid.status} ${JSON.stringify(paid.json)}`)
    this.#say(`   receipt: ${atob(paid.headers.get('payment-response') ?? '')}`)
    const after = await showBalances('after')
    this.#expect('status 200', paid.status === 200)

    this.#title('The same payment sent again: the stored answer, no second transfer')
    const again = await this.#send(
      'POST',
      '/v1/paid/hash',
      { input: 'hello' },
      { 'payment-signature': signature ?? '' },
    )
    const afterReplay = await showBalances('after')
    this.#say(
      `   ${again.status}, Idempotency-Replayed: ${again.headers.get('idempotency-replayed') ?? 'no'}`,
    )
    this.#expect('the same answer', JSON.stringify(again.json) === JSON.stringify(paid.json))
    this.#expect('nothing paid twice', afterReplay === after)

    this.#title('Work that fails is not settled')
    const failed = await this.#told(await pay(`${this.#stage.url}/v1/broken/call`, post({})))
    const unchanged = (await showBalances('after')) === after
    this.#say(`   ${failed.status} ${(failed.json['error'] as { code: string }).code}`)
    this.#expect('a failure', failed.status === 503)
    this.#expect('no transfer for failed work', unchanged)
  }

  async #buyOnceAndSignIn(wallet: DemoWallet): Promise<void> {
    const buyer = privateKeyToAccount(wallet.privateKey)
    const client = new x402Client()
    client.register('eip155:*', new ExactEvmScheme(buyer))
    const pay = wrapFetchWithPayment(fetch, client)
    const { url } = this.#stage
    const signedIn = async (method: string, path: string, body?: unknown): Promise<Told> => {
      const unpaid = await this.#send(method, path, body)
      const proof = await proofFor(unpaid.headers, buyer)
      return proof === null ? unpaid : this.#send(method, path, body, proof)
    }

    this.#title('The wallet buys credits once and calls a hundred times, without a key')
    const order = post({ amountUsd: 1, wallet: true })
    const bought = await this.#told(await pay(`${url}/v1/credits/topup/x402`, order))
    this.#say(`   ${bought.status} ${JSON.stringify(bought.json)}`)
    const before = (await signedIn('GET', '/v1/wallets/me')).json['credits'] as number
    const answers: Told[] = []
    for (let number = 1; number <= 10; number++)
      answers.push(await signedIn('POST', '/v1/paid/echo', { number }))
    this.#say(`   10 calls by a signature each: ${answers.at(-1)?.status}`)
    const session = await signedIn('POST', '/v1/wallets/session')
    const headers = { authorization: `Bearer ${String(session.json['token'])}` }
    for (let number = 11; number <= 100; number++)
      answers.push(await this.#send('POST', '/v1/paid/echo', { number }, headers))
    this.#say(`   90 calls by a session of one signature: ${answers.at(-1)?.status}`)
    const after = (await signedIn('GET', '/v1/wallets/me')).json['credits'] as number
    this.#say(`   ${before} credits before, ${after} after; one transfer on chain`)
    this.#expect(
      '100 answers',
      answers.every(({ status }) => status === 200),
    )
    this.#expect('100 credits spent', before - after === 100)
  }

  async #payWithCredits(): Promise<void> {
    const admin = { authorization: `Bearer ${this.#stage.adminToken}` }
    this.#title('A prepaid key with 10 sandbox credits buys the call')
    const made = await this.#send('POST', '/v1/keys', { name: 'demo' }, admin)
    const { id, key } = made.json as { id: string; key: string }
    await this.#send(
      'POST',
      '/v1/sandbox/topup',
      { apiKeyId: id, amount: 10, provider: 'sandbox' },
      admin,
    )
    const headers = { 'x-api-key': key }
    const paid = await this.#send('POST', '/v1/paid/hash', { input: 'hello' }, headers)
    this.#say(
      `   ${paid.status}, charged ${paid.headers.get('x-charged-credits')} credits, ${paid.headers.get('x-balance-credits')} left`,
    )
    this.#expect('2 credits charged', paid.headers.get('x-charged-credits') === '2')

    this.#title('Failed work costs a key nothing either')
    const failed = await this.#send('POST', '/v1/broken/call', {}, headers)
    const balance = await this.#send('GET', '/v1/credits/balance', undefined, headers)
    this.#say(
      `   ${failed.status} ${(failed.json['error'] as { code: string }).code}; balance ${String(balance.json['credits'])} credits`,
    )
    this.#expect('8 credits left', balance.json['credits'] === 8)

    this.#title('A retry under one Idempotency-Key is charged once')
    for (const attempt of ['first', 'again']) {
      const answer = await this.#send(
        'POST',
        '/v1/paid/echo',
        { message: 'once' },
        { ...headers, 'idempotency-key': 'demo-1' },
      )
      this.#say(
        `   ${attempt}: ${answer.status}, charged ${answer.headers.get('x-charged-credits')}, replayed: ${answer.headers.get('idempotency-replayed') ?? 'no'}`,
      )
    }
    const left = await this.#send('GET', '/v1/credits/balance', undefined, headers)
    this.#expect('7 credits left', left.json['credits'] === 7)
  }

  async #verify(): Promise<void> {
    this.#title('The ledger proves itself')
    const report = await this.#stage.verify()
    this.#say(
      `   ${report.checked.entries} postings, ${report.checked.holds} holds, ${report.checked.accounts} accounts: ${report.ok ? 'every invariant holds' : 'BROKEN'}`,
    )
    this.#expect('the ledger balances', report.ok)
  }

  #say(line: string): void {
    this.#stage.say(line)
  }

  #title(text: string): void {
    this.#step += 1
    this.#say(`\n${this.#step}. ${text}`)
  }

  #expect(what: string, isSo: boolean): void {
    if (!isSo) this.#failures.push(`step ${this.#step}: ${what}`)
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Told> {
    const response = await fetch(this.#stage.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return this.#told(response)
  }

  /** With the admin bearer; a body is YAML. */
  #sendAsAdmin(method: string, path: string, yaml?: string): Promise<Told> {
    return this.#send(method, path, yaml, {
      authorization: `Bearer ${this.#stage.adminToken}`,
      ...(yaml !== undefined && { 'content-type': 'application/yaml' }),
    })
  }

  async #told(response: Response): Promise<Told> {
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, unknown>,
    }
  }
}

function post(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
