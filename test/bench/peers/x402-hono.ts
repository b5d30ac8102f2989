/** The reference middleware, @x402/hono on Bun, with the facilitator of FACILITATOR_URL. */
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'

const facilitator = new HTTPFacilitatorClient({ url: process.env['FACILITATOR_URL']! })
const resources = new x402ResourceServer(facilitator).register('eip155:8453', new ExactEvmScheme())
const app = new Hono()
app.use(
  paymentMiddleware(
    {
      'POST /paid': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'eip155:8453',
          payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
        },
        description: 'Echo',
        mimeType: 'application/json',
      },
    },
    resources,
  ),
)
app.post('/paid', async (context) => context.json(await context.req.json()))
app.post('/free', async (context) => context.json(await context.req.json()))
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
process.stdout.write(`listening on http://127.0.0.1:${server.port}\n`)
