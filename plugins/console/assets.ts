/** The console's script, page/ as one module for browsers, and its style sheet. */
import { join } from 'node:path'
import { pageScript, pageStyle } from '../shared/pages/assets.ts'

export const scriptText = pageScript(join(import.meta.dirname, 'page/main.ts'))

export const styleText = (): Promise<string> => pageStyle()
