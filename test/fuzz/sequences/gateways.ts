/**
 * Two gateways over one database. Now and then one of them is killed (SIGKILL) under the requests of
 * all sequences, and another one starts over its disk. Whoever can repeat a request goes on with the
 * other one; whoever cannot has the promise that nobody is killed meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../simulator/random.ts'
import { startGateway, type Answer, type GatewayProcess } from '../../support/gateway.ts'
import { endLeases } from './leases.ts'

const GATEWAYS = 2
/** A gateway is killed so long after a request that changes something was sent to it. */
const STRIKE_WITHIN_MS = 12
/** For the case that nobody sends one. */
const STRIKE_ANYHOW_MS = 500

/** Sends a request to the gateway; only if `isChange` does it do anything there. */
export interface Request<T> {
  isChange: boolean
  send(gateway: GatewayProcess): Promise<T>
}

export class Gateways {
  readonly #databaseUrl: string
  readonly #env: Record<string, string>
  readonly #folder = mkdtempSync(join(tmpdir(), 'coinop-sequences-'))
  /** Null: it was killed, and the next one is not up yet. */
  readonly #running: (GatewayProcess | null)[] = []
  readonly #dead = new Set<GatewayProcess>()
  /** Requests that wait for their answer, and what must not be disturbed. */
  #open = 0
  #firm = 0
  /** What waits until the gateways are quiet, or until there is no killing. */
  #isPaused = false
  #isKilling = false
  readonly #waiting = new Set<() => void>()
  /** Called with each request that is sent. */
  #sent: ((gateway: GatewayProcess, isChange: boolean) => void) | null = null
  /** Requests that change something, those whose gateway died before it answered, and gateways killed. */
  changes = 0
  lost = 0
  deaths = 0

  private constructor(databaseUrl: string, env: Record<string, string>) {
    this.#databaseUrl = databaseUrl
    this.#env = { ...env, DATABASE_URL: databaseUrl }
  }

  static async start(databaseUrl: string, env: Record<string, string>): Promise<Gateways> {
    const gateways = new Gateways(databaseUrl, env)
    try {
      for (let at = 0; at < GATEWAYS; at++) gateways.#running.push(await gateways.#start(at))
      return gateways
    } catch (error) {
      await gateways.stop()
      throw error
    }
  }

  /** Those that run now. */
  running(): GatewayProcess[] {
    return this.#running.filter((gateway) => gateway !== null)
  }

  isRunning(gateway: GatewayProcess): boolean {
    return this.#running.includes(gateway)
  }

  pick(random: Random): GatewayProcess {
    return random.of(this.running())
  }

  /** The answer to a request, repeated at whichever gateway runs until there is one. */
  async ask(
    random: Random,
    { isChange, send }: Request<Answer>,
  ): Promise<{ answer: Answer; from: GatewayProcess; isRepeated: boolean }> {
    for (let isRepeated = false; ; isRepeated = true) {
      while (this.#isPaused) await this.#change()
      const from = this.pick(random)
      const answer = await this.#send(from, { isChange, send })
      if (answer !== null) return { answer, from, isRepeated }
    }
  }

  /** The answer of this one; null: it has died. */
  async askAt<T>(gateway: GatewayProcess, request: Request<T>): Promise<T | null> {
    while (this.#isPaused) await this.#change()
    return this.isRunning(gateway) ? this.#send(gateway, request) : null
  }

  /** Nobody is killed before the work is done. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isKilling) await this.#change()
    this.#firm++
    try {
      return await work()
    } finally {
      this.#firm--
      this.#look()
    }
  }

  /** Kills one after so many more changes, again and again, until it is stopped. */
  async killAfter(
    changes: (random: Random) => number,
    random: Random,
    stopping: AbortSignal,
  ): Promise<void> {
    stopping.addEventListener('abort', () => this.#look())
    while (!stopping.aborted) {
      const next = this.changes + changes(random)
      while (!stopping.aborted && this.changes < next) await this.#change()
      if (!stopping.aborted) await this.#kill(random.below(GATEWAYS), random)
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.running().map((gateway) => gateway.stop()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #kill(at: number, random: Random): Promise<void> {
    const dying = this.#running[at]!
    this.#isKilling = true
    while (this.#firm > 0) await this.#change()
    await this.#isAsked(dying)
    await Bun.sleep(random.below(STRIKE_WITHIN_MS))
    this.#isPaused = true
    this.#running[at] = null
    this.#dead.add(dying)
    await dying.kill()
    this.deaths++
    // What is open then is the dead one's: nothing else is under way.
    while (this.#open > 0) await this.#change()
    await endLeases(this.#databaseUrl)
    this.#isPaused = this.#isKilling = false
    this.#look()
    this.#running[at] = await this.#start(at)
  }

  /** Resolves when a request that changes something has just been sent to it. */
  async #isAsked(gateway: GatewayProcess): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      this.#sent = (to, isChange) => void (isChange && to === gateway && resolve())
    })
    await Promise.race([asked, Bun.sleep(STRIKE_ANYHOW_MS)])
    this.#sent = null
  }

  async #send<T>(gateway: GatewayProcess, { isChange, send }: Request<T>): Promise<T | null> {
    if (isChange) this.changes++
    this.#open++
    try {
      const sent = send(gateway)
      this.#sent?.(gateway, isChange)
      return await sent
    } catch (error) {
      if (!this.#dead.has(gateway)) throw error
      this.lost++
      return null
    } finally {
      this.#open--
      this.#look()
    }
  }

  /** Whoever replaces a gateway finds its disk as it was left. */
  #start(at: number): Promise<GatewayProcess> {
    return startGateway(this.#env, { dataDir: join(this.#folder, String(at)), keepDataDir: true })
  }

  /** Resolves when something may be otherwise: who waits looks at once, before anybody else acts. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  #look(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const again of waiting) again()
  }
}
