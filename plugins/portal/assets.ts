/** The scripts of the pages and their style sheet. */
import { join } from 'node:path'
import { pageScript, pageStyle } from '../shared/pages/assets.ts'

const page = (name: string): string => join(import.meta.dirname, 'page', name)

/** The account pages. */
export const accountScript = pageScript(page('main.ts'))

/** What adds wallets and passkeys to the page of signing in. */
export const signInScript = pageScript(page('sign-in.ts'))

export const styleText = (): Promise<string> => pageStyle([page('account.css')])
