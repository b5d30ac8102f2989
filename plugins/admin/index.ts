/**
 * The operator's API and commands: accounts, keys, holds, refunds, ledger rows, events and products,
 * and what the holder of a key may ask about it. Part of the gateway, without a product file.
 */
import { definePlugin } from '#kernel'
import { Type } from 'typebox'
import { accountCommands } from './commands/accounts.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerExport } from './commands/ledger-export.ts'
import { ledgerList } from './commands/ledger.ts'
import { productChanges } from './commands/product-changes.ts'
import { productList } from './commands/products.ts'
import { creditsRefund } from './commands/refund.ts'
import { accountRoutes } from './routes/accounts.ts'
import { creditRoutes } from './routes/credits.ts'
import { eventRoutes } from './routes/events.ts'
import { keyRoutes } from './routes/keys.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { productRoutes } from './routes/products.ts'

export default definePlugin({
  id: 'admin',
  version: '1.0.0',
  kernel: '^1.3.0',
  config: Type.Object({}, { additionalProperties: false }),
  requires: ['administration', 'funds'],
  commands: [
    ...keyCommands,
    creditsRefund,
    ...accountCommands,
    ledgerList,
    ledgerExport,
    productList,
    ...productChanges,
  ],
  // Nothing that a product could mount.
  setup: () => ({}),
  gateway(env) {
    const administration = env.service('administration')
    const deps = { ...administration, funds: env.service('funds'), sandbox: env.sandbox }
    return {
      routes: [
        ...keyRoutes(deps),
        ...accountRoutes(deps),
        ...eventRoutes(deps),
        ...creditRoutes(deps),
        ...ledgerRoutes(deps),
        ...productRoutes(deps),
      ],
    }
  },
})
