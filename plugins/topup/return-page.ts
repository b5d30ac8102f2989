/** Where a provider sends its buyers back to, unless the checkout named another page. */
import { html } from '../shared/portal/html.ts'
import { REFERENCE } from './crediting.ts'

/** Events that pay a simulated checkout. */
const PAYS: ReadonlySet<string> = new Set(['charge.success', 'charge.completed'])

/** The page; of a simulated checkout, which nobody can pay on a page, it tells how it is paid. */
export function returnPage(query: URLSearchParams, sandbox: boolean): string {
  const reference = query.get('reference') ?? ''
  const event = query.get('event') ?? ''
  const isSimulated = sandbox && REFERENCE.test(reference) && PAYS.has(event)
  const title = isSimulated ? 'Nothing was paid' : 'Thank you'
  const said = isSimulated
    ? html`<p>
          Nothing was paid: this sandbox only simulates the payment provider. To rehearse the
          payment, run this where the gateway runs:
        </p>
        <p><code>npx coinop trigger ${event} --reference ${reference}</code></p>`
    : html`<p>
        Thank you. The credits arrive as soon as the payment provider confirms the payment.
      </p>`
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      ${said}
    </html>`.text
}
