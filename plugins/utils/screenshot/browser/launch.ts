/** Starts the browser: no shell, no secrets in its environment, no way to the network but a proxy. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Browser } from 'puppeteer-core'
import { within } from '#kernel'
import { CdpPipe } from './cdp-pipe.ts'
import type { BrowserBinary } from './binary.ts'
import { killTree } from './process-tree.ts'
import { PROFILE, profileFolder } from './profile-folder.ts'

type Puppeteer = typeof import('puppeteer-core')

const LAUNCH_TIMEOUT_MS = 30_000
const PROTOCOL_TIMEOUT_MS = 60_000

/** Of this process's whole life: what was left is looked for where it was made. */
const PROFILES = profileFolder(tmpdir())

/**
 * Every context gets its own proxy. This one answers nothing, so that traffic outside of a context
 * (the browser's own) goes nowhere; `<-loopback>` takes away the exception for local addresses.
 */
const NETWORK = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--no-pings',
  '--dns-prefetch-disable',
]
const QUIET = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--disable-speech-api',
  '--disable-file-system',
  '--disable-notifications',
  '--deny-permission-prompts',
  // Of the packaged build, which opens no popup then; other builds leave them to the guard.
  '--block-new-web-contents',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

/**
 * The browser and all that it starts yield the processor to the gateway and are the first to go when
 * the machine runs out of memory. No process of it may hold more data than $1 KiB: the second line
 * behind `MemoryWatch`, for when the gateway is too busy to look.
 */
const LIMITED = [
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
  // It leads a session, and where the kernel shares time by session niceness alone says little.
  '{ echo 5 > /proc/self/autogroup; } 2>/dev/null',
  'ulimit -d "$1" 2>/dev/null',
  'shift',
  'command -v nice >/dev/null && set -- nice -n 5 "$@"',
  'exec "$@"',
].join('\n')

/** A renderer counts about 600 MiB of data before it has any. */
const hardLimitKib = (pageMib: number): number => (1024 + 2 * pageMib) * 1024

/** Profiles of gateways that were killed. */
function sweepProfiles(): void {
  for (const name of readdirSync(PROFILES)) {
    const owner = /^coinop-browser-(\d+)-/.exec(name)?.[1]
    if (!owner || Number(owner) === process.pid) continue
    try {
      process.kill(Number(owner), 0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') removeAbandoned(name)
    }
  }
}

function removeAbandoned(name: string): void {
  try {
    rmSync(join(PROFILES, name), { recursive: true, force: true })
  } catch {
    // Another user's.
  }
}

export interface LaunchOptions {
  /** What a page may take, about. */
  pageMib: number
  /** For its first answer; default 30 seconds. */
  timeoutMs?: number
}

/** It did not answer in time: of a machine that does much else, and no word against its sandbox. */
export class SlowStart extends Error {
  constructor() {
    super('The browser did not start in time')
  }
}

export interface RunningBrowser {
  browser: Browser
  pid: number
  /** Ends the process and removes its profile; kills what does not end in `graceMs`. */
  close(graceMs: number): Promise<void>
}

function environmentOf(binary: BrowserBinary, profile: string): Record<string, string> {
  const env: Record<string, string> = { HOME: profile, TMPDIR: profile }
  for (const name of [
    'PATH',
    'LANG',
    'LC_ALL',
    'TZ',
    'LD_LIBRARY_PATH',
    'FONTCONFIG_PATH',
    'FONTCONFIG_FILE',
  ]) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return { ...env, ...binary.env }
}

/** The browser of a process that was just started; the process is killed where it does not answer. */
async function connected(
  child: ChildProcess,
  { connect }: Puppeteer,
  timeoutMs: number,
): Promise<Browser> {
  const [, , , output, input] = child.stdio
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The browser ended as it started (${code ?? signal})`)
  })
  // Whether it ends later is seen by the pipe.
  failed.catch(() => undefined)
  const connecting = connect({
    transport: new CdpPipe(input as Readable, output as Writable),
    protocolTimeout: PROTOCOL_TIMEOUT_MS,
    issuesEnabled: false,
  })
  connecting.catch(() => undefined)
  try {
    return await within(Promise.race([connecting, failed]), timeoutMs, () => {
      throw new SlowStart()
    })
  } catch (error) {
    if (child.pid !== undefined) killTree(child.pid)
    throw error
  }
}

async function start(
  binary: BrowserBinary,
  { pageMib, timeoutMs = LAUNCH_TIMEOUT_MS }: LaunchOptions,
  isSandboxed: boolean,
): Promise<RunningBrowser> {
  sweepProfiles()
  const profile = mkdtempSync(join(PROFILES, `${PROFILE}${process.pid}-`))
  const removeProfile = (): Promise<void> =>
    rm(profile, { recursive: true, force: true, maxRetries: 3 })
  try {
    // Loaded by the first browser: most gateways' starts, and all other commands, need none.
    const puppeteer = await import('puppeteer-core')
    const defaults = await puppeteer.defaultArgs({
      headless: binary.headless,
      args: [
        ...NETWORK,
        ...QUIET,
        `--js-flags=--max-old-space-size=${pageMib}`,
        ...(isSandboxed ? [] : ['--no-sandbox']),
      ],
      userDataDir: profile,
    })
    const args = [
      String(hardLimitKib(pageMib)),
      binary.path,
      ...defaults,
      '--remote-debugging-pipe',
    ]
    // It leads a process group. Over pipes it ends by itself when this process is gone, even after SIGKILL.
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...args], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: environmentOf(binary, profile),
      detached: true,
    })
    const browser = await connected(child, puppeteer, timeoutMs)
    return {
      browser,
      pid: child.pid!,
      async close(graceMs) {
        const isOver = child.exitCode !== null || child.signalCode !== null
        const ended = isOver ? Promise.resolve() : once(child, 'exit').then(() => undefined)
        const closed = browser.close().catch(() => undefined)
        await within(Promise.race([closed, ended]), graceMs, () => {})
        await within(ended, graceMs, () => {})
        // Also of one that is gone: a helper that outlives it for a moment writes to its profile.
        killTree(child.pid!)
        // What cannot be removed now is swept by a later gateway's browser.
        await removeProfile().catch(() => undefined)
      },
    }
  } catch (error) {
    await removeProfile()
    throw error
  }
}

/**
 * A running browser. Its sandbox is used where the system allows one: root and containers without user
 * namespaces cannot have it, and `onUnsandboxed` is told so. Throws `SlowStart` where it does not answer
 * in time, and what else keeps it from starting.
 */
export async function launchBrowser(
  binary: BrowserBinary,
  options: LaunchOptions,
  onUnsandboxed: (why: string) => void,
): Promise<RunningBrowser> {
  if (process.getuid?.() === 0) {
    onUnsandboxed('the gateway runs as root')
    return start(binary, options, false)
  }
  try {
    return await start(binary, options, true)
  } catch (error) {
    if (error instanceof SlowStart) throw error
    const running = await start(binary, options, false)
    onUnsandboxed(String(error).slice(0, 300))
    return running
  }
}
