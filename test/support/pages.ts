/** The front page of a gateway that is well, without a socket. */
import { storefront } from '../../plugins/storefront/storefront.ts'
import type { CatalogSnapshot } from '../../kernel/plugins/catalog.ts'
import type { Rail } from '../../kernel/rails/contract.ts'

const operator = { name: null, logoUrl: null, termsUrl: null, privacyUrl: null, supportUrl: null }

export function frontPage(snapshot: CatalogSnapshot, rails: readonly Rail[] = []): string {
  const facts = { publicUrl: 'https://gw.example', snapshot, rails, isSandbox: false, homes: [] }
  return storefront({ ...facts, operator, accountPath: null }, { status: 'ready', checks: {} })
}
