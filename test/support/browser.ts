/** A real browser for tests of pages, in a profile of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { PATIENT } from './patience.ts'

/** Where a browser is, or why there is none. */
export const located = await locateBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] })

export interface TestBrowser {
  browser: Browser
  close(): Promise<void>
}

/** Starts the browser that was located; throws where there is none. */
export async function launchBrowser(): Promise<TestBrowser> {
  if (!located.ok) throw new Error(located.message)
  const { path, headless, env } = located.binary
  const profile = mkdtempSync(join(tmpdir(), 'coinop-browser-'))
  const browser = await puppeteer.launch({
    executablePath: path,
    headless,
    pipe: true,
    userDataDir: join(profile, 'profile'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...env },
    timeout: PATIENT.timeout,
  })
  patient(browser)
  const createContext = browser.createBrowserContext.bind(browser)
  browser.createBrowserContext = async (options) => patient(await createContext(options))
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Its new pages wait as long as tests do, in place of half a minute. */
function patient<Maker extends Pick<Browser, 'newPage'>>(maker: Maker): Maker {
  const newPage = maker.newPage.bind(maker)
  maker.newPage = async (options) => {
    const page = await newPage(options)
    page.setDefaultTimeout(PATIENT.timeout)
    return page
  }
  return maker
}
