/** Which view stands at which place. */
import type { MakeView } from '../../shared/pages/view.ts'
import { appView, appsView } from './views/apps.ts'
import { buyView } from './views/buy.ts'
import { callView } from './views/call.ts'
import { callsView } from './views/calls.ts'
import { keyView, keysView } from './views/keys.ts'
import { overviewView } from './views/overview.ts'
import { planView } from './views/plan.ts'
import { receiptsView } from './views/receipts.ts'
import { settingsView } from './views/settings.ts'
import { usageView } from './views/usage.ts'
import { deliveryView } from './views/delivery.ts'
import { webhookView } from './views/webhook.ts'
import { webhooksView } from './views/webhooks.ts'

const LISTS: Readonly<Record<string, MakeView>> = {
  '': overviewView,
  keys: keysView,
  apps: appsView,
  calls: callsView,
  usage: usageView,
  webhooks: webhooksView,
  plan: planView,
  buy: buyView,
  receipts: receiptsView,
  settings: settingsView,
}
const ONES: Readonly<Record<string, (id: string) => MakeView>> = {
  keys: keyView,
  apps: appView,
  calls: callView,
  webhooks: webhookView,
  deliveries: deliveryView,
}

/** The view of a place, or null where there is none. */
export function viewAt([first = '', id, ...more]: readonly string[]): MakeView | null {
  if (more.length > 0) return null
  if (id === undefined) return Object.hasOwn(LISTS, first) ? LISTS[first]! : null
  return Object.hasOwn(ONES, first) ? ONES[first]!(id) : null
}
