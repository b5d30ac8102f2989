/** Sign-ins, sessions, the low-balance limit and where notices go. */
import { startRegistration } from '@simplewebauthn/browser'
import { InputError } from '../../../shared/pages/api.ts'
import { parseCredits } from '../../../shared/pages/amount.ts'
import { browserOf } from '../../../shared/pages/browser-name.ts'
import { askFor, tell } from '../../../shared/pages/dialog.ts'
import { button, h, listening, type Child } from '../../../shared/pages/dom.ts'
import { action, badge, facts, note, problem, section } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import { ask, askApi } from '../client.ts'
import { showSecret } from '../../../shared/pages/key-secret.ts'
import { credits } from '../pieces.ts'
import { walletButtons } from '../wallet-buttons.ts'
import { accountOf, chainOf, signText, type Wallet } from '../../../shared/pages/wallets.ts'
import type { Me, Session, Settings, SignIn } from '../wire.ts'

interface Data {
  me: Me
  settings: Settings | null
  sessions: Session[]
}

export const settingsView: MakeView = (shell) =>
  view<Data>({
    title: 'Settings',
    isLive: false,
    async load(signal) {
      const [me, { sessions }] = await Promise.all([
        askApi<Me>('/me', { signal }),
        askApi<{ sessions: Session[] }>('/sessions', { signal }),
      ])
      const settings = me.role === 'owner' ? await askApi<Settings>('/settings', { signal }) : null
      return { me, settings, sessions }
    },
    show: ({ me, settings, sessions }) => [
      facts(['Account', h('code', {}, me.accountId)], ['Mode', me.mode], ['Signed in by', me.way]),
      settings !== null && [signIns(settings, shell), notices(settings, shell)],
      sessionList(sessions, shell),
    ],
  })

function signIns(settings: Settings, shell: Shell): HTMLElement {
  return section(
    'Sign-ins',
    table(
      [
        { name: 'Kind', show: ({ subject }) => kindOf(subject) },
        { name: 'Which', show: ({ subject, name }) => name ?? subject.replace(/^[a-z0-9]+:/, '') },
        { name: 'Added', show: ({ addedAt }) => moment(addedAt) },
        {
          name: 'Change',
          show: (one) => button('Remove …', () => remove(one, shell), { class: 'danger small' }),
        },
      ],
      settings.signIns,
      'Only keys lead to this account. Add a wallet, a passkey or a mailbox, so that you are not locked out when a key is lost.',
    ),
    h(
      'p',
      { class: 'buttons' },
      button('Add a wallet …', () => addWallet(shell)),
      settings.canPasskey &&
        'PublicKeyCredential' in globalThis &&
        button('Add a passkey …', () => addPasskey(shell)),
      settings.canMail && button('Add an e-mail address …', () => addEmail()),
    ),
    h(
      'p',
      {},
      'Keys may sign in: ',
      badge(settings.keySignIn ? 'yes' : 'no'),
      ' ',
      settings.signIns.length > 0 &&
        action(settings.keySignIn ? 'Switch off' : 'Switch on', async () => {
          await askApi('/settings', { method: 'PATCH', body: { keySignIn: !settings.keySignIn } })
          shell.refresh()
        }),
    ),
  )
}

function kindOf(subject: string): string {
  if (subject.startsWith('passkey:')) return 'passkey'
  if (subject.startsWith('email:')) return 'e-mail'
  return 'wallet'
}

function remove({ subject }: SignIn, shell: Shell): void {
  askFor({
    title: 'Remove this sign-in',
    text: subject,
    action: 'Remove',
    isDangerous: true,
    async submit() {
      await askApi('/sign-ins', { method: 'DELETE', body: { subject } })
      shell.refresh()
    },
  })
}

function addWallet(shell: Shell): void {
  const said = h('div', { 'aria-live': 'polite' })
  const add = async (wallet: Wallet): Promise<void> => {
    try {
      const address = await accountOf(wallet)
      const chainId = await chainOf(wallet)
      const { message } = await ask<{ message: string }>('/sign-in/wallet/nonce', {
        method: 'POST',
        body: { address, chainId },
      })
      const signature = await signText(wallet, address, message)
      await askApi('/sign-ins/wallet', { method: 'POST', body: { message, signature } })
      said.replaceChildren(note('good', `${address} is added.`))
      shell.refresh()
    } catch (error) {
      said.replaceChildren(problem(error))
    }
  }
  const over = new AbortController()
  listening(tell('Add a wallet', walletButtons(add, over.signal), said), {
    close: () => over.abort(),
  })
}

function addPasskey(shell: Shell): void {
  askFor({
    title: 'Add a passkey',
    fields: [
      {
        name: 'name',
        label: 'Name',
        value: 'Passkey',
        required: true,
        hint: 'Which device has it',
      },
    ],
    action: 'Make it',
    async submit({ name }) {
      type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
      const optionsJSON = await askApi<Options>('/sign-ins/passkey/options', {
        method: 'POST',
        body: {},
      })
      const answer = await startRegistration({ optionsJSON }).catch((error: unknown) => {
        throw new InputError(`No passkey was made: ${error instanceof Error ? error.message : ''}`)
      })
      await askApi('/sign-ins/passkey', { method: 'POST', body: { answer, name } })
      shell.refresh()
    },
  })
}

