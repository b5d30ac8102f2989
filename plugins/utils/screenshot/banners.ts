/** Consent banners and overlays taken off a page before it is captured; the page answers none. */
import type { Page } from 'puppeteer-core'
import { inspect } from './inspect.ts'
import { orNull } from './settle.ts'

/** Containers of consent tools that many sites use. */
const KNOWN = [
  '#onetrust-consent-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#usercentrics-root',
  '#didomi-host',
  '#truste-consent-track',
  '#cookie-law-info-bar',
  '#cookiescript_injected',
  '#termly-code-snippet-support',
  '#gdpr-cookie-message',
  '#cookie-notice',
  '#cookie-banner',
  '#cookieConsent',
  '.fc-consent-root',
  '.qc-cmp2-container',
  '.cc-window',
  '.cky-consent-container',
  '.cky-overlay',
  '.osano-cm-window',
  '.iubenda-cs-container',
  '.cmplz-cookiebanner',
  '.moove-gdpr-info-bar-container',
  '[id^="sp_message_container"]',
]

/** Hides what it finds and returns how many; runs in the page, which may be hostile. */
const SCRIPT = `(() => {
  const talk = /cookies?\\b|consent|gdpr|your privacy|einwilligung|datenschutz|consentement|consentimiento|toestemming|zgod|персональн/i
  let hidden = 0
  const hide = (element) => {
    element.style.setProperty('display', 'none', 'important')
    hidden += 1
  }
  for (const element of document.querySelectorAll(${JSON.stringify(KNOWN.join(','))})) hide(element)
  let looked = 0
  for (const element of document.body ? document.body.querySelectorAll('div,section,aside,dialog,form,footer') : []) {
    if ((looked += 1) > 4000) break
    const { position, display } = getComputedStyle(element)
    if (display === 'none' || !/^(?:fixed|sticky)$/.test(position)) continue
    const text = (element.innerText || '').slice(0, 3000)
    if (talk.test(text) && element.querySelector('button,a,input[type=button],input[type=submit],[role=button]')) hide(element)
  }
  if (hidden > 0)
    for (const root of [document.documentElement, document.body])
      if (root) root.style.setProperty('overflow', 'visible', 'important')
  return hidden
})()`

/** Number of banners that were hidden; 0 also when the page does not answer. */
export async function hideBanners(page: Page, limitMs: number): Promise<number> {
  const hidden = await orNull(inspect(page, SCRIPT), limitMs)
  return typeof hidden === 'number' && Number.isFinite(hidden) ? hidden : 0
}
