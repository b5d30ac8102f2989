/** The account pages with wallets that are slow, refuse, come twice or are looked for again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { located } from '../support/browser.ts'
import { openPagesGround, signInByKey, type PagesGround } from '../support/pages-ground.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

describe.skipIf(!located.ok && skipPart('wallets', located.message))('wallets of a page', () => {
  let ground: Awaited<ReturnType<typeof openPagesGround>>
  let page: PagesGround['page']

  beforeAll(async () => {
    ground = await openPagesGround()
    ;({ page } = ground)
    // Announced under two ids; its answers come when the test calls `refuse`.
    await page.evaluateOnNewDocument(() => {
      const asked: ((refused: object) => void)[] = []
      const provider = {
        request: () => new Promise((_resolve, reject) => asked.push(reject)),
      }
      const refuse = (): number => {
        for (const reject of asked) reject({ code: 4001, message: 'User rejected the request.' })
        return asked.length
      }
      Object.assign(window, { refuse })
      window.addEventListener('eip6963:requestProvider', () => {
        for (const uuid of ['one', 'two']) {
          const detail = { info: { uuid, name: 'Slow wallet' }, provider }
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        }
      })
    })
    await signInByKey(page, ground)
    await page.goto(`${ground.gateway.url}/account/settings`)
    await page.waitForSelector('.data[aria-busy=false]', PATIENT)
  })
  afterAll(() => ground?.close())

  const press = (text: string, where = 'body') =>
    page.$$eval(
      `${where} button`,
      (buttons, text) => buttons.find(({ textContent }) => textContent === text)!.click(),
      text,
    )

  it('one is shown once, asked once, and its refusal told', async () => {
    await press('Add a wallet …')
    await page.waitForSelector('dialog .way', PATIENT)
    expect(await page.$$eval('dialog .way', (ways) => ways.length)).toBe(1)
    await press('Slow wallet', 'dialog')
    await press('Slow wallet', 'dialog')
    const asked = await page.evaluate(() => (window as unknown as { refuse(): number }).refuse())
    expect(asked).toBe(1)
    await page.waitForSelector('dialog [role=alert]', PATIENT)
    const told = await page.$eval('dialog [role=alert]', ({ textContent }) => textContent)
    expect(told).toBe('You said no in the wallet.')
  })

  it('one that never answers is given up, and the page goes on', async () => {
    await press('Slow wallet', 'dialog')
    await page.waitForSelector('dialog .wallets button:disabled', PATIENT)
    await press('Stop waiting for the wallet', 'dialog')
    await page.waitForFunction(
      () => document.querySelector('dialog .note.quiet')?.textContent?.includes('You stopped'),
      PATIENT,
    )
    await page.waitForFunction(
      () => document.querySelector('dialog .wallets button:disabled') === null,
      PATIENT,
    )
    // Whoever pressed it wanted this end: it is no error.
    expect(await page.$('dialog [role=alert]')).toBe(null)
    const buttons = await page.$$eval('dialog button', (all) => all.map((one) => one.textContent))
    expect(buttons).not.toContain('Stop waiting for the wallet')
  })

  it('nothing looks for them once their dialog is closed', async () => {
    const session = await page.createCDPSession()
    const { result } = await session.send('Runtime.evaluate', { expression: 'window' })
    const looking = async (): Promise<number> => {
      const { listeners } = await session.send('DOMDebugger.getEventListeners', {
        objectId: result.objectId!,
      })
      return listeners.filter(({ type }) => type === 'eip6963:announceProvider').length
    }
    expect(await looking()).toBe(1)
    await press('Done', 'dialog')
    await page.waitForFunction(() => document.querySelector('dialog') === null, PATIENT)
    expect(await looking()).toBe(0)
  })
})
