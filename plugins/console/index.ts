/**
 * The operator's page: one HTML document, one script and one style sheet from this folder. They hold
 * no data; the page asks admin routes for that, by the session of who signed in. Some of these routes
 * are the console's own.
 */
import { definePlugin, type Route } from '#kernel'
import { Type } from 'typebox'
import { pageHtml } from './html.ts'
import { scriptText, styleText } from './assets.ts'
import { pageHeaders } from '../shared/pages/headers.ts'
import { MIGRATIONS } from './migrations.ts'
import { ACCOUNT_SESSIONS, type AccountSessions } from '../shared/account-sessions/contract.ts'
import { accountRoutes } from './routes/accounts.ts'
import { callRoutes } from './routes/calls.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sessionRoutes } from './session-routes.ts'
import { Sessions } from './sessions.ts'

export default definePlugin({
  id: 'console',
  version: '1.2.0',
  kernel: '^1.0.0',
  config: Type.Object({}, { additionalProperties: false }),
  reservedPaths: [
    '/v1/admin/accounts',
    '/v1/admin/calls',
    '/v1/admin/overview',
    '/v1/admin/config',
    '/v1/admin/ledger/verify',
  ],
  requires: ['accountKeys', 'accounts', 'operator', 'reports', 'statements'],
  migrations: MIGRATIONS,
  setup(env) {
    const { basePath } = env.product
    const operator = env.service('operator')
    const reports = env.service('reports')
    const sessions = new Sessions(env.db, (secret) => operator.digest(secret))
    const answer = (text: string, type: string): Response =>
      new Response(text, { headers: pageHeaders(type) })
    const route = (path: string, summary: string, handler: Route['handler']): Route => ({
      method: 'GET',
      path: basePath + path,
      auth: 'public',
      forOperators: true,
      summary,
      handler,
    })
    const admin = { auth: 'admin', tag: 'Operation', isAlwaysDocumented: true } as const
    return {
      home: { path: basePath, title: 'Console' },
      routes: [
        ...[
          ...callRoutes(reports),
          ...accountRoutes({
            accounts: env.service('accounts'),
            accountKeys: env.service('accountKeys'),
            statements: env.service('statements'),
            sessions: () => env.provided<AccountSessions>(ACCOUNT_SESSIONS),
          }),
          ...overviewRoutes({ reports, sandbox: env.sandbox, log: env.log }),
        ].map((one) => ({ ...one, ...admin })),
        route('', 'The operator’s page', () => answer(pageHtml(basePath), 'text/html')),
        route('/console.js', 'Its script', async () =>
          answer(await scriptText(), 'text/javascript'),
        ),
        route('/console.css', 'Its style sheet', async () => answer(await styleText(), 'text/css')),
        ...sessionRoutes({
          basePath,
          publicUrl: env.publicUrl,
          operator,
          sessions,
          log: env.log,
        }),
      ],
    }
  },
})
