/** The pages on which people manage their account, if a mounted plugin has some. */

/** Absolute URLs. */
export interface AccountPageUrls {
  account: string
  buy: string
  /** The page with the budgets of keys and apps. */
  budgets: string
}

/** Paths of a plugin's pages, below PUBLIC_URL. */
export interface AccountPage {
  path: string
  /** Where a person buys credits. */
  buyPath: string
  /** Where a person changes what keys and apps may spend. */
  budgetsPath: string
}

/** The pages that are mounted now, to which offers and refusals link. */
export class AccountPages {
  readonly #publicUrl: string
  #page: AccountPage | null = null
  #urls: AccountPageUrls | null = null

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl
  }

  set(page: AccountPage | null): void {
    if (page === this.#page) return
    this.#page = page
    const url = (path: string): string => `${this.#publicUrl}${path}`
    this.#urls = page && {
      account: url(page.path),
      buy: url(page.buyPath),
      budgets: url(page.budgetsPath),
    }
  }

  /** Null while no plugin has such pages; the same object until the pages change. */
  urls(): AccountPageUrls | null {
    return this.#urls
  }

  paths(): AccountPage | null {
    return this.#page
  }
}
