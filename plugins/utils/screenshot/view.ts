/** How a page is looked at: the size of the window, the kind of device, colours. */
import type { Browser, Page } from 'puppeteer-core'

export const DEVICES = ['desktop', 'tablet', 'mobile'] as const
export type Device = (typeof DEVICES)[number]

export interface View {
  width: number
  height: number
  device?: Device
  /** Device pixels of one CSS pixel. */
  scale?: number
  isDark?: boolean
}

/** Sizes in CSS pixels and device pixels of one, of devices in wide use. */
export const DEVICE_VIEWS: Readonly<
  Record<Device, { width: number; height: number; scale: number }>
> = {
  desktop: { width: 1280, height: 800, scale: 1 },
  tablet: { width: 820, height: 1080, scale: 2 },
  mobile: { width: 390, height: 844, scale: 3 },
}

/** The view that most calls ask for. */
export const USUAL_VIEW: View = { ...DEVICE_VIEWS.desktop, device: 'desktop' }

/** Device pixels of one CSS pixel in a view. */
export const scaleOf = ({ device = 'desktop', scale }: View): number =>
  scale ?? DEVICE_VIEWS[device].scale

/** Whether a page looks the same in both. */
export function isSameView(one: View, other: View): boolean {
  const keyOf = (view: View): string => {
    const { width, height, device = 'desktop', isDark = false } = view
    return [width, height, device, scaleOf(view), isDark].join()
  }
  return keyOf(one) === keyOf(other)
}

const agents = new WeakMap<Browser, string>()

/** The browser's own name, without the mark of headless and with ours: sites may know who comes. */
async function agentOf(browser: Browser): Promise<string> {
  const known = agents.get(browser)
  if (known) return known
  const agent = `${(await browser.userAgent()).replace('HeadlessChrome', 'Chrome')} Coinop`
  agents.set(browser, agent)
  return agent
}

function forDevice(agent: string, device: Device): string {
  if (device === 'desktop') return agent
  const named = agent.replace(/\([^)]*\)/, '(Linux; Android 14; K)')
  return device === 'mobile' ? named.replace(' Safari/', ' Mobile Safari/') : named
}

/** Sets the view on a page before its first navigation. */
export async function applyView(page: Page, view: View): Promise<void> {
  const { width, height, device = 'desktop', isDark } = view
  const isHandheld = device !== 'desktop'
  const [agent] = await Promise.all([
    agentOf(page.browser()),
    page.setViewport({
      width,
      height,
      deviceScaleFactor: scaleOf(view),
      isMobile: isHandheld,
      hasTouch: isHandheld,
    }),
    isDark && page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]),
  ])
  await page.setUserAgent({ userAgent: forDevice(agent, device) })
}
