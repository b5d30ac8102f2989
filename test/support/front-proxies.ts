/** Real proxies of Debian's (nginx, HAProxy, Caddy) in front of a gateway, as processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from './ports.ts'

export interface FrontProxy {
  name: string
  port: number
  stop(): Promise<void>
}

/** Set by the proxy on each request that it knows of; one that was smuggled past it has none. */
export const THROUGH = 'x-through'
/** What an internal location of nginx serves, which no request from outside may reach. */
export const INTERNAL_SECRET = 'internal-file-of-the-proxy-5e0c'

export const NGINX = '/usr/sbin/nginx'
export const HAPROXY = '/usr/sbin/haproxy'
export const hasNginx = (): boolean => existsSync(NGINX)
export const hasHaproxy = (): boolean => existsSync(HAPROXY)
export const CADDY = '/usr/bin/caddy'
export const hasCaddy = (): boolean => existsSync(CADDY)

/**
 * nginx that keeps connections to the gateway, takes headers as long as it is told to
 * (specs/operations.md), and caches what they allow. A cache keeps it from closing its request when
 * a caller leaves.
 */
export async function startNginx(gatewayUrl: string, isCaching = true): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-nginx-'))
  const port = await freePort()
  const { host } = new URL(gatewayUrl)
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'secret'), INTERNAL_SECRET)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n  ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${temporary}
  proxy_cache_path ${folder}/cache keys_zone=shared:1m;
  upstream gateway { server ${host}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location /internal/ { internal; alias ${folder}/files/; }
    location / {
      proxy_pass http://gateway;
      proxy_http_version 1.1;
      proxy_set_header Host ${host};
      proxy_set_header Connection "";
      proxy_buffer_size 12k;
      proxy_set_header ${THROUGH} nginx;
      ${isCaching ? 'proxy_cache shared;' : ''}
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`,
  )
  const child = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  return started('nginx', child, port, folder)
}

/** HAProxy that shares its connections to the gateway among all clients. */
export async function startHaproxy(gatewayUrl: string): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-haproxy-'))
  const port = await freePort()
  const { host } = new URL(gatewayUrl)
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout client 20s
  timeout server 20s
  timeout connect 5s
  http-reuse always
  option abortonclose
frontend all
  bind 127.0.0.1:${port}
  default_backend gateway
backend gateway
  http-request set-header Host ${host}
  http-request set-header ${THROUGH} haproxy
  server one ${host} pool-max-conn 4
`,
  )
  const child = spawn(HAPROXY, ['-f', join(folder, 'haproxy.cfg'), '-db'], { stdio: 'inherit' })
  return started('haproxy', child, port, folder)
}

/** Caddy as deploy/Caddyfile sets it up for the public, with one gateway behind it. */
export async function startCaddy(gatewayUrl: string): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-caddy-'))
  const port = await freePort()
  const { host } = new URL(gatewayUrl)
  const shipped = readFileSync(resolve(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')
  const file = shipped
    .replace('gateway:4020 gateway-two:4020', host)
    .replace(/^:8081 \{/m, `http://127.0.0.1:${await freePort()} {`)
    .replace(/^:8080 \{/m, `http://127.0.0.1:${port} {`)
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${file}`)
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(CADDY, args, { stdio: ['ignore', 'ignore', 'ignore'], env })
  return started('caddy', child, port, folder)
}

async function started(
  name: string,
  child: ChildProcess,
  port: number,
  folder: string,
): Promise<FrontProxy> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    await Bun.sleep(20)
  }
  return {
    name,
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
