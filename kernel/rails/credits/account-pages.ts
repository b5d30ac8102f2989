/** Where people look after their account, when a mounted plugin has pages for it. */

/** Absolute URLs. */
export interface AccountPageUrls {
  account: string
  buy: string
  /** Budgets of keys and apps. */
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

/** The pages of now: offers and refusals lead people there. */
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

  /** Null while no plugin has such pages; the same object until that changes. */
  urls(): AccountPageUrls | null {
    return this.#urls
  }
}
