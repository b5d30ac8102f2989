/** The console: sign in, then the views by the place in the address. */
import { isSignedIn, signOut, takeLink } from './session.ts'
import { messageOf } from '../../shared/pages/parts.ts'
import { runShell } from '../../shared/pages/shell.ts'
import { confirmLink, signIn } from './sign-in.ts'
import { TABS, viewAt } from './views.ts'

const app = document.querySelector<HTMLElement>('#app')
if (app) void open(app)

async function open(parent: HTMLElement): Promise<void> {
  const link = takeLink()
  if (link !== null) {
    const redeemed = (): void => show(parent)
    return confirmLink(parent, link, redeemed, (why) => enter(parent, why))
  }
  try {
    if (await isSignedIn()) show(parent)
    else enter(parent, null)
  } catch (error) {
    enter(parent, messageOf(error))
  }
}

function enter(parent: HTMLElement, why: string | null): void {
  signIn(parent, why, () => show(parent))
}

function show(parent: HTMLElement): void {
  runShell(parent, {
    brand: 'Coinop',
    title: 'Coinop console',
    label: 'Console',
    tabs: TABS,
    viewAt,
    signOut,
    signedOut: (ended) => enter(parent, ended),
  })
}
