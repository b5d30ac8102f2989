/** What tests of the account and console pages start from: a gateway, a key with credits, a page. */
import type { Page } from 'puppeteer-core'
import { launchBrowser, type TestBrowser } from './browser.ts'
import { startGateway, type GatewayProcess } from './gateway.ts'
import { PATIENT } from './patience.ts'

export interface PagesGround {
  gateway: GatewayProcess
  key: { id: string; key: string }
  launched: TestBrowser
  page: Page
}

/** Starts them; `close` ends what was started. */
export async function openPagesGround(): Promise<PagesGround & { close(): Promise<void> }> {
  const gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
  try {
    const key = await gateway.key(100)
    const launched = await launchBrowser()
    const page = await launched.browser.newPage()
    const close = async (): Promise<void> => {
      await launched.close()
      await gateway.stop()
    }
    return { gateway, key, launched, page, close }
  } catch (error) {
    await gateway.stop()
    throw error
  }
}

/** Signs the key in at the account pages; the list of its keys is there then. */
export async function signInByKey(on: Page, { gateway, key }: PagesGround): Promise<void> {
  await on.goto(`${gateway.url}/account/sign-in?next=/account/keys`)
  await on.type('#api_key', key.key)
  await Promise.all([on.waitForNavigation(), on.keyboard.press('Enter')])
  await on.waitForSelector('.data[aria-busy=false]', PATIENT)
}
