/** The page on which a person allows an app to call and to spend, or does not. No script. */
import { atomicToCredits } from '#kernel'
import { html, type Html } from '../../shared/portal/html.ts'
import type { Client } from '../clients/client.ts'
import { isLoopback, shownHost } from '../clients/redirect.ts'
import type { Places } from '../places.ts'
import { maySpend } from '../scope.ts'
import type { Bounds } from '../grants/budget.ts'

export interface ConsentView {
  places: Places
  requestId: string
  csrf: string
  client: Client
  redirectUri: string
  scope: string
  availableAtomic: bigint
  products: readonly { id: string; title: string }[]
  bounds: Bounds | null
  /** What the fields hold. */
  filled: { day: string; month: string; call: string; products: readonly string[] }
  /** What was wrong with the answer before. */
  problem: string | null
}

export const CONSENT_TITLE = 'Allow an app'

/** What stands inside <main>. */
export function consentBody(view: ConsentView): Html {
  const { client, redirectUri } = view
  return html`<div class="entrance consent">
    <h1>${client.name} asks for access</h1>
    ${view.problem === null ? null : html`<p class="note bad" role="alert">${view.problem}</p>`}
    <dl>
      <div>
        <dt>App</dt>
        <dd>${client.name}</dd>
      </div>
      <div>
        <dt>Who says so</dt>
        <dd>${whoSays(client)}</dd>
      </div>
      <div>
        <dt>Sends you to</dt>
        <dd>${shownHost(redirectUri)}</dd>
      </div>
      <div>
        <dt>Your balance</dt>
        <dd>${atomicToCredits(view.availableAtomic)} credits</dd>
      </div>
    </dl>
    ${
      isLoopback(redirectUri)
        ? html`<p class="note warn">
            The app runs on this computer. Any program on this computer could use this name: go on
            only if you have just started the sign-in yourself.
          </p>`
        : null
    }
    <form method="post" action="${view.places.consentPath}">
      <input type="hidden" name="csrf" value="${view.csrf}" />
      <input type="hidden" name="request" value="${view.requestId}" />
      <input type="hidden" name="app" value="${client.name}" />
      ${maySpend(view.scope) ? spending(view) : html`<p>It may list the tools and call those that are free. It cannot spend your credits.</p>`}
      <p class="buttons">
        <button type="submit" class="main" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny">Deny</button>
      </p>
    </form>
    <p>
      You can change the budget or end the access at any time on
      <a href="${view.places.appsPath}">Apps</a>.
    </p>
  </div>`
}

function whoSays({ kind, id }: Client): Html {
  return kind === 'document'
    ? html`<strong>${new URL(id).host}</strong>, which publishes a document about it`
    : html`The app itself. It registered itself, and nobody has checked its name.`
}

function creditsField(label: string, name: string, value: string): Html {
  return html`<p>
    <label
      >${label}
      <input name="${name}" value="${value}" inputmode="decimal" autocomplete="off" maxlength="15"
    /></label>
  </p>`
}

/** Whether the key has a budget of a day or a month, a part of which the grant gets. */
function isTakenOut(bounds: Bounds | null): boolean {
  return bounds !== null && (bounds.limits.dayAtomic ?? bounds.limits.monthAtomic) !== null
}

function spending({ filled, products, bounds }: ConsentView): Html {
  const inside = bounds === null ? 'your balance' : 'the budget of the key that you signed in with'
  return html`<p>
      It may call every tool, and may spend up to <strong>this much of ${inside}</strong>. Set a
      limit for the day, for the month or for both.
    </p>
    ${
      isTakenOut(bounds) &&
      html`<p class="note warn">
        These limits are taken out of that key’s budget, of which it has so much less from then on,
        also when the app’s access has ended. A day or a month left empty takes all that is left.
      </p>`
    }
    ${creditsField('Credits a day', 'day', filled.day)}
    ${creditsField('Credits a month', 'month', filled.month)}
    ${creditsField('Credits a call', 'call', filled.call)}
    <fieldset>
      <legend>
        Only on these products (none ticked: on
        ${bounds?.products ? 'all that your key may buy' : 'all'})
      </legend>
      ${products.map(
        ({ id, title }) =>
          html`<p>
            <label
              ><input
                type="checkbox"
                name="products"
                value="${id}"
                ${filled.products.includes(id) ? html` checked` : null}
              />
              ${title}</label
            >
          </p> `,
      )}
    </fieldset>`
}
