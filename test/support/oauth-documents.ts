/** A host of client id metadata documents at https://localhost, with a certificate of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface DocumentHost {
  origin: string
  /** `host:port`, for ALLOW_PRIVATE_TARGETS. */
  endpoint: string
  /** For NODE_EXTRA_CA_CERTS. */
  certificateFile: string
  /** What was asked for, in order. */
  asked: string[]
  /** Answers of paths; a text is JSON. */
  pages: Map<string, string | ((request: Request) => Response | Promise<Response>)>
  /** Publishes a document about itself; returns its URL. */
  publish(path: string, extra?: Record<string, unknown>): string
  close(): Promise<void>
}

export function documentHost(): DocumentHost {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-documents-'))
  const certificateFile = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  const options =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'
  const files = `-addext subjectAltName=DNS:localhost -keyout ${keyFile} -out ${certificateFile}`
  const made = Bun.spawnSync(['openssl', 'req', ...`${options} ${files}`.split(' ')])
  if (made.exitCode !== 0) throw new Error(`no certificate: ${made.stderr.toString()}`)
  const asked: string[] = []
  const pages: DocumentHost['pages'] = new Map()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
    fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const page = pages.get(pathname)
      if (page === undefined) return new Response('nothing here', { status: 404 })
      if (typeof page !== 'string') return page(request)
      return new Response(page, { headers: { 'content-type': 'application/json' } })
    },
  })
  const endpoint = `localhost:${server.port}`
  const origin = `https://${endpoint}`
  return {
    origin,
    endpoint,
    certificateFile,
    asked,
    pages,
    publish(path, extra = {}) {
      const url = origin + path
      const document = {
        client_id: url,
        client_name: 'Published',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
        ...extra,
      }
      pages.set(path, JSON.stringify(document))
      return url
    },
    async close() {
      await server.stop(true)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
