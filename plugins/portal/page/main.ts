/** The account pages: the document is for whoever is signed in; each place has one of its own. */
import { placesBelow } from '../../shared/pages/place.ts'
import { runShell } from '../../shared/pages/shell.ts'
import { askApi, home } from './client.ts'
import { TABS } from '../tabs.ts'
import { viewAt } from './views.ts'

const app = document.querySelector<HTMLElement>('#app')
if (app) {
  placesBelow(home())
  const operator = document.querySelector('meta[name="coinop-operator"]')?.getAttribute('content')
  const hidden = document
    .querySelector('meta[name="coinop-hidden-tabs"]')
    ?.getAttribute('content')
    ?.split(' ')
  runShell(app, {
    brand: operator ?? 'Coinop',
    title: operator ?? 'Coinop',
    label: 'Account',
    tabs: TABS.filter(({ path }) => !hidden?.includes(path) || path === ''),
    viewAt,
    signOut: () => askApi('/session', { method: 'DELETE' }),
    signedOut: () => location.assign(signInPath()),
  })
}

function signInPath(): string {
  return `${home()}/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`
}
