/**
 * Finds elements again after what they stood in was made anew, so that a person at a keyboard goes on
 * where they were: every refresh replaces what a view shows, and dialogs open one another.
 */

/** Rows by themselves may say the same: 'Revoke …' is in each of them. */
const ROWS = 'tr, article, li, section'

/** Gives the focus to the element, or to the one that stands for it now; false if there is none. */
export type FocusMark = () => boolean

/** A mark of an element in `within`, whose content may be replaced until the mark is used. */
export function focusMark(element: Element, within: ParentNode): FocusMark {
  const sign = signOf(element)
  const alike = (): HTMLElement[] =>
    [...within.querySelectorAll<HTMLElement>(element.localName)].filter(
      (other) => signOf(other) === sign,
    )
  const nth = alike().indexOf(element as HTMLElement)
  return () => {
    const found = element.isConnected ? (element as HTMLElement) : alike()[nth]
    found?.focus({ preventScroll: true })
    return found !== undefined
  }
}

/** Runs `work` with the buttons off. One that had the focus loses it by that, and gets it back. */
export async function switchedOff(
  buttons: readonly HTMLButtonElement[],
  work: () => Promise<void>,
): Promise<void> {
  const focused = buttons.find((one) => one === document.activeElement)
  for (const one of buttons) one.disabled = true
  try {
    await work()
  } finally {
    for (const one of buttons) one.disabled = false
    // Whoever went elsewhere meanwhile stays there.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true })
  }
}

/** What a reader opened or moved aside in `region`; the function does the same to its new content. */
export function keepOpened(region: ParentNode): () => void {
  const opened = new Set([...region.querySelectorAll('details[open] > summary')].map(signOf))
  const moved = tablesIn(region).map(({ scrollLeft }) => scrollLeft)
  return () => {
    for (const summary of region.querySelectorAll('details > summary')) {
      if (opened.has(signOf(summary))) summary.parentElement?.setAttribute('open', '')
    }
    for (const [n, table] of tablesIn(region).entries()) table.scrollLeft = moved[n] ?? 0
  }
}

const tablesIn = (region: ParentNode): Element[] => [...region.querySelectorAll('.table')]

/** The same for two elements that a reader would take for the same one. */
function signOf(element: Element): string {
  const row = element.parentElement?.closest(ROWS)
  const name =
    element.getAttribute('href') ??
    element.getAttribute('name') ??
    element.getAttribute('aria-label')
  return JSON.stringify([element.localName, name ?? element.textContent, row ? nameOf(row) : null])
}

/** What a row is about: the place it leads to, else how it begins. */
function nameOf(row: Element): string | null {
  const first = row.querySelector('a[href]')?.getAttribute('href')
  return first ?? row.querySelector('td, h2, h3')?.textContent ?? null
}
