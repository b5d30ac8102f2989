/** A TCP proxy before PostgreSQL that loses answers: the statement took effect, the caller cannot know. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { parseAddress } from '../../../host/database/client.ts'

export interface CuttingProxy {
  /** The database's connection text, through the proxy. */
  url: string
  /** From now on, the next `count` answers to statements are thrown away with their connection. */
  loseAnswers(count: number): void
  /** Answers lost so far. */
  lost(): number
  /** While true, connections are refused and cut: the database is away. */
  setAway(away: boolean): void
  /** 'closes': connections are accepted and closed; 'silent': nothing that is sent arrives any more. */
  setDoor(door: 'open' | 'closes' | 'silent'): void
  /** Connections accepted so far. */
  accepted(): number
  close(): Promise<void>
}

const QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const address = parseAddress(databaseUrl)
  const direct = new URL(address.url)
  const sockets = new Set<Socket>()
  let toLose = 0
  let lost = 0
  let away = false
  let door: 'open' | 'closes' | 'silent' = 'open'
  let accepted = 0

  const server = createServer((client) => {
    accepted += 1
    if (away) return void client.destroy()
    if (door === 'closes')
      return void client
        .on('error', () => {})
        .resume()
        .end()
    const upstream = address.path
      ? connect(address.path)
      : connect(Number(direct.port || 5432), direct.hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    let statementSent = false
    let isDeaf = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.on('data', (chunk) => {
      isDeaf ||= door === 'silent'
      if (isDeaf) return
      statementSent ||= [QUERY, PARSE, BIND].includes(chunk[0] ?? 0)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      isDeaf ||= door === 'silent'
      if (isDeaf) return
      if (statementSent && toLose > 0 && isCompleted(chunk)) {
        toLose -= 1
        lost += 1
        return cut()
      }
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(direct)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    loseAnswers: (count) => void (toLose = count),
    lost: () => lost,
    setAway(value) {
      away = value
      if (away) for (const socket of sockets) socket.destroy()
    },
    setDoor: (state) => void (door = state),
    accepted: () => accepted,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Whether the answer says that a statement which wrote or read rows is committed. */
function isCompleted(chunk: Buffer): boolean {
  return chunk.includes('SELECT ') && chunk.includes('Z\0\0\0\x05I')
}
