/** Buying credits: USDC from a wallet of this browser, card and mobile, and what is pending. */
import { ApiError, InputError } from '../../../shared/pages/api.ts'
import { append, button, h, listening, type Child } from '../../../shared/pages/dom.ts'
import { badge, go, note, problem, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { askApi } from '../client.ts'
import { credits } from '../pieces.ts'
import { providerName } from '../providers.ts'
import { walletButtons } from '../wallet-buttons.ts'
import { accountOf, signTyped, type Wallet } from '../../../shared/pages/wallets.ts'
import type { Topup } from '../wire.ts'

interface WalletOrder {
  typed: { domain: { chainId: number } }
  payment: { payload: { authorization: object } }
  purchase: { path: string; body: object }
}

const AMOUNTS_USD = ['5', '10', '25', '50', '100']
/** The most that one purchase may be. */
const MOST_USD = 10_000
/** A settlement that is not over yet answers so; the same payment asked again buys nothing twice. */
const COME_BACK_MS = 1500
const TRIES = 40
/** A checkout that is not paid within a day was most likely given up. */
const GIVEN_UP_MS = 86_400_000

export const buyView: MakeView = (shell) => {
  const amount = h('input', {
    id: 'amount',
    inputmode: 'decimal',
    value: '10',
    autocomplete: 'off',
    list: 'amounts',
  })
  const email = h('input', { id: 'email', type: 'email', autocomplete: 'email', maxlength: 254 })
  const emailField = h(
    'div',
    { class: 'order', hidden: true },
    h('label', { for: 'email' }, 'E-mail for the provider'),
    email,
    h('small', {}, 'By card or mobile money: its receipt goes there.'),
  )
  /** Only where a provider is open; what somebody has typed stays. */
  const showEmail = ({ providers, email: known }: Topup): void => {
    emailField.hidden = providers.length === 0
    if (emailField.hidden || email.defaultValue !== '') return
    email.defaultValue = known ?? ''
  }
  const said = h('div', { 'aria-live': 'polite' })
  const say = (...children: Child[]): void => {
    said.replaceChildren()
    append(said, children)
  }
  const amountUsd = (leastUsd = 0.01): number => {
    const typed = amount.value.trim()
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed)) {
      throw new InputError('US dollars must be an amount such as 20 or 12.50.')
    }
    const usd = Number(typed)
    if (usd < leastUsd) throw new InputError(`The least that you can pay this way is $${leastUsd}.`)
    if (usd > MOST_USD) throw new InputError('The most that you can buy at once is $10,000.')
    return usd
  }
  // Buttons are made anew with the data: a second press must find out that the first is under way.
  let isBuying = false
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (isBuying) return
    isBuying = true
    try {
      await work()
    } catch (error) {
      say(problem(error))
    }
    isBuying = false
  }
  // Made once: each look for wallets leaves a listener, and the data are shown anew with every call.
  const wallets = walletButtons((wallet) =>
    attempt(() => buyWithWallet(wallet, amountUsd(), say, shell)),
  )
  return view<Topup>({
    title: 'Buy credits',
    isLive: true,
    controls: [
      h(
        'div',
        { class: 'order' },
        h('label', { for: 'amount' }, 'US dollars'),
        amount,
        h(
          'datalist',
          { id: 'amounts' },
          AMOUNTS_USD.map((value) => h('option', { value })),
        ),
        h('small', {}, '1 credit is $0.01. Credits do not run out by time.'),
      ),
      emailField,
      said,
    ],
    async load(signal) {
      const found = await options(shell.place.query, signal)
      showEmail(found)
      return found
    },
    show: (options) => [
      h('p', {}, 'Balance: ', credits(options.balanceCredits)),
      returned(shell.place.query, options.begun),
      section(
        'With USDC from a wallet',
        !options.walletsOpen
          ? h('p', { class: 'empty' }, 'Payments from a wallet are closed here at this moment.')
          : wallets,
      ),
      section(
        'By card or mobile money',
        options.providers.length === 0
          ? h('p', { class: 'empty' }, 'This gateway takes neither.')
          : h(
              'p',
              { class: 'buttons' },
              options.providers.map((provider) =>
                button(
                  `Pay by ${providerName(provider)}`,
                  () =>
                    void attempt(() =>
                      beginCheckout(
                        { provider, amountUsd: amountUsd(options.minimumUsd), email: email.value },
                        say,
                      ),
                    ),
                ),
              ),
              h('small', {}, `At least $${options.minimumUsd}.`),
            ),
      ),
      section(
        'Checkouts',
        table(
          [
            { name: 'Begun', show: ({ startedAt }) => moment(startedAt) },
            { name: 'US dollars', isNumber: true, show: (one) => `$${one.amountUsd.toFixed(2)}` },
            { name: 'Credits', isNumber: true, show: (one) => credits(one.credits) },
            {
              name: 'State',
              show: (one) => [badge(stateOf(one)), heldBack(one)],
            },
            { name: 'Reference', show: ({ reference }) => h('code', {}, reference) },
          ],
          options.begun,
          'No card or mobile checkout was begun.',
        ),
      ),
    ],
  })
}

type Checkout = Topup['begun'][number]

