/** Starts the real gateway as its own process and talks to it as an operator or a caller would. */
import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { copyPreparedCluster } from './prepared-cluster.ts'
import { program, SOURCE_PROGRAM } from './program.ts'

const root = resolve(import.meta.dirname, '../..')
const READY_TIMEOUT_MS = 300_000

/**
 * Settings of Bun for a process that lives for seconds: optimizing its code and giving its memory back
 * cost more than they bring, an eighth of a test's CPU.
 */
const SHORT_LIFE = { BUN_JSC_thresholdForOptimizeAfterWarmUp: '20000', MIMALLOC_PURGE_DELAY: '-1' }

export interface GatewayProcess {
  url: string
  adminToken: string
  dataDir: string
  pid: number
  /** Everything it printed so far. */
  output(): string
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** A JSON request with the admin bearer. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>
  /** A JSON request with the given headers. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Gives a test key this many more credits. */
  fund(keyId: string, credits: number): Promise<void>
  /** A test key with this many credits. */
  key(credits: number, limits?: Record<string, number>): Promise<{ id: string; key: string }>
}
export interface Answer {
  status: number
  headers: Headers
  json: any
  /** The error object: `problem` in the 402 of a caller without an API key, else `error`. */
  problem: any
  text: string
}

/**
 * Starts `coinop start` with `env` over the defaults of a sandbox; throws when it does not get ready.
 * `preload` is a file below the project that runs in its process first.
 */
export async function startGateway(
  env: Record<string, string> = {},
  options: { dataDir?: string; keepDataDir?: boolean; cwd?: string; preload?: string } = {},
): Promise<GatewayProcess> {
  const dataDir = options.dataDir ?? freshDataDir(env)
  const adminToken = 'test-admin-token-of-at-least-32-characters'
  const childEnv: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_TOKEN: adminToken,
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    ...SHORT_LIFE,
    ...env,
  }
  const words = options.preload === undefined ? program() : preloaded(join(root, options.preload))
  const child = Bun.spawn([...words, 'start'], {
    cwd: options.cwd ?? root,
    env: childEnv,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>)
      printed += decoder.decode(chunk, { stream: true })
  }
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)])
  const url = await listeningUrl(() => printed, child.exited, collected).catch(async (error) => {
    child.kill('SIGKILL')
    await child.exited
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    throw error
  })
  const call: GatewayProcess['call'] = (method, path, { body, headers } = {}) =>
    request(url, method, path, body, headers)
  const admin: GatewayProcess['admin'] = (method, path, body) =>
    request(url, method, path, body, { authorization: `Bearer ${adminToken}` })
  const fund: GatewayProcess['fund'] = async (keyId, credits) => {
    const order = { apiKeyId: keyId, amount: credits, provider: 'sandbox' }
    let granted = await admin('POST', '/v1/sandbox/topup', order)
    // Its PRODUCTS_DIR has no topup product.
    if (granted.status === 404)
      granted = await admin('POST', '/v1/credits/grant', {
        apiKeyId: keyId,
        amountCredits: credits,
        note: 'test',
        reference: crypto.randomUUID(),
      })
    if (granted.status >= 300) throw new Error(`no credits: ${granted.text}`)
  }
  return {
    url,
    adminToken,
    dataDir,
    pid: child.pid,
    output: () => printed,
    call,
    admin,
    async stop() {
      child.kill('SIGTERM')
      const code = await child.exited
      await collected
      if (!options.keepDataDir) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      // One over a database elsewhere has nothing in it that an heir would want.
      if (existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir)
    },
    fund,
    async key(credits, limits = {}) {
      const made = await admin('POST', '/v1/keys', { name: 'test', ...limits })
      if (made.status !== 201 && made.status !== 200) throw new Error(`no key: ${made.text}`)
      if (credits > 0) await fund(made.json.id as string, credits)
      return { id: made.json.id as string, key: made.json.key as string }
    },
  }
}

/** The modules of a preload and of the program are the same ones only where both lie apart. */
function preloaded(file: string): string[] {
  return [process.execPath, '--preload', file, SOURCE_PROGRAM]
}

/** One that has its database already, where the gateway is to use one of its own. */
function freshDataDir(env: Record<string, string>): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-e2e-'))
  if (env['DATABASE_URL'] === undefined) copyPreparedCluster(dataDir)
  return dataDir
}

async function listeningUrl(
  printed: () => string,
  exited: Promise<number>,
  collected: Promise<unknown>,
): Promise<string> {
  let over: number | null = null
  exited.then((code) => (over = code))
  const until = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < until) {
    const match = /listening on (http:\/\/\S+)/.exec(printed())
    if (match) return match[1]!
    if (over !== null) {
      await collected
      throw new Error(`The gateway ended with ${over} before it was ready:\n${printed()}`)
    }
    await Bun.sleep(20)
  }
  throw new Error(`The gateway was not ready after ${READY_TIMEOUT_MS} ms:\n${printed()}`)
}

async function request(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isText = typeof body === 'string'
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  let json: any
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const problem = typeof json?.error === 'string' ? json.problem : json?.error
  return { status: response.status, headers: response.headers, json, problem, text }
}
