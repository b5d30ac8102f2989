/** Which view stands at which place. */
import type { Tab } from '../../shared/pages/shell.ts'
import type { MakeView } from '../../shared/pages/view.ts'
import { accountView } from './views/account.ts'
import { accountsView } from './views/accounts.ts'
import { callView } from './views/call.ts'
import { callsView } from './views/calls.ts'
import { changesView } from './views/changes.ts'
import { configurationView } from './views/configuration.ts'
import { deliveriesView } from './views/deliveries.ts'
import { deliveryView } from './views/delivery.ts'
import { endpointView } from './views/endpoint.ts'
import { endpointsView } from './views/endpoints.ts'
import { figuresView } from './views/figures.ts'
import { keyView } from './views/key.ts'
import { keysView } from './views/keys.ts'
import { ledgerView } from './views/ledger.ts'
import { operatorsView } from './views/operators.ts'
import { overviewView } from './views/overview.ts'
import { planView } from './views/plan.ts'
import { plansView } from './views/plans.ts'
import { productView } from './views/product.ts'
import { productsView } from './views/products.ts'
import { requestView } from './views/request.ts'
import { requestsView } from './views/requests.ts'
import { eventsView } from './views/events.ts'
import { flaggedView } from './views/flagged.ts'

export const TABS: readonly Tab[] = [
  { path: '', title: 'Overview' },
  { path: 'figures', title: 'Figures' },
  { path: 'requests', title: 'Requests' },
  { path: 'calls', title: 'Calls' },
  { path: 'accounts', title: 'Accounts' },
  { path: 'keys', title: 'Keys' },
  { path: 'ledger', title: 'Ledger' },
  { path: 'products', title: 'Products' },
  { path: 'plans', title: 'Plans' },
  { path: 'webhooks', title: 'Webhooks' },
  { path: 'operators', title: 'Operators' },
  { path: 'configuration', title: 'Configuration' },
]

type Make = (id: string) => MakeView

const LISTS: Readonly<Record<string, MakeView>> = {
  '': overviewView,
  figures: figuresView,
  requests: requestsView,
  calls: callsView,
  accounts: accountsView,
  keys: keysView,
  ledger: ledgerView,
  products: productsView,
  plans: plansView,
  webhooks: deliveriesView,
  operators: operatorsView,
  configuration: configurationView,
}
const ONES: Readonly<Record<string, Make>> = {
  requests: requestView,
  operators: (id) => (id === 'changes' ? changesView : operatorsView),
  calls: callView,
  accounts: (id) => (id === 'events' ? eventsView : accountView(id)),
  keys: keyView,
  products: productView,
  plans: planView,
  webhooks: (id) => (id === 'endpoints' ? endpointsView : deliveryView(id)),
  ledger: (id) => (id === 'flagged' ? flaggedView : ledgerView),
}

/** The view of a place, or null where there is none. */
export function viewAt([first = '', id, ...more]: readonly string[]): MakeView | null {
  if (first === 'webhooks' && id === 'endpoints' && more.length === 1) return endpointView(more[0]!)
  if (more.length > 0) return null
  if (id === undefined) return Object.hasOwn(LISTS, first) ? LISTS[first]! : null
  return Object.hasOwn(ONES, first) ? ONES[first]!(id) : null
}
