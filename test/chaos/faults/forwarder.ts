/** An address that can lead to another server at any moment, as a virtual IP or HAProxy does it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Forwarder {
  port: number
  /** New connections go to this port; those that are open are cut. */
  leadTo(port: number): void
  close(): void
}

export async function forwarder(to: number): Promise<Forwarder> {
  let target = to
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
    from.pipe(onward).pipe(from)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
      for (const socket of open) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
