/** "Try it" of a skill's page: calls the gateway with a key, or pays by a rail's own module. */
import { button, h } from '../../shared/pages/dom.ts'
import { switchedOff } from '../../shared/pages/focus.ts'
import { GivenUp, unlessGivenUp } from '../../shared/pages/give-up.ts'

/** What a rail's `browserModule` exports. */
export interface WalletModule {
  /**
   * The headers that pay for the call whose 402 this is. `say` tells each step, `choose` gives the place
   * of the option that the visitor presses.
   */
  pay(
    unpaid: Response,
    body: unknown,
    say: (step: string) => void,
    choose: (question: string, options: readonly string[]) => Promise<number>,
  ): Promise<HeadersInit>
  /** Tells how the payment of the call `requestId` goes on, until `end` has told the last of it. */
  watch?(
    headers: HeadersInit,
    requestId: string,
    say: (step: string) => void,
  ): { end(): Promise<void> }
}

/**
 * What paid for a call whose answer never came. Pressed again with the same form it goes out again, so
 * that one call is charged whether the first arrived or not.
 */
let unanswered: { asked: string; headers: HeadersInit } | null = null

/** Makes the form of a skill's page call the gateway. Pages without one stay as they are. */
export function offerTry(): void {
  const form = document.querySelector<HTMLFormElement>('#try')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const button = event.submitter as HTMLButtonElement | null
    void run(form, button?.value ?? 'key')
  })
}

