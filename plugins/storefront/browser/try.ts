/** "Try it" of a skill's page: calls the gateway with a key, or pays by a rail's own module. */

/** What a rail's `browserModule` exports. */
export interface WalletModule {
  /** The headers that pay for the call whose 402 this is; `say` tells each step. */
  pay(unpaid: Response, body: unknown, say: (step: string) => void): Promise<HeadersInit>
  /** What the paid answer says of the payment; null when it says nothing. */
  told?(paid: Response): string | null
}

const form = document.querySelector<HTMLFormElement>('#try')
document.documentElement.classList.add('has-script')
form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const button = event.submitter as HTMLButtonElement | null
  void run(form, button?.value ?? 'key')
})

async function run(form: HTMLFormElement, how: string): Promise<void> {
  const steps = document.querySelector('#steps')!
  const answer = document.querySelector<HTMLElement>('#answer')!
  const buttons = form.querySelectorAll('button')
  steps.replaceChildren()
  answer.hidden = true
  for (const one of buttons) one.disabled = true
  const say = (text: string): void => {
    const item = document.createElement('li')
    item.textContent = text
    steps.append(item)
  }
  try {
    const response = await (how === 'key' ? callWithKey(form, say) : callWithWallet(form, how, say))
    tellCost(response, say)
    if (how === 'key') await tellLedger(form, response, say)
    tellEnd(response, say)
    answer.textContent = await shown(response)
    answer.hidden = false
  } catch (error) {
    say(`It ended here: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    for (const one of buttons) one.disabled = false
  }
}

function send(form: HTMLFormElement, headers: HeadersInit): Promise<Response> {
  const data = new FormData(form)
  const body = data.get('body')
  const all = new Headers(headers)
  if (body !== null) all.set('content-type', 'application/json')
  return fetch(String(data.get('path')), {
    method: form.dataset['method'],
    headers: all,
    ...(body !== null && { body: String(body) }),
    credentials: 'omit',
    cache: 'no-store',
  })
}

const keyIn = (form: HTMLFormElement): string => String(new FormData(form).get('key') ?? '').trim()

function callWithKey(form: HTMLFormElement, say: (step: string) => void): Promise<Response> {
  const key = keyIn(form)
  say(key === '' ? 'Calling without a key …' : 'Calling with the key: hold, work, charge …')
  return send(form, key === '' ? {} : { 'x-api-key': key })
}

async function callWithWallet(
  form: HTMLFormElement,
  module: string,
  say: (step: string) => void,
): Promise<Response> {
  const wallet = (await import(module)) as WalletModule
  say('Asking for the price …')
  const unpaid = await send(form, {})
  if (unpaid.status !== 402) return unpaid
  const headers = await wallet.pay(unpaid, await unpaid.clone().json(), say)
  say('Sending the payment: claim, work, settlement …')
  const paid = await send(form, headers)
  const told = wallet.told?.(paid) ?? null
  if (told !== null) say(told)
  return paid
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

/** The rows that the call left in the ledger, which a key may read: the hold, then its end. */
async function tellLedger(
  form: HTMLFormElement,
  { headers }: Response,
  say: (step: string) => void,
): Promise<void> {
  const id = headers.get('x-request-id')
  const key = keyIn(form)
  if (id === null || key === '' || headers.get('x-charged-credits') === null) return
  const found = await fetch(`/v1/usage?requestId=${encodeURIComponent(id)}`, {
    headers: { 'x-api-key': key },
    credentials: 'omit',
    cache: 'no-store',
  })
  if (!found.ok) return
  const { rows } = (await found.json()) as { rows: { kind: string; amountCredits: number }[] }
  for (const { kind, amountCredits } of rows.toReversed())
    say(`In the ledger: ${kind} of ${amountCredits} credits`)
}

function tellEnd({ status, headers }: Response, say: (step: string) => void): void {
  const id = headers.get('x-request-id')
  say(`Answer ${status}${id === null ? '' : `, request ${id} in the ledger`}`)
}

async function shown(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.slice(0, 100_000)
  }
}
