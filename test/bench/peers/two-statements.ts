/**
 * The gateway many would write by hand: Elysia, one SELECT for the key, one UPDATE that debits, one
 * INSERT-free answer. No holds, no idempotency, no receipt; charges before the work.
 */
import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { createClient } from '../../../host/database/client.ts'

const sql = createClient(process.env['DATABASE_URL']!, {
  max: 12,
  applicationName: 'two statements',
})

const app = new Elysia()
  .get('/free', () => ({ ok: true }))
  .post('/paid', async ({ request, set }) => {
    const hash = createHash('sha256')
      .update(request.headers.get('x-api-key') ?? '')
      .digest()
    const [key] = await sql`SELECT id FROM bench_key WHERE secret_hash = ${hash}`
    if (!key) {
      set.status = 401
      return { error: 'no key' }
    }
    const input = (await request.json()) as { input: string }
    const [left] =
      await sql`UPDATE bench_key SET balance = balance - 20000 WHERE id = ${key['id']} AND balance >= 20000 RETURNING balance`
    if (!left) {
      set.status = 402
      return { error: 'no credits' }
    }
    return { algorithm: 'SHA-256', hash: createHash('sha256').update(input.input).digest('hex') }
  })
  .listen({ port: 0, hostname: '127.0.0.1' })
process.stdout.write(`listening on http://127.0.0.1:${app.server!.port}\n`)