async function run(form: HTMLFormElement, how: string): Promise<void> {
  const steps = document.querySelector('#steps')!
  const answer = document.querySelector<HTMLElement>('#answer')!
  steps.replaceChildren()
  answer.hidden = true
  const say = (text: string): void => {
    const item = document.createElement('li')
    item.textContent = text
    steps.append(item)
  }
  await switchedOff([...form.querySelectorAll('button')], async () => {
    try {
      const called = how === 'key' ? callWithKey(form, say) : callWithWallet(form, how, say)
      const response = await called
      tellCost(response, say)
      if (how === 'key') await tellLedger(form, response, say)
      tellEnd(response, say)
      answer.textContent = await shown(response)
      answer.hidden = false
    } catch (error) {
      if (error instanceof GivenUp) return say(error.message)
      say(`It ended here: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
}

/** A question among the steps, with a button for each option; what is pressed stands there afterwards. */
function choose(question: string, options: readonly string[]): Promise<number> {
  const step = h('li', {}, `${question} `)
  document.querySelector('#steps')!.append(step)
  return new Promise((resolve) => {
    for (const [place, option] of options.entries()) {
      const chosen = (): void => {
        step.textContent = `${question} ${option}`
        resolve(place)
      }
      step.append(button(option, chosen, { class: 'second' }), ' ')
    }
    step.querySelector('button')?.focus()
  })
}

/** The answer to a call that `headers` pay for. */
async function sendPaid(
  form: HTMLFormElement,
  how: string,
  headers: HeadersInit,
): Promise<Response> {
  unanswered = { asked: askedBy(form, how), headers }
  const response = await send(form, headers)
  // While the first one runs there is no answer to it.
  if (response.status !== 409) unanswered = null
  return response
}

const askedBy = (form: HTMLFormElement, how: string): string =>
  JSON.stringify([how, ...new FormData(form)])

function unansweredHeaders(form: HTMLFormElement, how: string): HeadersInit | null {
  return unanswered?.asked === askedBy(form, how) ? unanswered.headers : null
}

/** Fits wherever the gateway takes an id from a caller; also on plain http, unlike `randomUUID`. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** A path of the gateway as the browser sees it: a proxy may put the gateway below another one. */
function placeOf(path: string): string {
  const home = new URL('..', import.meta.url).pathname
  return path.startsWith('/') ? home + path.slice(1) : path
}

/** The whole answer. Throws, for people, where none came, or one that was cut off. */
async function send(form: HTMLFormElement, headers: HeadersInit): Promise<Response> {
  const data = new FormData(form)
  const body = data.get('body')
  const all = new Headers(headers)
  for (const [name, value] of data)
    if (name.startsWith('header:') && value !== '')
      all.set(name.slice('header:'.length), String(value))
  if (body !== null) all.set('content-type', form.dataset['type'] ?? 'application/json')
  try {
    const answer = await fetch(placeOf(String(data.get('path'))), {
      method: form.dataset['method'],
      headers: all,
      ...(body !== null && { body }),
      credentials: 'omit',
      cache: 'no-store',
    })
    const bytes = await answer.arrayBuffer()
    return new Response(bytes.byteLength > 0 ? bytes : null, answer)
  } catch {
    throw new Error(
      'no answer came. Are you online? Press again to ask for it: the call is charged once at most.',
    )
  }
}

const keyIn = (form: HTMLFormElement): string => String(new FormData(form).get('key') ?? '').trim()

function callWithKey(form: HTMLFormElement, say: (step: string) => void): Promise<Response> {
  const key = keyIn(form)
  say(key === '' ? 'Calling without a key …' : 'Calling with the key: hold, work, charge …')
  if (key === '') return send(form, {})
  const fresh = { 'x-api-key': key, 'idempotency-key': randomId() }
  return sendPaid(form, 'key', unansweredHeaders(form, 'key') ?? fresh)
}

async function callWithWallet(
  form: HTMLFormElement,
  module: string,
  say: (step: string) => void,
): Promise<Response> {
  const again = unansweredHeaders(form, module)
  if (again !== null) {
    say('Sending the same payment again …')
    return sendPaid(form, module, again)
  }
  const wallet = (await import(placeOf(module))) as WalletModule
  say('Asking for the price …')
  const unpaid = await send(form, {})
  if (unpaid.status !== 402) return unpaid
  const headers = await payOrStop(wallet, unpaid, await unpaid.clone().json(), say)
  say('Sending the payment: claim, work, settlement …')
  // Known to this page alone: with the payment it opens the rows of this call, and of no other.
  const requestId = randomId()
  const watched = wallet.watch?.(headers, requestId, say)
  try {
    const sent = new Headers(headers)
    sent.set('x-request-id', requestId)
    return await sendPaid(form, module, sent)
  } finally {
    await watched?.end()
  }
}

/** The wallet's answer. A wallet that never gives one must not keep the page: a button gives up on it. */
async function payOrStop(
  wallet: WalletModule,
  unpaid: Response,
  body: unknown,
  say: (step: string) => void,
): Promise<HeadersInit> {
  let isStopped = false
  // A wallet that answers later signs something that is never sent, and tells nothing.
  const sayHere = (step: string): void => {
    if (!isStopped) say(step)
  }
  return unlessGivenUp(
    wallet.pay(unpaid, body, sayHere, choose),
    () => {
      isStopped = true
      return new GivenUp(
        'You stopped waiting, and nothing was paid. Refuse what the wallet may still show.',
      )
    },
    (stop) => {
      stop.className = 'second'
      document.querySelector('#steps')!.after(stop)
    },
  )
}

function tellCost({ headers }: Response, say: (step: string) => void): void {
  const charged = headers.get('x-charged-credits')
  const rail = headers.get('x-payment-rail')
  const balance = headers.get('x-balance-credits')
  if (charged !== null)
    say(
      `${charged} credits charged${rail === null ? '' : ` by ${rail}`}${balance === null ? '' : `, ${balance} left`}`,
    )
}

/**
 * The rows that the call left in the ledger, which a key may read: the hold, then its end. The answer of
 * the call is shown whether they can be had or not.
 */
async function tellLedger(
  form: HTMLFormElement,
  { headers }: Response,
  say: (step: string) => void,
): Promise<void> {
  const id = headers.get('x-request-id')
  const key = keyIn(form)
  if (id === null || key === '' || headers.get('x-charged-credits') === null) return
  const read = async (): Promise<{ kind: string; amountCredits: number }[]> => {
    const found = await fetch(placeOf(`/v1/usage?requestId=${encodeURIComponent(id)}`), {
      headers: { 'x-api-key': key },
      credentials: 'omit',
      cache: 'no-store',
    })
    return found.ok ? (await found.json()).rows : []
  }
  const rows = await read().catch(() => [])
  for (const { kind, amountCredits } of rows.toReversed())
    say(`In the ledger: ${kind} of ${amountCredits} credits`)
}

function tellEnd({ status, headers }: Response, say: (step: string) => void): void {
  const id = headers.get('x-request-id')
  say(`Answer ${status}${id === null ? '' : `, request id ${id}`}`)
}

async function shown(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.slice(0, 100_000)
  }
}
