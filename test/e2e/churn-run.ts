/**
 * Products that come, change and go, by file and by PUT, while callers pay for others. Used by the
 * test (few products) and by the bench (a thousand).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'

export interface ChurnOptions {
  gateway: GatewayProcess
  /** PRODUCTS_DIR of the gateway. */
  productsDir: string
  /** Answers every POST. */
  upstreamUrl: string
  /** Half of them come by file, half by PUT. */
  products: number
  /** Names the products of this run. */
  prefix: string
}
export interface ChurnResult {
  seconds: number
  /** Calls of the products that nobody touched, and of the one whose price moved. */
  calls: number
  /** Calls of added and changed products, each right after its change was answered. */
  checks: number
  /** Whatever was refused, failed or cost something else than its price; empty when all is well. */
  failures: string[]
  changes: number
  priceVersions: number
}

const LIMITS = { rpmLimit: 60_000, burstLimit: 1000 }
const CREDITS = 100_000
const PUTS_AT_ONCE = 4
/** Price versions of the moving product that are compared with the table of their number. */
const COMPARED = 50
const HASH_CREDITS = 2
const STEADY_CREDITS = 3

/** A product with one skill at this price. */
function productOf(id: string, url: string, credits: number): object {
  return {
    product_id: id,
    upstream: { url },
    skills: [{ id: `${id}.run`, route: 'POST /run', tool: `${id}.run`, price: { credits } }],
  }
}

/** Mounts what the callers pay for during the churn. */
export async function mountOthers(gateway: GatewayProcess, upstreamUrl: string): Promise<void> {
  const demo = {
    product_id: 'demo',
    base_path: '/v1/paid',
    plugin: 'demo',
    skills: [{ skill: 'demo.hash', route: 'POST /hash', price: { credits: HASH_CREDITS } }],
  }
  await put(gateway, demo)
  await put(gateway, productOf('steady', upstreamUrl, STEADY_CREDITS))
  await put(gateway, productOf('moving', upstreamUrl, 1))
}

async function put(gateway: GatewayProcess, product: object): Promise<void> {
  const { product_id: id } = product as { product_id: string }
  const answer = await gateway.admin('PUT', `/v1/admin/products/${id}`, product)
  if (answer.status !== 200) throw new Error(`PUT ${id}: ${answer.status} ${answer.text}`)
}

/** Adds, changes and removes `products` products under load; throws when a change is refused. */
export async function churn(options: ChurnOptions): Promise<ChurnResult> {
  const { gateway } = options
  const load = new Load(gateway, options.upstreamUrl)
  const loading = load.run()
  const beganMs = performance.now()
  try {
    const half = options.products >> 1
    const ids = Array.from({ length: options.products }, (_, i) => `${options.prefix}${i}`)
    const work = new Work(options, ids.slice(0, half), ids.slice(half), load)
    await work.write(1)
    await work.write(4)
    await work.removeAll()
    const seconds = (performance.now() - beganMs) / 1000
    load.end()
    await loading
    await load.compare()
    return {
      seconds,
      calls: load.calls,
      checks: work.checks,
      failures: load.failures,
      changes: work.changes + load.moves,
      priceVersions: load.charged.size,
    }
  } finally {
    load.end()
    await loading
  }
}

/** The changes: half of the products as files of a folder, half over HTTP. */
class Work {
  readonly #options: ChurnOptions
  readonly #byFile: readonly string[]
  readonly #byPut: readonly string[]
  readonly #load: Load
  checks = 0
  changes = 0

  constructor(
    options: ChurnOptions,
    byFile: readonly string[],
    byPut: readonly string[],
    load: Load,
  ) {
    this.#options = options
    this.#byFile = byFile
    this.#byPut = byPut
    this.#load = load
  }

  /** Gives every product this price, and calls it as soon as the change was answered. */
  async write(credits: number): Promise<void> {
    const { gateway, productsDir, upstreamUrl } = this.#options
    const { key } = await gateway.key(CREDITS, LIMITS)
    for (const id of this.#byFile) {
      const text = JSON.stringify(productOf(id, upstreamUrl, credits))
      writeFileSync(join(productsDir, `${id}.json`), text)
    }
    await inParallel(this.#byPut, async (id) => {
      await put(gateway, productOf(id, upstreamUrl, credits))
      this.changes++
      await this.#check(id, key, credits)
    })
    await this.#settled(() => this.#served(credits))
    this.changes += this.#byFile.length
    await inParallel(this.#byFile, (id) => this.#check(id, key, credits))
  }

