/** Debian's PostgreSQL as servers of one's own: frozen, killed, replicated, promoted, with a false clock. */
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../host/database/client.ts'
import { patiently } from '../patiently.ts'

const ROOT = '/usr/lib/postgresql'
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
wal_level = replica
max_wal_senders = 5
hot_standby = on
shared_buffers = '64MB'
logging_collector = off
`

/** The folder of the newest installed server's programs; null where there is none. */
export function debianPostgres(): string | null {
  if (!existsSync(ROOT)) return null
  const versions = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'bin/postgres')))
  const newest = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)
  return newest === undefined ? null : join(ROOT, newest, 'bin')
}

/** A port that is free at this moment. */
export function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = server
  server.stop(true)
  return port
}

/** PostgreSQL refuses to run as root: there it runs as the system user that Debian made for it. */
export const asServer = (command: string[]): string[] =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
    : command

/** User and group of that system user; null when nobody has to change. */
export function idsOfServer(): [number, number] | null {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  const [, , uid, gid] = line!.split(':')
  return [Number(uid), Number(gid)]
}

export class Server {
  readonly folder: string
  readonly port: number
  readonly #bin: string
  #process: Bun.Subprocess | null = null

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.folder = folder
    this.port = port
  }

  /** An empty cluster in `folder`, not running. */
  static create(bin: string, folder: string, settings = ''): Server {
    const server = new Server(bin, folder, freePort())
    server.#makeFolder()
    server.#run(['initdb', '-D', folder, '-U', 'coinop', '-A', 'trust', '-E', 'UTF8', '-N'])
    writeFileSync(join(folder, 'postgresql.conf'), `${SETTINGS}port = ${server.port}\n${settings}`)
    writeFileSync(
      join(folder, 'pg_hba.conf'),
      'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
    )
    return server
  }

  /** A standby that follows `primary`, not running. */
  static standbyOf(primary: Server, folder: string, name: string): Server {
    const server = new Server(primary.#bin, folder, freePort())
    server.#makeFolder()
    const from = `host=127.0.0.1 port=${primary.port} user=coinop application_name=${name}`
    server.#run([
      'pg_basebackup',
      '-D',
      folder,
      '-d',
      from,
      '-X',
      'stream',
      '-R',
      '-c',
      'fast',
      '-N',
    ])
    writeFileSync(join(folder, 'postgresql.conf'), `${SETTINGS}port = ${server.port}\n`)
    return server
  }

  url(database = 'postgres'): string {
    return `postgresql://coinop@127.0.0.1:${this.port}/${database}`
  }

  /** Resolves when it answers. Children of one that was killed hold it up until they have ended. */
  async start(env: Record<string, string> = {}): Promise<void> {
    // Not for the program that changes the user: what libfaketime shares would be root's.
    const own = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const command = asServer(['env', ...own, join(this.#bin, 'postgres'), '-D', this.folder])
    const answers = this.query('SELECT 1').then(() => true)
    for (let isUp = false; !isUp;) {
      const child = Bun.spawn(command, {
        env: { PATH: process.env['PATH'] ?? '' },
        cwd: this.folder,
        stdout: 'ignore',
        stderr: Bun.file(`${this.folder}.log`),
      })
      this.#process = child
      isUp = await Promise.race([answers, child.exited.then(() => false)])
      if (!isUp) await Bun.sleep(200)
    }
  }

  async query(statement: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    return patiently(async () => {
      const sql = createClient(this.url(database), { max: 1, applicationName: 'chaos' })
      try {
        return await sql.unsafe(statement)
      } finally {
        await sql.end({ timeout: 1 })
      }
    })
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 60)')
  }

  /** Every process of the server: its own and its children. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const parent = this.#process!.pid
    const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(parent)])
    const children = stdout
      .toString()
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0)
    for (const pid of [parent, ...children]) {
      try {
        process.kill(pid, signal)
      } catch {
        // It ended meanwhile.
      }
    }
  }

  /** SIGKILL to the postmaster: its children end by themselves. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL')
    await this.#process?.exited
  }

  async stop(): Promise<void> {
    this.#process?.kill('SIGQUIT')
    await this.#process?.exited
    this.#process = null
  }

  #makeFolder(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const ids = idsOfServer()
    if (ids !== null) chownSync(this.folder, ...ids)
  }

  #run([program, ...rest]: string[]): void {
    const command = asServer([join(this.#bin, program!), ...rest])
    const { exitCode, stderr } = Bun.spawnSync(command, {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
    })
    if (exitCode !== 0) throw new Error(`${program}: ${stderr.toString()}`)
  }
}
