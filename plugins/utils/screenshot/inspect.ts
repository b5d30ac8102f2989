/** Questions about a page that it cannot answer itself. */
import type { Frame, Page } from 'puppeteer-core'

/** Not in the library's public types: the world of a frame that shares its document, but no script. */
interface Apart {
  isolatedRealm(): { evaluate(script: string): Promise<unknown> }
}

/**
 * What `script` gives in the page's document, run apart from the page's own scripts: what they put in
 * the place of built-in functions and properties is not called.
 */
export function inspect(page: Page, script: string): Promise<unknown> {
  return (page.mainFrame() as Frame & Apart).isolatedRealm().evaluate(script)
}
