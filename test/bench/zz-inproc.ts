import { existsSync } from 'node:fs'
const main = () => { const c = process.cpuUsage(); return c.user + c.system }
async function make(root: string) {
  const { createApp, listen } = await import(`${root}/kernel/http/app.ts`)
  const { KernelRoutes } = await import(`${root}/kernel/http/kernel-routes.ts`)
  const { metaRoutes } = await import(`${root}/kernel/http/routes/meta.ts`)
  const { PrometheusMetrics } = await import(`${root}/host/telemetry/metrics.ts`)
  const { Cors } = await import(`${root}/kernel/http/cors.ts`)
  const { RequestObservers } = await import(`${root}/kernel/metering/observe-call.ts`)
  const { Recorder } = await import(`${root}/plugins/console/requests/recorder.ts`)
  const log = { debugs: false, debug() {}, error: console.error, warn: console.error, info() {} }
  const observers = new RequestObservers(log as any)
  const rec = new Recorder({ store: { write: async () => {}, count: async () => {} }, perSecond: 50, sandbox: true, log } as any)
  observers.set([rec])
  if (!observers.isOn) throw new Error('observers off')
  const routes = new KernelRoutes(metaRoutes({ version: '1.0.0', startedAt: new Date() } as any).filter((r: any) => r.path === '/health'))
  const app = createApp({ auth: { presents: () => false }, cors: new Cors(), log, routes, gateway: { handle: () => new Response('x', { status: 404 }) }, metrics: new PrometheusMetrics(), observers, callerOf: (p: string) => p, readLongJson: undefined } as any)
  return listen(app, '127.0.0.1', 0).port
}
const { Elysia } = await import('elysia')
const bare = new Elysia().get('/free', () => ({ ok: true })).listen({ port: 0, hostname: '127.0.0.1' })
const subjects: [string, number, string][] = [['bare', bare.server!.port!, '/free']]
for (const root of process.argv.slice(2)) subjects.push([root, await make(root), '/health'])
async function client(port: number, path: string) {
  let got = 0, want = 0, done: () => void, len = 0
  const sock = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data(_s, d) { got += d.length; if (got >= want) done() }, error: console.error } })
  const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const ask = (n: number, size: number) => new Promise<void>((r) => { got = 0; want = n * size; done = r; const b = Buffer.from(text.repeat(n)); let off = sock.write(b); if (off < b.length) throw new Error('short write') })
  await ask(1, 1); await Bun.sleep(50); len = got
  return { ask: (n: number) => ask(n, len) }
}
const clients = await Promise.all(subjects.map(async ([name, port, path]) => ({ name, c: await client(port, path) })))
const N = 50, out = new Map<string, number[]>(subjects.map(([n]) => [n, []]))
for (let i = 0; i < 600; i++) for (const { name, c } of clients) await c.ask(N)
for (let i = 0; i < 1000; i++) for (const { name, c } of clients) { const m = main(); for (let k = 0; k < 2; k++) await c.ask(N); out.get(name)!.push((main() - m) / N / 2) }
for (const [name, v] of out) { v.sort((a, b) => a - b); console.log(name.padEnd(20), 'p10', v[100]!.toFixed(2), 'p25', v[250]!.toFixed(2), 'p50', v[500]!.toFixed(2)) }
process.exit(0)
