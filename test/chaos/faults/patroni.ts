/**
 * A Patroni cluster on this machine: etcd, three PostgreSQL with synchronous replication, and HAProxy
 * as the one address of whoever is primary. Debian's packages, started by hand on loopback.
 */
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../host/database/client.ts'
import { patiently } from '../patiently.ts'
import { asServer, freePort, idsOfServer } from './postgres.ts'

const PROGRAMS = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
}
const PACKAGES = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' } as const
/** Not `first`: a word of the syntax of synchronous_standby_names. */
const NODES = ['alpha', 'beta', 'gamma'] as const
/** The shortest that Patroni allows: a primary that is gone is replaced after it. */
const TTL_S = 20

/** What is not installed, with the package that has it; null: nothing. */
export function missingForPatroni(): string | null {
  const missing = (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])
    .filter((name) => !existsSync(PROGRAMS[name]))
    .map((name) => PACKAGES[name])
  if (missing.length === 0) return null
  return `${missing.join(', ')} (apt-get install ${missing.join(' ')})`
}

interface Node {
  name: string
  folder: string
  config: string
  port: number
  restPort: number
  process: Bun.Subprocess | null
}
interface Member {
  name: string
  role: string
  state: string
}

export class PatroniCluster {
  readonly #folder: string
  readonly #bin: string
  readonly #etcdPort = freePort()
  readonly #doorPort = freePort()
  readonly #nodes: Node[]
  readonly #helpers: Bun.Subprocess[] = []

  /** `bin`: programs of PostgreSQL; `folder` is empty and becomes the cluster's. */
  constructor(bin: string, folder: string) {
    this.#bin = bin
    this.#folder = folder
    this.#own(folder)
    this.#nodes = NODES.map((name) => ({
      name,
      folder: join(folder, name),
      config: join(folder, `${name}.yml`),
      port: freePort(),
      restPort: freePort(),
      process: null,
    }))
  }

  /** Where the primary is found, whoever it is. */
  url(database: string): string {
    return `postgresql://coinop@127.0.0.1:${this.#doorPort}/${database}`
  }

  /** Resolves when there is a primary with both standbys, one of them synchronous. */
  async start(): Promise<void> {
    const client = `http://127.0.0.1:${this.#etcdPort}`
    const peer = `http://127.0.0.1:${freePort()}`
    this.#helpers.push(
      this.#spawn('etcd', [
        PROGRAMS.etcd, '--name', 'only', '--data-dir', join(this.#folder, 'etcd'),
        '--listen-client-urls', client, '--advertise-client-urls', client,
        '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer,
        '--initial-cluster', `only=${peer}`,
      ]),
    ) // prettier-ignore
    writeFileSync(join(this.#folder, 'haproxy.cfg'), this.#haproxyConfig())
    for (const node of this.#nodes) {
      writeFileSync(node.config, this.#nodeConfig(node))
      this.startNode(node.name)
    }
    await this.whole()
    this.#helpers.push(
      this.#spawn('haproxy', [PROGRAMS.haproxy, '-db', '-f', join(this.#folder, 'haproxy.cfg')]),
    )
    await this.query('SELECT 1')
  }

  startNode(name: string): void {
    const node = this.#node(name)
    node.process = this.#spawn(name, [PROGRAMS.patroni, node.config])
  }

  /** Resolves when a primary runs, both others follow it, and one of them synchronously. */
  async whole(): Promise<void> {
    await patiently(async () => {
      const members = await this.#members()
      const roles = members.filter(({ state }) => isUp(state)).map(({ role }) => role)
      const isWhole =
        roles.length === NODES.length && roles.includes('leader') && roles.includes('sync_standby')
      if (!isWhole) throw new Error(JSON.stringify(members))
    })
  }

  async primary(): Promise<string> {
    return patiently(async () => {
      const leader = (await this.#members()).find(
        ({ role, state }) => role === 'leader' && isUp(state),
      )
      if (!leader) throw new Error('no primary')
      return leader.name
    })
  }

  /** The primary and its synchronous standby change places. Returns the new primary. */
  async switchOver(): Promise<string> {
    const leader = await this.primary()
    await patiently(async () => {
      const candidate = (await this.#members()).find(({ role }) => role === 'sync_standby')?.name
      const answer = await fetch(`http://127.0.0.1:${this.#node(leader).restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader, candidate }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`switchover: ${text}`)
    })
    return this.successorOf(leader)
  }

  /** SIGKILL to the primary and to the Patroni beside it, as a machine dies. Returns who was it. */
  async killPrimary(): Promise<string> {
    const name = await this.primary()
    await this.#kill(this.#node(name))
    return name
  }

  /** Resolves with the name of a primary that is not `name`. */
  async successorOf(name: string): Promise<string> {
    return patiently(async () => {
      const now = await this.primary()
      if (now === name) throw new Error(`${name} is still the primary`)
      return now
    })
  }

  async query(statement: string): Promise<void> {
    await patiently(async () => {
      const sql = createClient(this.url('postgres'), { max: 1, applicationName: 'chaos' })
      await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }))
    })
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) await this.#kill(node)
    for (const helper of this.#helpers) {
      helper.kill('SIGKILL')
      await helper.exited
    }
  }

  #node(name: string): Node {
    return this.#nodes.find((node) => node.name === name)!
  }

  async #kill(node: Node): Promise<void> {
    node.process?.kill('SIGKILL')
    await node.process?.exited
    node.process = null
    let pid: number
    try {
      pid = Number(readFileSync(join(node.folder, 'postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(pid, 'SIGKILL')
    } catch {
      // It does not run.
      return
    }
    while (existsSync(`/proc/${pid}`)) await Bun.sleep(20)
  }

  async #members(): Promise<Member[]> {
    for (const { process: running, restPort } of this.#nodes) {
      if (running === null) continue
      try {
        const signal = AbortSignal.timeout(3000)
        const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal })
        return ((await answer.json()) as { members: Member[] }).members
      } catch {
        // The next one knows as much.
      }
    }
    return []
  }

  #spawn(name: string, command: string[]): Bun.Subprocess {
    return Bun.spawn(asServer(command), {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.#folder },
      stdout: Bun.file(join(this.#folder, `${name}.out`)),
      stderr: Bun.file(join(this.#folder, `${name}.log`)),
    })
  }

  #own(folder: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const ids = idsOfServer()
    if (ids !== null) chownSync(folder, ...ids)
  }

  #nodeConfig({ name, folder, port, restPort }: Node): string {
    return `
scope: coinop
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { hosts: '127.0.0.1:${this.#etcdPort}' }
bootstrap:
  dcs:
    ttl: ${TTL_S}
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 150, shared_buffers: 64MB, wal_log_hints: 'on' }
  initdb: [{ encoding: UTF8 }, { auth: trust }, no-sync]
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}
  bin_dir: ${this.#bin}
  pgpass: ${folder}.pgpass
  authentication:
    superuser: { username: coinop }
    replication: { username: replicator }
    rewind: { username: coinop }
  parameters: { unix_socket_directories: '' }
`
  }

  #haproxyConfig(): string {
    const servers = this.#nodes.map(
      ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
    )
    return `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 3s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${this.#doorPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
  }
}

/** Later versions of Patroni say of a standby what it does. */
const isUp = (state: string): boolean => state === 'running' || state === 'streaming'
