/** A button for each wallet of this browser. */
import { h, listening } from '../../shared/pages/dom.ts'
import { watchWallets, type Wallet } from './wallets.ts'

export function walletButtons(chosen: (wallet: Wallet) => void): HTMLElement {
  const list = h('div', { class: 'wallets' }, h('p', { class: 'hint' }, 'Looking for wallets …'))
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
          { click: () => chosen(wallet) },
        ),
      ),
    )
  })
  return list
}
