/** Who may use the admin routes: operators with tokens and roles of their own. */
import { ask, askOwn } from '../api.ts'
import { button, h } from '../../../shared/pages/dom.ts'
import { askFor } from '../../../shared/pages/dialog.ts'
import { badge, go, note } from '../../../shared/pages/parts.ts'
import { table, type Column } from '../../../shared/pages/table.ts'
import { view, type MakeView, type Shell } from '../../../shared/pages/view.ts'
import { moment } from '../../../shared/pages/when.ts'
import type { OperatorRow } from '../wire/operators.ts'
import { showSecret } from '../../../shared/pages/key-secret.ts'

interface Data {
  operators: OperatorRow[]
  self: { name: string; role: string } | null
}

export const operatorsView: MakeView = (shell) =>
  view<Data>({
    title: 'Operators',
    isLive: true,
    controls: h(
      'p',
      { class: 'buttons' },
      button('New operator …', () => create(shell), { class: 'main' }),
      go('Audit log', ['operators', 'changes']),
    ),
    async load(signal) {
      const [{ operators }, { operator }] = await Promise.all([
        ask<{ operators: OperatorRow[] }>('/v1/admin/operators', { signal }),
        askOwn<{ operator: Data['self'] }>('/session', { signal }),
      ])
      return { operators, self: operator }
    },
    show: ({ operators, self }) => [
      self && note('quiet', `You are signed in as ${self.name}, with the role ${self.role}.`),
      h(
        'p',
        { class: 'hint' },
        'The role read sees everything but secrets; operate also makes changes; owner also appoints and revokes operators. Whoever holds ADMIN_TOKEN is an owner.',
      ),
      table(
        columns(shell),
        operators,
        'No operator has a token yet: ADMIN_TOKEN is the only way in.',
      ),
    ],
  })

const columns = (shell: Shell): readonly Column<OperatorRow>[] => [
  { name: 'Name', show: ({ name }) => go(name, ['operators', 'changes'], { operator: name }) },
  { name: 'State', show: ({ revokedAt }) => badge(revokedAt === null ? 'active' : 'revoked') },
  { name: 'Role', show: ({ role }) => role },
  {
    name: 'Made',
    show: ({ createdAt, madeBy }) => h('span', {}, moment(createdAt), ` by ${madeBy}`),
  },
  {
    name: 'Revoke',
    show: (row) =>
      row.revokedAt === null
        ? button('Revoke …', () => revoke(row, shell), {
            class: 'small danger',
            'aria-label': `Revoke ${row.name}`,
          })
        : h('span', {}, moment(row.revokedAt), ` by ${row.revokedBy ?? 'unknown'}`),
  },
]

function create(shell: Shell): void {
  askFor({
    title: 'New operator',
    fields: [
      { name: 'name', label: 'Name', required: true, hint: 'The audit log names them so' },
      { name: 'role', label: 'Role', options: ['read', 'operate', 'owner'], value: 'operate' },
    ],
    action: 'Make',
    async submit({ name, role }) {
      const made = await ask<OperatorRow & { token: string }>('/v1/admin/operators', {
        method: 'POST',
        body: { name, role },
      })
      shell.refresh()
      showSecret(
        `Token of ${made.name}`,
        made.token,
        'It signs in to this console, and is the bearer of admin routes and commands.',
      )
    },
  })
}

function revoke({ id, name }: OperatorRow, shell: Shell): void {
  askFor({
    title: `Revoke ${name}`,
    text: 'The token works no more, at once, and the sign-ins with it end.',
    action: 'Revoke',
    isDangerous: true,
    async submit() {
      await ask(`/v1/admin/operators/${encodeURIComponent(id)}`, { method: 'DELETE' })
      shell.refresh()
    },
  })
}
