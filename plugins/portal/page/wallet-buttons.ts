/**
 * A button for each wallet of this browser. One wallet is asked at a time, however often it is pressed,
 * and while it says nothing there is a button that gives up on it.
 */
import { h, listening } from '../../shared/pages/dom.ts'
import { switchedOff } from '../../shared/pages/focus.ts'
import { GivenUp, unlessGivenUp } from '../../shared/pages/give-up.ts'
import { watchWallets, type Wallet } from '../../shared/pages/wallets.ts'

/** `chosen` never rejects. The list follows the wallets until `over` is aborted. */
export function walletButtons(
  chosen: (wallet: Wallet) => Promise<void>,
  over?: AbortSignal,
): HTMLElement {
  const list = h('div', { class: 'wallets' }, h('p', { class: 'hint' }, 'Looking for wallets …'))
  const place = h('div', {}, list)
  let isAsking = false
  const ask = async (wallet: Wallet): Promise<void> => {
    // Buttons of wallets that announce themselves meanwhile are on.
    if (isAsking) return
    isAsking = true
    const asked = givingUp(wallet, place)
    await switchedOff([...list.querySelectorAll('button')], () => chosen(asked))
    isAsking = false
  }
  watchWallets((wallets) => {
    if (wallets.length === 0) {
      list.replaceChildren(
        h(
          'p',
          { class: 'hint' },
          'There is no wallet in this browser. One that you install shows up here.',
        ),
      )
      return
    }
    list.replaceChildren(
      ...wallets.map((wallet) =>
        listening(
          h(
            'button',
            { type: 'button', class: 'way' },
            wallet.icon !== null && h('img', { src: wallet.icon, alt: '', width: 20, height: 20 }),
            wallet.name,
          ),
          { click: () => void ask(wallet) },
        ),
      ),
    )
  }, over)
  return place
}

/** The wallet, with a button in `place` while it is asked: pressed, the question fails. */
function givingUp(wallet: Wallet, place: HTMLElement): Wallet {
  const { provider } = wallet
  return {
    ...wallet,
    provider: {
      request: (asked) =>
        unlessGivenUp(
          provider.request(asked),
          () => new GivenUp('You stopped waiting. Refuse in the wallet what it may still show.'),
          (stop) => place.append(stop),
        ),
    },
  }
}
