/** Starts the browser: no shell, no secrets in its environment, no way to the network but a proxy. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import type { BrowserBinary } from './locate.ts'

const LAUNCH_TIMEOUT_MS = 30_000
const PROTOCOL_TIMEOUT_MS = 60_000
const PROFILE = 'coinop-browser-'

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
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

/** Profiles of gateways that were killed. */
function sweepProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = /^coinop-browser-(\d+)-/.exec(name)?.[1]
    if (!owner || Number(owner) === process.pid) continue
    try {
      process.kill(Number(owner), 0)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') continue
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    }
  }
}

export interface RunningBrowser {
  browser: Browser
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

async function start(binary: BrowserBinary, isSandboxed: boolean): Promise<RunningBrowser> {
  sweepProfiles()
  const profile = mkdtempSync(join(tmpdir(), `${PROFILE}${process.pid}-`))
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  try {
    const browser = await puppeteer.launch({
      executablePath: binary.path,
      headless: binary.headless,
      // Over a pipe the browser ends by itself when this process is gone, even after SIGKILL.
      pipe: true,
      args: [...NETWORK, ...QUIET, ...(isSandboxed ? [] : ['--no-sandbox'])],
      userDataDir: profile,
      env: environmentOf(binary, profile),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: LAUNCH_TIMEOUT_MS,
      protocolTimeout: PROTOCOL_TIMEOUT_MS,
    })
    return {
      browser,
      async close(graceMs) {
        const child = browser.process()
        const closed = browser.close().catch(() => undefined)
        let timer: ReturnType<typeof setTimeout> | undefined
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)))
        await Promise.race([closed, late])
        clearTimeout(timer)
        if (child && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
        removeProfile()
      },
    }
  } catch (error) {
    removeProfile()
    throw error
  }
}

/**
 * A running browser. Its sandbox is used where the system allows one: root and containers without
 * user namespaces cannot have it, and `onUnsandboxed` is told so.
 */
export async function launchBrowser(
  binary: BrowserBinary,
  onUnsandboxed: (why: string) => void,
): Promise<RunningBrowser> {
  if (process.getuid?.() === 0) {
    onUnsandboxed('the gateway runs as root')
    return start(binary, false)
  }
  try {
    return await start(binary, true)
  } catch (error) {
    const running = await start(binary, false)
    onUnsandboxed(String(error).slice(0, 300))
    return running
  }
}
