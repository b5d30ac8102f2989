/** Elysia alone: the ceiling of every HTTP figure. */
import { Elysia } from 'elysia'

const app = new Elysia()
  .get('/free', () => ({ ok: true }))
  .post('/echo', async ({ request }) => (await request.json()) as object, { parse: 'none' })
  .listen({ port: 0, hostname: '127.0.0.1' })
process.stdout.write(`listening on http://127.0.0.1:${app.server!.port}\n`)
