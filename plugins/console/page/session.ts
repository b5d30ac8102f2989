/** The admin token, kept for this tab until it is closed or signed out: no cookie, no URL. */

const NAME = 'coinop-console-token'
/** For browsers that refuse storage: until the page is left. */
let inMemory: string | null = null

export function keptToken(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? inMemory
  } catch {
    return inMemory
  }
}

export function keepToken(token: string | null): void {
  inMemory = token
  try {
    if (token === null) sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, token)
  } catch {
    // inMemory has it.
  }
}
