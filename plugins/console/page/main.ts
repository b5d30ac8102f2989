/** The console: sign in, then the views by the place in the address. */
import { keepToken, keptToken } from './session.ts'
import { runShell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { TABS, viewAt } from './views.ts'

const app = document.querySelector<HTMLElement>('#app')
if (app) start(app, null)

function start(parent: HTMLElement, why: string | null): void {
  if (keptToken() === null) {
    signIn(parent, why, () => start(parent, null))
    return
  }
  runShell(parent, TABS, viewAt, (ended) => {
    keepToken(null)
    start(parent, ended)
  })
}
