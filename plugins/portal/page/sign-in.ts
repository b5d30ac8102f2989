/** Adds wallets and passkeys to the page of signing in, which works without them. */
import { startAuthentication } from '@simplewebauthn/browser'
import { InputError, pageClient } from '../../shared/pages/api.ts'
import { append, button, h, type Child } from '../../shared/pages/dom.ts'
import { GivenUp } from '../../shared/pages/give-up.ts'
import { messageOf, note } from '../../shared/pages/parts.ts'
import { walletButtons } from './wallet-buttons.ts'
import { accountOf, chainOf, signText, type Wallet } from '../../shared/pages/wallets.ts'

const place = document.querySelector<HTMLElement>('#with-script')
if (place) show(place)

function show(place: HTMLElement): void {
  const next = place.dataset['next'] ?? null
  // The document is the sign-in page itself, whose folder is that of the routes.
  const { ask } = pageClient('x-coinop-account')
  const said = h('div', { 'aria-live': 'polite' })
  const say = (...children: Child[]): void => {
    said.replaceChildren()
    append(said, children)
  }

  /** Runs one attempt and goes where the gateway says; what went wrong stands on the page. */
  async function attempt(doing: string, work: () => Promise<{ next: string }>): Promise<void> {
    say(note('quiet', doing))
    try {
      const done = await work()
      location.assign(done.next)
    } catch (error) {
      say(error instanceof GivenUp ? note('quiet', error.message) : note('bad', messageOf(error)))
    }
  }

  const byWallet = (wallet: Wallet): Promise<void> =>
    attempt(`Waiting for ${wallet.name} …`, async () => {
      const address = await accountOf(wallet)
      const chainId = await chainOf(wallet)
      const { message } = await ask<{ message: string }>('/sign-in/wallet/nonce', {
        method: 'POST',
        body: { address, chainId },
      })
      const signature = await signText(wallet, address, message)
      return ask('/sign-in/wallet', { method: 'POST', body: { message, signature, next } })
    })

  const byPasskey = (): Promise<void> =>
    attempt('Waiting for the passkey …', async () => {
      type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
      const optionsJSON = await ask<Options>('/sign-in/passkey/options', {
        method: 'POST',
        body: {},
      })
      const answer = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
        throw new InputError(`No passkey was used: ${error instanceof Error ? error.message : ''}`)
      })
      return ask('/sign-in/passkey', { method: 'POST', body: { answer, next } })
    })

  const canPasskey = place.dataset['passkeys'] === 'true' && 'PublicKeyCredential' in globalThis
  place.replaceChildren(
    h(
      'section',
      { class: 'ways', 'aria-labelledby': 'ways' },
      h('h2', { id: 'ways' }, 'With a wallet', canPasskey && ' or passkey'),
      walletButtons(byWallet),
      canPasskey && button('Sign in with a passkey', () => void byPasskey(), { class: 'way' }),
      said,
    ),
  )
}
