/** The effective settings of the instance that answers. */
import { ask } from '../api.ts'
import { h } from '../../../shared/pages/dom.ts'
import { badge } from '../../../shared/pages/parts.ts'
import { table } from '../../../shared/pages/table.ts'
import { view, type MakeView } from '../../../shared/pages/view.ts'
import type { Setting } from '../wire/overview.ts'

export const configurationView: MakeView = () =>
  view<{ settings: Setting[] }>({
    title: 'Configuration',
    isLive: false,
    load: (signal) => ask<{ settings: Setting[] }>('/v1/admin/config', { signal }),
    show: ({ settings }) => [
      h(
        'p',
        { class: 'hint' },
        'What this instance runs with, as `coinop config` prints it; secrets are masked. It is changed by environment variables and a restart.',
      ),
      table(
        [
          { name: 'Name', show: ({ name }) => h('code', {}, name) },
          { name: 'Value', show: ({ value }) => h('code', {}, value) },
          { name: 'From', show: ({ origin }) => badge(origin) },
        ],
        settings,
        'There are no settings.',
      ),
    ],
  })
