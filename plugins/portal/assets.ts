/** The scripts of the pages and their style sheet. */
import { join } from 'node:path'
import { pageScript, pageStyle } from '../shared/pages/assets.ts'

/** The account pages. */
export const accountScript = pageScript(join(import.meta.dirname, 'page/main.ts'))

/** What adds wallets and passkeys to the page of signing in. */
export const signInScript = pageScript(join(import.meta.dirname, 'page/sign-in.ts'))

export const styleText = (): Promise<string> =>
  pageStyle([join(import.meta.dirname, 'page/account.css')])
