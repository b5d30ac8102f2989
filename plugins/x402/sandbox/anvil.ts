/**
 * An anvil process on loopback. The platform package's binary is run directly, because npm may
 * block the install script that links it. It ends with its parent, also when that is killed.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { unlessAborted, within } from '#kernel'

export interface Anvil {
  rpcUrl: string
  /** Resolves with the exit code once it is gone. */
  exited: Promise<number>
  stop(): Promise<void>
}

export type AnvilStart = { ok: true; anvil: Anvil } | { ok: false; reason: string }

/** More than a busy machine needs; nobody waits for all of it. */
const START_TIMEOUT_MS = 600_000
const LISTENING = /Listening on (127\.0\.0\.1:\d+)/
/** Ends anvil when the pipe to the gateway closes: that also happens on SIGKILL. */
const WATCHDOG =
  'exec 3<&0; "$@" </dev/null & child=$!; (cat <&3 >/dev/null; kill -9 $child 2>/dev/null) & wait $child'

/** The binary for this platform, or why there is none. */
export function anvilBinary(): { ok: true; path: string } | { ok: false; reason: string } {
  const cpu = arch() === 'x64' ? 'amd64' : arch()
  const name = `@foundry-rs/anvil-${platform()}-${cpu}`
  try {
    const require = createRequire(import.meta.url)
    const path = join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'anvil')
    return existsSync(path) ? { ok: true, path } : { ok: false, reason: `${name} has no binary` }
  } catch {
    return { ok: false, reason: `${name} is not installed` }
  }
}

export interface AnvilOptions {
  /** More options of anvil's own. */
  options?: readonly string[]
  /** How long it may take until it listens. */
  timeoutMs?: number
  /** Ends a start that is under way. */
  signal?: AbortSignal
}

/** Starts anvil with an own chain id on a free port of 127.0.0.1; resolves when it listens. */
export async function startAnvil(
  chainId: number,
  { options = [], timeoutMs = START_TIMEOUT_MS, signal }: AnvilOptions = {},
): Promise<AnvilStart> {
  const binary = anvilBinary()
  if (!binary.ok) return binary
  const child = Bun.spawn(
    [
      '/bin/sh',
      '-c',
      WATCHDOG,
      'anvil',
      binary.path,
      '--host=127.0.0.1',
      '--port=0',
      `--chain-id=${chainId}`,
      '--accounts=3',
      ...options,
    ],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', env: { PATH: process.env['PATH'] ?? '' } },
  )
  const starting = Promise.race([
    addressIn(child.stdout),
    child.exited.then((code) => ({ ok: false as const, reason: `anvil ended with code ${code}` })),
  ])
  const inTime = within(starting, timeoutMs, () => ({
    ok: false as const,
    reason: `anvil did not listen within ${timeoutMs} ms`,
  }))
  const listening = await unlessAborted(inTime, signal, () => ({
    ok: false as const,
    reason: 'anvil is not wanted any more',
  }))
  const stop = async (): Promise<void> => {
    await child.stdin.end()
    await child.exited
  }
  if (!listening.ok) {
    await stop()
    const words = (await new Response(child.stderr).text()).trim().split('\n')[0] ?? ''
    return { ok: false, reason: words === '' ? listening.reason : `${listening.reason}: ${words}` }
  }
  return {
    ok: true,
    anvil: {
      rpcUrl: `http://${listening.address}`,
      exited: child.exited,
      stop,
    },
  }
}

/** Reads until anvil names its port, then keeps draining so that its pipe never fills. */
async function addressIn(
  stream: ReadableStream<Uint8Array>,
): Promise<{ ok: true; address: string } | { ok: false; reason: string }> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { ok: false, reason: 'anvil closed its output' }
    text += decoder.decode(value, { stream: true })
    const found = LISTENING.exec(text)
    if (!found) continue
    void (async () => {
      while (!(await reader.read()).done);
    })().catch(() => {})
    return { ok: true, address: found[1]! }
  }
}
