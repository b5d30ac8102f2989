/** A sandbox gateway of its own for a plugin's tests, as a process that ends with them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContractTarget } from './ask.ts'

const ADMIN_TOKEN = 'testkit-admin-token-of-at-least-32-characters'
const READY_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 25

export interface TestGateway extends ContractTarget {
  /** Everything it printed so far. */
  output(): string
  /** Ends it and removes its database; resolves with the exit code. */
  stop(): Promise<number>
}

/**
 * Starts `coinop start` in the working folder, with a database of its own, on a free port and
 * without a chain unless `env` says otherwise (PLUGINS_DIR, PRODUCTS_DIR ...). Rejects with what it
 * printed when it does not get ready.
 */
export async function startTestGateway(env: Record<string, string> = {}): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-testkit-'))
  const own = join(import.meta.dirname, '..', 'bin')
  const main = ['main.ts', 'main.js']
    .map((name) => join(own, name))
    .find((path) => existsSync(path))
  const child = Bun.spawn([process.execPath, main!, 'start'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_TOKEN,
      SANDBOX: 'true',
      SANDBOX_CHAIN: 'false',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) printed += decoder.decode(chunk, { stream: true })
  }
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)])
  const stop = async (): Promise<number> => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    const code = await child.exited
    clearTimeout(kill)
    await collected
    rmSync(dataDir, { recursive: true, force: true })
    return code
  }
  const until = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const url = /listening on (http:\/\/\S+)/.exec(printed)?.[1]
    if (url !== undefined) {
      return { url, adminToken: ADMIN_TOKEN, output: () => printed, stop }
    }
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`The gateway did not get ready:\n${printed}`)
    }
    await Bun.sleep(POLL_MS)
  }
}
