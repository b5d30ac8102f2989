/**
 * The sign-in of this browser. The gateway keeps it in a cookie that no script can read; the page
 * only knows whether there is one.
 */
import { askOwn } from './api.ts'

/** Where versions before 1.1 kept the token itself. */
const FORMER_NAME = 'coinop-console-token'

export async function isSignedIn(): Promise<boolean> {
  forgetFormer()
  const { signedIn } = await askOwn<{ signedIn: boolean }>('/session')
  return signedIn
}

/** Throws an ApiError when the gateway does not take the token. */
export async function signInWith(token: string): Promise<void> {
  await askOwn('/session', { method: 'POST', body: { token } })
}

/** Uses a sign-in link up. Throws an ApiError when it is not valid (any more). */
export async function signInByLink(link: string): Promise<void> {
  await askOwn('/session', { method: 'POST', body: { link } })
}

/** The secret of the sign-in link that led here; the address and the history forget it at once. */
export function takeLink(): string | null {
  const link = /^#\/sign-in\/([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? null
  if (link !== null) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return link
}

/** Throws an ApiError when it is refused. */
export async function signOut(): Promise<void> {
  await askOwn('/session', { method: 'DELETE' })
}

function forgetFormer(): void {
  try {
    sessionStorage.removeItem(FORMER_NAME)
  } catch {
    // A browser that refuses storage has kept nothing.
  }
}
