import { mkdirSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { withDatabase } from '../../host/embedded-postgres/connection-text.ts'
import { gatewayEnv } from './lib/bench-gateway.ts'
import { benchDatabase } from './lib/database.ts'
import { startProcess } from './lib/process.ts'
const folder = mkdtempSync('/tmp/speed/out-')
const bench = await benchDatabase()
const root = resolve(import.meta.dirname, '../..')
const subjects: any[] = [{ name: 'bare', g: await startProcess('test/bench/peers/bare-elysia.ts'), path: '/free' }]
for (const [i, v] of process.argv.slice(2).entries()) {
  const [checkout, ...env] = v.split(',')
  await bench.db.sql.unsafe(`CREATE DATABASE o_${i}`)
  mkdirSync(join(folder, String(i)))
  subjects.push({ name: v, path: '/health', g: await startProcess(relative(root, join(checkout!, 'kernel/main.ts')), ['start'], { ...gatewayEnv(withDatabase(bench.db.url, `o_${i}`), join(folder, String(i))), PRODUCTS_DIR: join(checkout!, 'products'), ...Object.fromEntries(env.map((e) => e.split('=', 2))) }) })
}
const cpu = (pid: number) => { let all = 0, main = 0; for (const t of readdirSync(`/proc/${pid}/task`)) { try { const v = Number(readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]) / 1000; all += v; if (t === String(pid)) main = v } catch {} } return { all, main } }
async function client(url: string, path: string) {
  const port = Number(new URL(url).port)
  let got = 0, want = 0, done: () => void
  const sock = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data(_s, d) { got += d.length; if (got >= want) done() }, error: console.error } })
  const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  const ask = (n: number, size: number) => new Promise<void>((r) => { got = 0; want = n * size; done = r; sock.write(Buffer.from(text.repeat(n))) })
  await ask(1, 1); await Bun.sleep(50); const len = got
  return (n: number) => ask(n, len - 3)
}
for (const s of subjects) s.cs = await Promise.all(Array.from({ length: 64 }, () => client(s.g.url, s.path)))
const out: any = {}
for (let i = -6; i < Number(process.env.R ?? 20); i++) for (const s of subjects) {
  const a = cpu(s.g.pid)
  for (let k = 0; k < 150; k++) await Promise.all(s.cs.map((c: any) => c(1)))
  await Bun.sleep(20)
  const b = cpu(s.g.pid)
  if (i >= 0) (out[s.name] ??= []).push([(b.main - a.main) / 9600, (b.all - a.all) / 9600])
}
for (const [n, v] of Object.entries<any>(out)) { const q = (k: number, p: number) => v.map((x: any) => x[k]).sort((a: number, b: number) => a - b)[Math.floor(v.length * p)].toFixed(2); console.log(n.padEnd(22), 'main min', q(0, 0), 'p25', q(0, .25), 'p50', q(0, .5), '| all min', q(1, 0), 'p25', q(1, .25), 'p50', q(1, .5)) }
for (const s of subjects) { for (const c of s.cs) void c; await s.g.stop() }
await bench.close(); rmSync(folder, { recursive: true, force: true }); process.exit(0)
