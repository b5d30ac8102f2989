/** Browsers in the words of people. A User-Agent is what the program said of itself, and no proof. */
import { h } from './dom.ts'

/** Those that also name the browser that they are made of stand first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\b(?:Linux|X11)\b/, 'Linux'],
]

/** 'Chrome on Linux'; the name of another program; the text itself where it names none. */
export function browserName(agent: string): string {
  const named = (list: typeof BROWSERS): string | undefined =>
    list.find(([sign]) => sign.test(agent))?.[1]
  const browser = named(BROWSERS)
  if (browser === undefined) return /^(?!Mozilla\/)([\w.-]+)\//.exec(agent)?.[1] ?? agent
  const system = named(SYSTEMS)
  return system === undefined ? browser : `${browser} on ${system}`
}

/** The name, with the whole User-Agent on hover. */
export function browserOf(agent: string): HTMLElement {
  if (agent === '') return h('span', { class: 'none' }, '–')
  return h('span', { title: agent }, browserName(agent))
}
