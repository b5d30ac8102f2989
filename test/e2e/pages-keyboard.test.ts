/** The account and console pages by keyboard alone: where the focus is after refreshes and dialogs. */
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { located } from '../support/browser.ts'
import { openPagesGround, signInByKey, type PagesGround } from '../support/pages-ground.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

describe.skipIf(!located.ok && skipPart('keyboard', located.message))('by keyboard', () => {
  let ground: Awaited<ReturnType<typeof openPagesGround>>
  let gateway: PagesGround['gateway']
  let key: PagesGround['key']
  let page: Page

  beforeAll(async () => {
    ground = await openPagesGround()
    ;({ gateway, key, page } = ground)
    await page.setViewport({ width: 1200, height: 900 })
  })
  afterAll(() => ground?.close())

  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement } = document
      return activeElement === document.body ? 'nothing' : (activeElement?.textContent ?? 'nothing')
    })
  const focusComesTo = (text: string) =>
    page.waitForFunction((text) => document.activeElement?.textContent === text, PATIENT, text)

  /** Once it is there: a view may still be on its way. */
  async function tabTo(text: string): Promise<void> {
    await page.waitForFunction(
      (text) =>
        [...document.querySelectorAll('a, button, summary')].some(
          ({ textContent }) => textContent === text,
        ),
      PATIENT,
      text,
    )
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if ((await focused()) === text) return
    }
    throw new Error(`not reached by Tab: ${text}`)
  }

  /** A view is live: this is its next look by itself, with something new to show. */
  async function refreshWithNews(): Promise<void> {
    const headers = { 'x-api-key': key.key }
    await gateway.call('POST', '/v1/paid/hash', { body: { input: 'news' }, headers })
    await page.$$eval('header button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Refresh')!.click(),
    )
  }

  it('a dialog that another opened gives the focus back to where the first came from', async () => {
    await signInByKey(page, ground)
    await tabTo('New key …')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await focusComesTo('New key …')
    await page.keyboard.press('Enter')
    await page.keyboard.type('made by keyboard')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('dialog')?.textContent?.includes('Copy it now'),
      PATIENT,
    )
    await page.keyboard.press('Escape')
    await focusComesTo('New key …')
  })

  it('a field that is refused is named as the form names it', async () => {
    await tabTo('New key …')
    await page.keyboard.press('Enter')
    await page.$eval('dialog [name=name]', (input) => {
      ;(input as HTMLInputElement).value = 'x'.repeat(129)
    })
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog [role=alert]', PATIENT)
    expect(await page.$eval('dialog [role=alert]', ({ textContent }) => textContent)).toMatch(
      /^Name must not have more than 128 characters/,
    )
    await page.keyboard.press('Escape')
    await focusComesTo('New key …')
  })

  it('the first stop leads past the tabs', async () => {
    await page.reload()
    await page.waitForSelector('.data[aria-busy=false]', PATIENT)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await focusComesTo('Keys')
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(label).toBe('Name, id or start of a key')
  })

  it('a refresh leaves the focus and what was opened where they are', async () => {
    await page.goto(`${gateway.url}/console#/figures`)
    await page.waitForSelector('#token', PATIENT)
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.waitForSelector('summary', PATIENT)
    await tabTo('Calls as a table')
    await page.keyboard.press('Enter')
    await page.$eval('details', (details) => details.setAttribute('data-old', ''))
    await refreshWithNews()
    await page.waitForFunction(() => !document.querySelector('[data-old]'), PATIENT)
    expect(await page.$eval('details', (details) => details.open)).toBe(true)
    expect(await focused()).toBe('Calls as a table')
  })

  it('a question about what cannot be undone begins at Cancel', async () => {
    await page.evaluate((id) => (location.hash = `#/keys/${id}`), key.id)
    await tabTo('Revoke …')
    await page.keyboard.press('Enter')
    await focusComesTo('Cancel')
    await page.keyboard.press('Enter')
    await focusComesTo('Revoke …')
    await page.goBack()
    await page.waitForSelector('summary', PATIENT)
  })

  it('what is chosen stands out in forced colors', async () => {
    const session = await page.createCDPSession()
    const features = [{ name: 'forced-colors', value: 'active' }]
    await session.send('Emulation.setEmulatedMedia', { features })
    const colors = (links: string) =>
      page.$$eval(links, (all) => all.map((one) => getComputedStyle(one).backgroundColor))
    const [plain] = await colors('body')
    for (const links of ['header nav a', '.choices a']) {
      const chosen = await colors(`${links}[aria-current]`)
      expect(chosen.length, links).toBeGreaterThan(0)
      expect(chosen, links).not.toContain(plain)
    }
    await session.send('Emulation.setEmulatedMedia', { features: [] })
  })

  it('a button that was off while its call ran has the focus again', async () => {
    await page.goto(`${gateway.url}/docs/skills/demo.hash`)
    await page.type('input[name=key]', key.key)
    await tabTo('Call with the key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#answer:not([hidden])', PATIENT)
    await focusComesTo('Call with the key')
  })
})
