/** The account and console pages when a session, the network or the place ends under somebody's hands. */
import type { HTTPRequest, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { located } from '../support/browser.ts'
import { openPagesGround, signInByKey, type PagesGround } from '../support/pages-ground.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

describe.skipIf(!located.ok && skipPart('ends of sessions', located.message))('pages', () => {
  let ground: Awaited<ReturnType<typeof openPagesGround>>
  let gateway: PagesGround['gateway']
  let launched: PagesGround['launched']
  let page: Page

  beforeAll(async () => {
    ground = await openPagesGround()
    ;({ gateway, launched, page } = ground)
  })
  afterAll(() => ground?.close())

  const shows = (words: string, where = 'body') =>
    page.waitForFunction(
      (words, where) => document.querySelector(where)?.textContent?.includes(words),
      PATIENT,
      words,
      where,
    )
  const press = (text: string, where = 'body') =>
    page.$$eval(
      `${where} button`,
      (buttons, text) => buttons.find(({ textContent }) => textContent === text)!.click(),
      text,
    )
  const signIn = (on: Page): Promise<void> => signInByKey(on, ground)

  it('a dialog whose session has ended keeps what was typed, until another tab has signed in', async () => {
    await signIn(page)
    await press('New key …')
    await page.type('dialog [name=name]', 'typed before')
    await launched.browser.deleteCookie(...(await launched.browser.cookies()))
    await press('Make the key', 'dialog')
    await shows('the session has ended', 'dialog')
    const link = '::-p-text(Sign in in another tab)'
    const [opened] = await Promise.all([
      launched.browser.waitForTarget(
        (target) => target.url().includes('/account/sign-in'),
        PATIENT,
      ),
      page.click(`dialog a${link}`),
    ])
    const other = (await opened.page())!
    await signIn(other)
    await other.close()
    await page.bringToFront()
    await press('Make the key', 'dialog')
    await shows('Key typed before is made', 'dialog')
    await press('Done', 'dialog')
  })

  it('a dialog that is closed while it sends is there again when that fails', async () => {
    await press('New key …')
    await page.type('dialog [name=name]', 'sent and closed')
    await page.setRequestInterception(true)
    const held = new Promise<HTTPRequest>((resolve) => {
      page.on('request', (request) =>
        request.method() === 'POST' ? resolve(request) : void request.continue(),
      )
    })
    await press('Make the key', 'dialog')
    const request = await held
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.querySelector('dialog') === null, PATIENT)
    await request.abort()
    await shows('The gateway cannot be reached', 'dialog[open]')
    const typed = await page.$eval('dialog [name=name]', (name) => (name as HTMLInputElement).value)
    expect(typed).toBe('sent and closed')
    page.removeAllListeners('request')
    await page.setRequestInterception(false)
    await page.keyboard.press('Escape')
  })

  it('signing out without the network leaves nobody in the belief', async () => {
    await page.setOfflineMode(true)
    await press('Sign out', 'header')
    await shows('You are still signed in. The gateway cannot be reached', 'main')
    await page.setOfflineMode(false)
    await press('Sign out', 'header')
    await page.waitForSelector('#api_key', PATIENT)
    const cookies = await launched.browser.cookies()
    expect(cookies.map(({ name }) => name)).toEqual(['coinop_visitor'])
  })

  it('a session that another tab has ended is signed out of without a question', async () => {
    await signIn(page)
    await launched.browser.deleteCookie(...(await launched.browser.cookies()))
    await press('Sign out', 'header')
    await page.waitForSelector('#api_key', PATIENT)
  })

  it('the browser asks before it leaves what was typed into a dialog', async () => {
    await signIn(page)
    await press('New key …')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.type('dialog [name=name]', 'half of a na')
    await page.reload()
    await page.waitForSelector('.data[aria-busy=false]', PATIENT)
    expect(asked).toEqual(['beforeunload'])
    await press('New key …')
    await page.reload()
    expect(asked).toHaveLength(1)
    page.removeAllListeners('dialog')
  })

  it('a spec that was typed survives a look elsewhere, and is for the version that it changes', async () => {
    const path = '/v1/admin/products/demo'
    const text = async (): Promise<string> => (await gateway.admin('GET', path)).json.text
    await page.goto(`${gateway.url}/console#/products/demo?edit=1`)
    await page.waitForSelector('#token', PATIENT)
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.waitForSelector('textarea.spec', PATIENT)
    await page.type('textarea.spec', ' # typed')
    await page.evaluate(() => (location.hash = '#/figures'))
    await shows('Figures', 'h1')
    const changed = (await text()).replace('title: Demo', 'title: Changed meanwhile')
    expect((await gateway.admin('PUT', path, changed)).status).toBe(200)
    await page.goBack()
    await shows('This is what you typed before')
    const typed = () =>
      page.$eval('textarea.spec', (area) => (area as HTMLTextAreaElement).value.includes('# typed'))
    expect(await typed()).toBe(true)
    await press('Put into service')
    await page.waitForSelector('.action [role=alert]', PATIENT)
    expect(await typed()).toBe(true)
    expect(await text()).toBe(changed)
    await page.$$eval('a', (links) => links.find((one) => one.textContent === 'Cancel')!.click())
    await shows('Take out of service …')
    await page.evaluate(() => (location.hash = '#/products/demo?edit=1'))
    await page.waitForSelector('textarea.spec', PATIENT)
    expect(await typed()).toBe(false)
    await press('Sign out', 'header')
    await page.waitForSelector('#token', PATIENT)
  })

  it('the way back in the console takes a question along, and no secret', async () => {
    await page.goto(`${gateway.url}/console#/figures`)
    await page.waitForSelector('#token', PATIENT)
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await shows('Figures', 'h1')
    await page.evaluate(() => (location.hash = '#/keys'))
    await shows('New key …')
    await press('New key …')
    await page.goBack()
    await shows('Figures', 'h1')
    await page.waitForFunction(() => document.querySelector('dialog') === null, PATIENT)
    await page.goForward()
    await shows('New key …')
    await press('New key …')
    await page.type('dialog [name=name]', 'shown once')
    await page.keyboard.press('Enter')
    await shows('Copy it now', 'dialog')
    await page.goBack()
    await shows('Figures', 'h1')
    await shows('Copy it now', 'dialog')
  })
})
