/** The sign-in as a member of x402's challenges, wherever credits pay as well. */
import type { CallPlace, Catalog, CatalogSnapshot, Quote } from '#kernel'
import type { ChallengeExtension } from '../shared/payments/challenge-extensions.ts'
import type { SignIn } from './sign-in.ts'

const CREDITS = 'credits'

export class SignInExtension implements ChallengeExtension {
  readonly #signIn: SignIn
  readonly #catalog: Pick<Catalog, 'current'>
  /** What is sold for credits, by product and skill. */
  #sold: { in: CatalogSnapshot | null; names: ReadonlySet<string> } = { in: null, names: new Set() }

  constructor(signIn: SignIn, catalog: Pick<Catalog, 'current'>) {
    this.#signIn = signIn
    this.#catalog = catalog
  }

  textFor(place: CallPlace, quote: Quote): string | null {
    const snapshot = this.#catalog.current()
    if (this.#sold.in !== snapshot) this.#sold = { in: snapshot, names: soldForCredits(snapshot) }
    const isSold = this.#sold.names.has(nameOf(quote.productId, quote.skillId))
    return isSold ? this.#signIn.offerText(place, quote) : null
  }
}

function soldForCredits({ skills }: CatalogSnapshot): ReadonlySet<string> {
  const sold = skills.filter(({ metered, rails }) => metered && rails.includes(CREDITS))
  return new Set(sold.map(({ product, skill }) => nameOf(product.id, skill.id)))
}

function nameOf(productId: string, skillId: string): string {
  return `${productId} ${skillId}`
}
