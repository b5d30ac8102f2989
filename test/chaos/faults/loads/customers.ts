/** Customers who top up, begin plans, and have charges and top-ups given back. */
import { productsIn } from '../../../support/products.ts'
import { startProviderA, startProviderB } from '../../../support/topup.ts'
import { join } from 'node:path'
import { PLAN_PRODUCT } from '../customer-plan.ts'
import { customersOf } from '../customers.ts'
import type { LoadUnder } from './load.ts'

export const customers: LoadUnder = async ({ seed, size, folder }, under) => {
  const providers = [startProviderA(), startProviderB()]
  try {
    return await under({
      env: {
        PRODUCTS_DIR: productsIn(join(folder, 'products'), { 'plans.yaml': PLAN_PRODUCT }),
        PREPAID_FIAT: 'true',
        ...Object.assign({}, ...providers.map(({ env }) => env)),
      },
      others: [customersOf({ providers, customers: size.payers, seed, isHurried: size.isHurried })],
    })
  } finally {
    await Promise.all(providers.map((provider) => provider.stop()))
  }
}
