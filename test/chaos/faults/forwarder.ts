/** An address that can lead to another server at any moment, as a virtual IP or HAProxy does it. */
import { Transform } from 'node:stream'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Forwarder {
  port: number
  /** New connections go to this port; those that are open are cut. */
  leadTo(port: number): void
  /** From now on each piece of data waits so long before it goes on; infinite: it never does. */
  delay(ms: number): void
  close(): void
}

export async function forwarder(to: number): Promise<Forwarder> {
  let target = to
  let delayMs = 0
  const slowed = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk)
        else if (Number.isFinite(delayMs)) setTimeout(() => done(null, chunk), delayMs)
        else held.add(() => done(null, chunk))
      },
    })
  /** What goes on when the delay ends. */
  const held = new Set<() => void>()
  const open = new Set<Socket>()
  const server = createServer((from) => {
    const onward = connect(target, '127.0.0.1')
    for (const socket of [from, onward]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => {
        from.destroy()
        onward.destroy()
      })
    }
    from.pipe(slowed()).pipe(onward)
    onward.pipe(slowed()).pipe(from)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
      for (const socket of open) socket.destroy()
    },
    delay(ms) {
      delayMs = ms
      for (const goOn of held) goOn()
      held.clear()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