function addEmail(): void {
  askFor({
    title: 'Add an e-mail address',
    text: 'You get a link that works for 15 minutes, in this browser.',
    fields: [{ name: 'email', label: 'E-mail address', required: true }],
    action: 'Send the link',
    async submit({ email }) {
      await askApi('/sign-ins/email', { method: 'POST', body: { email } })
      tell('Look into your mail', h('p', {}, 'Open the link in this browser.'))
    },
  })
}

function notices(settings: Settings, shell: Shell): HTMLElement {
  const { lowMarkCredits, noticeEmail, webhookUrl } = settings
  return section(
    'Low balance',
    facts(
      ['Limit', credits(lowMarkCredits)],
      ['Mail to', noticeEmail ?? 'nobody'],
      ['Webhook', webhookUrl === null ? 'none' : h('code', {}, webhookUrl)],
    ),
    h(
      'p',
      { class: 'buttons' },
      button('Change …', () => changeNotices(settings, shell)),
      webhookUrl !== null && button('New webhook secret …', () => askForSecret(shell)),
    ),
  )
}

function askForSecret(shell: Shell): void {
  askFor({
    title: 'New webhook secret',
    text: 'Until tomorrow the secret before signs too, so that you can change the receiver meanwhile.',
    action: 'Make it',
    async submit() {
      const made = await askApi<{ webhookSecret: string; previousValidUntil: string }>(
        '/settings/webhook/rotate',
        { method: 'POST', body: {} },
      )
      const until = new Date(made.previousValidUntil).toLocaleString()
      showSecret(
        'The webhook’s new signing secret',
        made.webhookSecret,
        `The one before ends ${until}.`,
      )
      shell.refresh()
    },
  })
}

function changeNotices(settings: Settings, shell: Shell): void {
  const mailboxes = settings.signIns
    .filter(({ subject }) => subject.startsWith('email:'))
    .map(({ subject }) => subject.slice('email:'.length))
  askFor({
    title: 'Low balance',
    text: 'You are told once when the balance falls below the limit.',
    fields: [
      {
        name: 'lowMark',
        label: 'Limit in credits',
        value: String(settings.lowMarkCredits ?? ''),
        hint: 'Empty: none',
      },
      ...(mailboxes.length > 0 && settings.canMail
        ? [
            {
              name: 'noticeEmail',
              label: 'Mail to',
              options: ['nobody', ...mailboxes],
              value: settings.noticeEmail ?? 'nobody',
            },
          ]
        : []),
      {
        name: 'webhookUrl',
        label: 'Webhook',
        value: settings.webhookUrl ?? '',
        hint: 'Signed as Standard Webhooks says; empty: none',
      },
    ],
    action: 'Save',
    async submit(_, { lowMark, noticeEmail, webhookUrl }) {
      const saved = await askApi<Settings>('/settings', {
        method: 'PATCH',
        body: {
          ...(lowMark !== undefined && { lowMarkCredits: limitIn(lowMark) }),
          ...(webhookUrl !== undefined && { webhookUrl: webhookUrl || null }),
          ...(noticeEmail !== undefined && {
            noticeEmail: noticeEmail === 'nobody' ? null : noticeEmail,
          }),
        },
      })
      if (saved.webhookSecret !== undefined) {
        showSecret('The webhook’s signing secret', saved.webhookSecret)
      }
      shell.refresh()
    },
  })
}

/** Credits, or null for none. */
function limitIn(typed: string): number | null {
  if (typed === '') return null
  const parsed = parseCredits(typed)
  if (!parsed.ok) throw new InputError(`The limit ${parsed.why}.`)
  return parsed.credits
}

function sessionList(sessions: readonly Session[], shell: Shell): HTMLElement {
  const end = (id: string): Child =>
    action(
      'End',
      async () => {
        await askApi(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
        shell.refresh()
      },
      'small',
    )
  return section(
    'Sessions',
    table(
      [
        { name: 'By', show: ({ way }) => way },
        { name: 'Browser', show: ({ agent }) => browserOf(agent) },
        { name: 'Address', show: ({ address }) => address },
        { name: 'Began', show: ({ createdAt }) => moment(createdAt) },
        { name: 'Last used', show: ({ usedAt }) => moment(usedAt) },
        { name: 'Change', show: ({ id, isCurrent }) => (isCurrent ? 'this one' : end(id)) },
      ],
      sessions,
      'There is no session.',
    ),
    sessions.length > 1 &&
      h(
        'p',
        { class: 'buttons' },
        action('End all others', async () => {
          await askApi('/sessions', { method: 'DELETE' })
          shell.refresh()
        }),
      ),
  )
}
