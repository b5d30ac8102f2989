import { expect, it } from 'vitest'
import { EXIT, type PluginCommandContext } from '../../../kernel/plugins/command.ts'
import { remoteOf, telling } from '../../../plugins/shared/commands/remote.ts'

/** The end of a command that asks whatever listens on `port`, and what it said. */
async function asking(port: number): Promise<{ exit: number; said: string[] }> {
  const said: string[] = []
  const context = {
    options: {},
    publicUrl: `http://127.0.0.1:${port}`,
    adminToken: 'a token',
    warn: (text: string) => void said.push(text),
  } as unknown as PluginCommandContext
  const exit = await telling(context, async () => {
    await remoteOf(context).ask('GET', '/v1/keys')
    return EXIT.ok
  })
  return { exit, said }
}

it('a gateway that breaks off in its answer cannot be reached', async () => {
  const breaking = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: (socket) => {
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
        )
      },
    },
  })
  try {
    const { exit, said } = await asking(breaking.port)
    expect(exit).toBe(EXIT.unavailable)
    expect(said).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached: /)])
  } finally {
    breaking.stop(true)
  }
})
