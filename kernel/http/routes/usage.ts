/** GET /v1/usage: a key's own ledger rows. */
import type { Route } from '../../plugins/contract.ts'
import { ledgerPage, LedgerPage, UsageQuery, type LedgerRouteDeps } from './ledger.ts'

export function usageRoutes(deps: LedgerRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/usage',
      auth: 'key',
      rateLimited: true,
      tag: 'Ledger',
      summary: "The key's own ledger rows, newest first, of one request or kind",
      query: UsageQuery,
      output: LedgerPage,
      handler: ({ query, keyId }) => ledgerPage(deps.ledger, query, keyId!),
    },
  ]
}
