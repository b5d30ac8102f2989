/**
 * The operator's page: one HTML document, one script and one style sheet from this folder. They hold
 * no data; the page asks admin routes for that, by the session of who signed in. Some of these routes
 * are the console's own.
 */
import { definePlugin, repeat, type Background, type Route } from '#kernel'
import { Type } from 'typebox'
import { pageHtml } from './html.ts'
import { scriptText, styleText } from './assets.ts'
import { pageHeaders } from '../shared/pages/headers.ts'
import { MIGRATIONS } from './migrations.ts'
import { withoutCredentials } from '../shared/inline-secrets.ts'
import { ACCOUNT_SESSIONS, type AccountSessions } from '../shared/account-sessions/contract.ts'
import { logsTail } from './commands/logs.ts'
import { operatorCommands } from './commands/operators.ts'
import { Admins } from './operators/admins.ts'
import { Changes } from './operators/changes.ts'
import { Links, linkUrl } from './operators/links.ts'
import { FigureReports } from './reports/figures.ts'
import { Revenue } from './reports/revenue.ts'
import { lookForFailing } from './requests/failing-skills.ts'
import { Recorder } from './requests/recorder.ts'
import { RequestStore } from './requests/store.ts'
import { accountRoutes } from './routes/accounts.ts'
import { callRoutes } from './routes/calls.ts'
import { operatorRoutes } from './routes/operators.ts'
import { overviewRoutes } from './routes/overview.ts'
import { requestRoutes } from './routes/requests.ts'
import { sessionRoutes } from './session-routes.ts'
import { Sessions } from './sessions.ts'
import { REQUEST_LOG_RATE, REQUEST_LOG_RETENTION, VARIABLES } from './variables.ts'

const PURGE_EVERY_MS = 60_000
/** A skill that fails is told of within this time and half of it. */
const WATCH_EVERY_MS = 15_000

export default definePlugin({
  id: 'console',
  version: '1.3.0',
  kernel: '^1.4.0',
  config: Type.Object({}, { additionalProperties: false }),
  reservedPaths: [
    '/v1/admin/accounts',
    '/v1/admin/calls',
    '/v1/admin/changes',
    '/v1/admin/overview',
    '/v1/admin/config',
    '/v1/admin/console',
    '/v1/admin/figures',
    '/v1/admin/ledger/verify',
    '/v1/admin/operators',
    '/v1/admin/requests',
  ],
  variables: VARIABLES,
  commands: [logsTail, ...operatorCommands],
  requires: ['accountKeys', 'accounts', 'alerts', 'operator', 'reports', 'statements'],
  migrations: MIGRATIONS,
  keepChange: (db, change) => new Changes(db).changed(change),
  setup(env) {
    const { basePath } = env.product
    const operator = env.service('operator')
    const reports = env.service('reports')
    const sessions = new Sessions(env.db, (secret) => operator.digest(secret))
    const admins = new Admins(env.db, env.sandbox)
    const links = new Links(env.db, (secret) => operator.digest(secret))
    const changes = new Changes(env.db)
    const store = new RequestStore(env.db)
    const revenue = new Revenue(reports, env.db)
    const figures = new FigureReports(env.db, revenue, env.sandbox)
    const recorder = new Recorder({
      store,
      perSecond: env.variable(REQUEST_LOG_RATE),
      sandbox: env.sandbox,
      log: env.log,
      hide: (text) => operator.withoutTokens(withoutCredentials(text)),
    })
    const adminUrl = reports.configuration.find(({ name }) => name === 'ADMIN_URL')?.value ?? ''
    const origin = URL.canParse(adminUrl) ? new URL(adminUrl).origin : env.publicUrl
    const alerts = env.service('alerts')
    let upkeep: Background | null = null
    let watch: Background | null = null
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
      requests: recorder,
      operators: admins,
      changes,
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
          ...requestRoutes({ store, figures }),
          ...operatorRoutes({ admins, changes, links, basePath, origin }),
          ...overviewRoutes({ reports, revenue, sandbox: env.sandbox, log: env.log }),
        ].map((one) => ({ ...one, ...admin })),
        route('', 'The operator’s page', () => answer(pageHtml(basePath, origin), 'text/html')),
        route('/console.js', 'Its script', async () =>
          answer(await scriptText(), 'text/javascript'),
        ),
        route('/console.css', 'Its style sheet', async () => answer(await styleText(), 'text/css')),
        ...sessionRoutes({
          basePath,
          publicUrl: env.publicUrl,
          origin,
          operator,
          sessions,
          admins,
          links,
          log: env.log,
        }),
      ],
      async ready() {
        recorder.start()
        upkeep = repeat(
          { name: 'console upkeep', everyMs: PURGE_EVERY_MS, atOnce: true, log: env.log },
          async (stopping) => {
            await revenue.catchUp(new Date(), stopping)
            await store.purge(env.variable(REQUEST_LOG_RETENTION), stopping)
          },
        )
        watch = repeat({ name: 'failing skills', everyMs: WATCH_EVERY_MS, log: env.log }, () =>
          lookForFailing(env.db, alerts),
        )
      },
      async stop() {
        await Promise.all([upkeep?.stop(), watch?.stop()])
        await recorder.stop()
      },
      async startNotes() {
        if (!env.sandbox) return []
        const link = linkUrl(origin, basePath, await links.make(null))
        return ['sign in to the console (once, within ten minutes):', `  ${link}`]
      },
    }
  },
})