  async removeAll(): Promise<void> {
    const { gateway, productsDir } = this.#options
    for (const id of this.#byFile) rmSync(join(productsDir, `${id}.json`))
    await inParallel(this.#byPut, async (id) => {
      const answer = await gateway.admin('DELETE', `/v1/admin/products/${id}`)
      if (answer.status !== 200) throw new Error(`DELETE ${id}: ${answer.text}`)
      this.changes++
      const gone = await gateway.call('POST', `/v1/${id}/run`, { body: {} })
      if (gone.status !== 404) this.#load.failures.push(`deleted ${id} answered ${gone.status}`)
    })
    await this.#settled(async () => (await this.#prices()).size === 0)
    this.changes += this.#byFile.length
  }

  async #check(id: string, key: string, credits: number): Promise<void> {
    const answer = await this.#options.gateway.call('POST', `/v1/${id}/run`, {
      body: {},
      headers: { 'x-api-key': key },
    })
    this.checks++
    const charged = answer.headers.get('x-charged-credits')
    if (answer.status !== 200 || charged !== String(credits))
      this.#load.failures.push(`${id} at ${credits}: ${answer.status}, charged ${charged}`)
  }

  async #served(credits: number): Promise<boolean> {
    const prices = await this.#prices()
    return this.#byFile.every((id) => prices.get(id) === credits)
  }

  /** The prices of the products of this run that are in force. */
  async #prices(): Promise<Map<string, number>> {
    const { skills } = (await this.#options.gateway.call('GET', '/v1/prices')).json as {
      skills: { product: string; credits: number }[]
    }
    return new Map(
      skills
        .filter(({ product }) => product.startsWith(this.#options.prefix))
        .map(({ product, credits }) => [product, credits]),
    )
  }

  async #settled(check: () => Promise<boolean>): Promise<void> {
    const until = Date.now() + PATIENT.timeout
    while (!(await check())) {
      if (Date.now() > until)
        throw new Error(`the files were not followed in ${PATIENT.timeout} ms`)
      await Bun.sleep(100)
    }
  }
}

/** Callers that pay for three products: two that nobody touches, and one whose price moves. */
class Load {
  readonly #gateway: GatewayProcess
  readonly #upstreamUrl: string
  #ended = false
  calls = 0
  moves = 0
  readonly failures: string[] = []
  /** Price version → what calls of the moving product cost under it. */
  readonly charged = new Map<string, string>()

  constructor(gateway: GatewayProcess, upstreamUrl: string) {
    this.#gateway = gateway
    this.#upstreamUrl = upstreamUrl
  }

  end(): void {
    this.#ended = true
  }

  async run(): Promise<void> {
    await Promise.all([
      this.#pay('/v1/paid/hash', { input: 'x' }, HASH_CREDITS),
      this.#pay('/v1/steady/run', {}, STEADY_CREDITS),
      this.#pay('/v1/moving/run', {}, null),
      this.#move(),
    ])
  }

  /** Calls and pays until the end; the balance must agree with what the answers said. */
  async #pay(path: string, body: object, credits: number | null): Promise<void> {
    const { id, key } = await this.#gateway.key(CREDITS, LIMITS)
    let paid = 0
    while (!this.#ended) {
      const answer = await this.#gateway.call('POST', path, { body, headers: { 'x-api-key': key } })
      this.calls++
      const charged = answer.headers.get('x-charged-credits') ?? 'nothing'
      paid += Number(charged)
      if (answer.status !== 200 || (credits !== null && charged !== String(credits)))
        this.failures.push(`${path}: ${answer.status}, charged ${charged}, ${answer.text}`)
      if (credits === null) this.#note(answer.headers.get('x-price-version') ?? '', charged)
    }
    const { balance } = (await this.#gateway.admin('GET', `/v1/keys/${id}`)).json
    if (balance.credits !== CREDITS - paid)
      this.failures.push(`${path}: ${balance.credits} credits left of ${CREDITS}, ${paid} paid`)
  }

  #note(version: string, charged: string): void {
    const before = this.charged.get(version)
    if (before !== undefined && before !== charged)
      this.failures.push(`price version ${version} cost ${before} and ${charged}`)
    this.charged.set(version, charged)
  }

  async #move(): Promise<void> {
    while (!this.#ended) {
      this.moves++
      await put(this.#gateway, productOf('moving', this.#upstreamUrl, this.moves % 2 ? 5 : 1))
      await Bun.sleep(50)
    }
  }

  /** Every so many of the versions: their published table must have the price that was paid. */
  async compare(): Promise<void> {
    const all = [...this.charged]
    const step = Math.max(1, Math.ceil(all.length / COMPARED))
    for (const [version, charged] of all.filter((_, i) => i % step === 0)) {
      const { json } = await this.#gateway.call('GET', `/v1/prices?version=${version}`)
      const row = json.skills.find((one: { skill: string }) => one.skill === 'moving.run')
      if (String(row?.credits) !== charged)
        this.failures.push(`version ${version} says ${row?.credits}, ${charged} was charged`)
    }
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: PUTS_AT_ONCE }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

/** Resident memory of the gateway's process in MiB (Linux). */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
