/** Plans: prices, free calls and monthly credits of an account's own, paid by the month from its balance. */
import { definePlugin } from '#kernel'
import { PLANS_DESK } from '../shared/plans/contract.ts'
import { PlansConfig, readPlans } from './config.ts'
import { plansDesk } from './desk.ts'
import { Members } from './members.ts'
import { migrations } from './migrations.ts'
import { Renewals } from './renewals.ts'
import { planRoutes } from './routes.ts'
import { PlanStore } from './store.ts'

export default definePlugin({
  id: 'plans',
  version: '0.1.0',
  kernel: '^1.3.0',
  config: PlansConfig,
  requires: ['accounts', 'billing', 'calls', 'signals', 'oneOffSales'],
  reservedPaths: ['/v1/admin/plans'],
  migrations,
  setup(env) {
    const plans = readPlans(env.config)
    const store = new PlanStore(env.db)
    const sales = env.service('oneOffSales')
    const { db, log } = env
    const members = new Members({ store, plans, signals: env.service('signals'), log })
    const shared = { db, store, plans, members, accounts: env.service('accounts'), log }
    const renewals = new Renewals({ ...shared, purchases: { ...shared, sales } })
    const routeDeps = {
      ...shared,
      sales,
      calls: env.service('calls'),
      renewals,
      productId: env.product.id,
      sandbox: env.sandbox,
    }
    let unfollow: (() => void) | null = null
    return {
      terms: members,
      provides: { [PLANS_DESK]: plansDesk(routeDeps) },
      gauges: [
        {
          name: 'gateway_plans_subscriptions',
          help: 'Subscriptions that go on, by state',
          label: 'state',
          read: () => store.counts(),
        },
      ],
      routes: planRoutes(routeDeps),
      async ready() {
        await members.start()
        unfollow = env.service('billing').onFunded((keyId) => renewals.funded(keyId))
        renewals.start()
      },
      async stop() {
        unfollow?.()
        await renewals.stop()
        await members.stop()
      },
    }
  },
})
