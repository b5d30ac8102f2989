/** The pages of signing in. They work without any script; one adds wallets and passkeys. */
import { html, type Html, type HtmlValue } from '../../shared/portal/html.ts'
import type { Site } from '../site.ts'

export interface SignInFacts {
  site: Site
  csrf: string
  next: string
  hasMail: boolean
  isSandbox: boolean
  /** What is to be said first, such as why the attempt before was refused. */
  said?: { tone: 'bad' | 'good' | 'warn'; text: string }
}

export function signInBody(facts: SignInFacts): Html {
  const { site, csrf, next, hasMail, isSandbox, said } = facts
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}" /><input
      type="hidden"
      name="next"
      value="${next}"
    />`
  return html`<div class="entrance">
    <h1>Sign in</h1>
    <p class="hint">
      To your balance, keys, apps and receipts. An account is made when a wallet or mailbox comes
      for the first time.
    </p>
    ${said !== undefined && html`<div class="note ${said.tone}" role="alert">${said.text}</div>`}
    <div
      id="with-script"
      data-next="${next}"
      data-passkeys="${String(site.passkeyHost !== null)}"
    ></div>
    <noscript
      ><p class="note">
        Wallets and passkeys need JavaScript; a key${hasMail && ' or e-mail'} works without.
      </p></noscript
    >
    ${hasMail && mailForm(site, hidden)}
    <form method="post" action="${site.home}/sign-in/key">
      <h2>With an API key</h2>
      ${hidden}
      <label for="api_key">API key</label>
      <input
        id="api_key"
        name="api_key"
        type="password"
        required
        autocomplete="off"
        spellcheck="false"
        maxlength="200"
        placeholder="ck_…"
      />
      <small
        >${isSandbox ? 'The start of this sandbox printed a test key. ' : ''}It is compared and
        forgotten. A key with a budget sees its own calls only.</small
      >
      <button type="submit" class="main">Sign in with the key</button>
    </form>
  </div>`
}

function mailForm(site: Site, hidden: HtmlValue): Html {
  return html`<form method="post" action="${site.home}/sign-in/mail">
    <h2>With e-mail</h2>
    ${hidden}
    <label for="email">E-mail address</label>
    <input id="email" name="email" type="email" required autocomplete="email" maxlength="254" />
    <small>You get a link that works once, for 15 minutes, in this browser.</small>
    <button type="submit" class="main">Send a link</button>
  </form>`
}

/** Always the same, whoever has the mailbox and whether a mail was sent. */
export function mailSentBody(site: Site): Html {
  return html`<div class="entrance">
    <h1>Look into your mail</h1>
    <p>
      If the address can get one, a link is on its way. Open it in this browser within 15 minutes.
    </p>
    <p><a href="${site.home}/sign-in">Back to signing in</a></p>
  </div>`
}

/** What a mail's link opens: nothing happens until the button is pressed. */
export function mailLinkBody(
  site: Site,
  { csrf, token, next }: { csrf: string; token: string; next: string },
): Html {
  return html`<div class="entrance">
    <h1>Sign in by e-mail</h1>
    <form method="post" action="${site.home}/sign-in/mail/open">
      <input type="hidden" name="csrf" value="${csrf}" /><input
        type="hidden"
        name="token"
        value="${token}"
      /><input type="hidden" name="next" value="${next}" />
      <p>Press the button to finish.</p>
      <button type="submit" class="main">Sign in</button>
    </form>
  </div>`
}
