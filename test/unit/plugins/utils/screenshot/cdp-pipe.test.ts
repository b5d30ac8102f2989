import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CdpPipe } from '../../../../../plugins/utils/screenshot/browser/cdp-pipe.ts'

const LIMITS = { eventBytesMax: 100, answerBytesMax: 1_000 }

/** What arrives of `chunks`, written one after the other. */
async function received(...chunks: string[]): Promise<string[]> {
  const input = new PassThrough()
  const messages: string[] = []
  const onmessage = (message: string): void => void messages.push(message)
  Object.assign(new CdpPipe(input, new PassThrough(), LIMITS), { onmessage })
  for (const chunk of chunks) {
    input.write(chunk)
    await turn()
  }
  for (let at = 0; at < 5; at += 1) await turn()
  return messages
}

const event = (length: number): string =>
  `{"method":"Runtime.consoleAPICalled","params":"${'x'.repeat(length)}"}`
const answer = (id: number, length: number): string =>
  `{"id":${id},"result":"${'x'.repeat(length)}"}`

it('passes messages on whole and in order, however they are cut', async () => {
  const messages = [event(10), answer(7, 20), '{"method":"Page.loaded","params":"é"}']
  const bytes = `${messages.join('\0')}\0`
  expect(await received(bytes)).toEqual(messages)
  expect(await received(...bytes.match(/[^]{1,3}/gu)!)).toEqual(messages)
})

it('leaves out events that are too long, and nothing beside them', async () => {
  const small = event(1)
  const all = [small, event(200), answer(1, 10), event(5_000), small]
  expect(await received(`${all.join('\0')}\0`)).toEqual([small, answer(1, 10), small])
  const parts = `${all.join('\0')}\0`.match(/.{1,40}/gs)!
  expect(await received(...parts)).toEqual([small, answer(1, 10), small])
})

it('passes long answers on, and an error for one that is too long', async () => {
  const long = answer(12, 500)
  const answers = `${long}\0${answer(345, 5_000)}\0${event(1)}\0`
  const expected = [long, '{"id":345,"error":{"code":-32000,"message":"Too long"}}', event(1)]
  expect(await received(answers)).toEqual(expected)
  expect(await received(...answers.match(/.{1,60}/gs)!)).toEqual(expected)
})

it('says once that the browser is gone, and sends no more', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const pipe = new CdpPipe(input, output, LIMITS)
  let sent = ''
  output.on('data', (chunk: Buffer) => (sent += chunk.toString()))
  let closed = 0
  const onclose = (): void => void (closed += 1)
  Object.assign(pipe, { onclose })
  pipe.send('{"id":1}')
  input.end()
  input.destroy()
  for (let at = 0; at < 5; at += 1) await turn()
  pipe.send('{"id":2}')
  expect(closed).toBe(1)
  for (let at = 0; at < 5; at += 1) await turn()
  expect(sent).toBe('{"id":1}\0')
})