/** What can be bought and what was begun; a checkout that the buyer has just cancelled is told first. */
async function options(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Topup> {
  const found = await askApi<Topup>('/topup', { signal })
  const checkout = query['status'] === 'cancelled' ? checkoutOf(query, found.begun) : undefined
  if (!checkout || checkout.creditedAt !== null || checkout.cancelledAt !== null) return found
  const { reference } = checkout
  return askApi<Topup>('/topup/cancelled', { method: 'POST', body: { reference }, signal })
}

/** The checkout that a provider sent the buyer back from. */
function checkoutOf(
  query: Readonly<Record<string, string>>,
  begun: Topup['begun'],
): Checkout | undefined {
  const reference = query['reference'] ?? query['tx_ref']
  return begun.find((one) => one.reference === reference)
}

/** Nobody tells the gateway of a checkout that was given up; paid later, it is credited all the same. */
function stateOf({ startedAt, creditedAt, cancelledAt, credits, ...gone }: Checkout): string {
  if (gone.disputedCredits > 0) return 'disputed'
  if (gone.refundedCredits > 0)
    return gone.refundedCredits < credits ? 'partly_refunded' : 'refunded'
  if (creditedAt !== null) return 'credited'
  if (cancelledAt !== null) return 'cancelled'
  return Date.now() - Date.parse(startedAt) > GIVEN_UP_MS ? 'not_paid' : 'pending'
}

/** Credits that calls under way hold when a provider takes them back. */
function heldBack({ heldBackCredits }: Checkout): Child {
  if (heldBackCredits === 0) return null
  const some = heldBackCredits.toLocaleString('en')
  return h('small', {}, ` ${some} credits on hold are taken back once they are free`)
}

/** What became of the checkout that a provider sent the buyer back from; the page looks again by itself. */
function returned(query: Readonly<Record<string, string>>, begun: Topup['begun']): Child {
  const checkout = checkoutOf(query, begun)
  if (checkout === undefined) return null
  const { refundedCredits, disputedCredits } = checkout
  if (disputedCredits > 0)
    return note(
      'quiet',
      `${disputedCredits.toLocaleString('en')} credits of this checkout are taken back, because the payment is disputed.`,
    )
  if (refundedCredits > 0)
    return note(
      'quiet',
      `${refundedCredits.toLocaleString('en')} credits of this checkout were refunded.`,
    )
  if (checkout.creditedAt !== null)
    return note(
      'good',
      `Paid. ${checkout.credits.toLocaleString('en')} credits have arrived. `,
      go('The receipt', ['receipts']),
    )
  if (query['status'] === 'cancelled')
    return note('quiet', 'The checkout was cancelled. If nothing was paid, nothing is charged.')
  const paid = `your payment of $${checkout.amountUsd.toFixed(2)}`
  return note(
    'quiet',
    `Waiting for the provider to confirm ${paid}. The credits come even if you close this page.`,
  )
}

async function buyWithWallet(
  wallet: Wallet,
  amountUsd: number,
  say: (...children: Child[]) => void,
  shell: Shell,
): Promise<void> {
  say(note('quiet', `Waiting for ${wallet.name} …`))
  const address = await accountOf(wallet)
  const order = await askApi<WalletOrder>('/topup/x402', {
    method: 'POST',
    body: { amountUsd, address },
  })
  say(note('quiet', `Sign the payment of $${amountUsd} in ${wallet.name} …`))
  const signature = await signTyped(wallet, address, order.typed)
  say(note('quiet', 'Signed. The payment is being settled …'))
  const payment = {
    ...order.payment,
    payload: { ...order.payment.payload, signature },
  }
  const bought = await settled(order.purchase, headerOf(payment))
  say(note('good', `Bought ${bought.credits} credits. `, go('The receipt', ['receipts'])))
  shell.refresh()
}

/** Sends the payment, and the same again while its settlement is under way. */
async function settled(
  { path, body }: WalletOrder['purchase'],
  signature: string,
): Promise<{ credits: number }> {
  const once = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  for (let tries = 1; ; tries++) {
    const response = await fetch(path, {
      method: 'POST',
      mode: 'same-origin',
      credentials: 'omit',
      cache: 'no-store',
      headers: {
        'content-type': 'application/json',
        'payment-signature': signature,
        'idempotency-key': `account-${once}`,
      },
      body: JSON.stringify(body),
    }).catch(() => null)
    const answer = ((await response?.json().catch(() => null)) ?? null) as Answer | null
    if (response?.ok && answer?.credits !== undefined) return { credits: answer.credits }
    // Also after an answer that was cut off: the same payment asked again buys nothing twice.
    const isLater = answer === null || answer.error?.retryable === true
    if (isLater && tries < TRIES) {
      await new Promise((resolve) => setTimeout(resolve, COME_BACK_MS))
      continue
    }
    throw new ApiError(
      answer?.error?.message ??
        (typeof answer?.error === 'string' ? 'The payment was refused.' : 'No answer came.'),
      { status: response?.status ?? 0, requestId: response?.headers.get('x-request-id') ?? null },
    )
  }
}

interface Answer {
  credits?: number
  error?: { message?: string; retryable?: boolean }
}

function headerOf(payment: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(payment))
  return btoa(String.fromCharCode(...bytes))
}

async function beginCheckout(
  order: { provider: string; amountUsd: number; email: string },
  say: (...children: Child[]) => void,
): Promise<void> {
  const { email, ...bought } = order
  const typed = email.trim()
  const { authorizationUrl } = await askApi<{ authorizationUrl: string }>('/topup/card', {
    method: 'POST',
    body: { ...bought, ...(typed !== '' && { email: typed }) },
  })
  const { protocol } = new URL(authorizationUrl)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new InputError('The checkout has no page.')
  const pay = (): void => location.assign(authorizationUrl)
  say(
    note(
      'good',
      'The checkout has begun; its page opens here. The credits come once the provider confirms. ',
      listening(h('button', { type: 'button', class: 'main' }, 'Go to the provider'), {
        click: pay,
      }),
    ),
  )
  const left = new Promise((resolve) => addEventListener('pagehide', resolve, { once: true }))
  pay()
  // A second press until then would begin a second checkout.
  await left
}
