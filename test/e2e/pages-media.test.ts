/** Pages as the reader has set them: the size of text, forced colors, paper, and a narrow window. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { located } from '../support/browser.ts'
import { openPagesGround, type PagesGround } from '../support/pages-ground.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

describe.skipIf(!located.ok && skipPart('media', located.message))('pages follow', () => {
  let ground: Awaited<ReturnType<typeof openPagesGround>>
  let gateway: PagesGround['gateway']
  let key: PagesGround['key']
  let page: PagesGround['page']

  beforeAll(async () => {
    ground = await openPagesGround()
    ;({ gateway, key, page } = ground)
    await page.setViewport({ width: 1200, height: 900 })
  })
  afterAll(() => ground?.close())

  it.each([
    ['/', '32px'],
    ['/account/sign-in', '30px'],
  ])('the size of text, at %s', async (path, size) => {
    const session = await page.createCDPSession()
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.goto(gateway.url + path)
    expect(await page.$eval('body', (body) => getComputedStyle(body).fontSize)).toBe(size)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    await session.detach()
  })

  it('a script that does not come: pages made by one say what to do', async () => {
    const other = await page.browser().newPage()
    try {
      await other.setRequestInterception(true)
      other.on('request', (request) =>
        request.resourceType() === 'script' ? request.abort() : request.continue(),
      )
      await other.goto(`${gateway.url}/account/sign-in`)
      await other.type('#api_key', key.key)
      await Promise.all([other.waitForNavigation(), other.keyboard.press('Enter')])
      for (const path of ['/console', '/account/keys']) {
        await other.setJavaScriptEnabled(true)
        await other.goto(gateway.url + path)
        const late = await other.waitForSelector('.late', { ...PATIENT, visible: true })
        expect(await late?.evaluate(({ textContent }) => textContent)).toContain('again')
        // Who has switched scripts off is told that, and nothing of waiting.
        await other.setJavaScriptEnabled(false)
        await other.goto(gateway.url + path)
        expect(await other.$$('noscript p')).toHaveLength(1)
        expect(await other.$eval('.late', (one) => getComputedStyle(one).display)).toBe('none')
      }
    } finally {
      await other.close()
    }
  })

  it('paper: all of a block of code is there, and nothing to press', async () => {
    await page.goto(`${gateway.url}/docs/skills/docintel.parse_invoice`)
    await page.waitForSelector('form button', PATIENT)
    await page.emulateMediaType('print')
    const cutOff = await page.$$eval('pre', (blocks) =>
      blocks
        .filter((one) => one.checkVisibility())
        .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cutOff).toEqual([])
    const pressed = await page.$$eval('button, header nav', (all) =>
      all.filter((one) => one.checkVisibility()).map(({ textContent }) => textContent),
    )
    expect(pressed).toEqual([])
    await page.emulateMediaType('screen')
  })

  it('forced colors and a narrow window: a chart has its colors, and no text that nobody can read', async () => {
    await page.goto(`${gateway.url}/console#/figures`)
    await page.waitForSelector('#token', PATIENT)
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.chart.bars text', PATIENT)
    const session = await page.createCDPSession()
    const features = [{ name: 'forced-colors', value: 'active' }]
    await session.send('Emulation.setEmulatedMedia', { features })
    const colors = await page.$eval('.chart.bars', (chart) =>
      [...chart.querySelectorAll('.key')].map(
        (key) => getComputedStyle(key, '::before').backgroundColor,
      ),
    )
    expect(colors.length).toBeGreaterThan(1)
    expect(new Set(colors).size).toBe(colors.length)
    await page.setViewport({ width: 320, height: 640 })
    const shown = await page.$$eval('.chart.bars text', (texts) =>
      texts.filter((text) => text.checkVisibility()).map(({ textContent }) => textContent),
    )
    expect(shown).toEqual([])
  })
})
