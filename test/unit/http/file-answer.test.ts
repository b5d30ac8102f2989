/** Which callers get the file of an answer and which its JSON. */
import { expect, it } from 'vitest'
import { fileAnswer } from '../../../kernel/http/file-answer.ts'
import type { Skill } from '../../../kernel/plugins/skill.ts'

const BYTES = Buffer.from('\x89PNG bytes', 'latin1')
const shows: Pick<Skill, 'content'> = {
  content: (output) => {
    const { data, type } = output as { data: string; type: string }
    return [
      { type: 'text', text: 'A picture' },
      { type: 'image', data, mimeType: type },
    ]
  },
}
const answerOf = (output: object, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json', 'x-own': '1' },
  body: new TextEncoder().encode(JSON.stringify(output)),
})
const picture = answerOf({ data: BYTES.toString('base64'), type: 'image/png' })

it.each([
  ['image/png', true],
  ['IMAGE/PNG', true],
  ['image/*', true],
  ['text/html, image/png;q=0.3', true],
  ['image/png, */*;q=0.8', true],
  ['image/png, application/json;q=0.9', true],
  [null, false],
  ['*/*', false],
  ['application/json', false],
  ['image/webp', false],
  ['application/pdf', false],
  ['image/png;q=0', false],
  ['image/png;q=0, image/*', false],
  ['image/png;q=abc', false],
  ['application/json, image/png', false],
  ['application/*, image/png;q=0.9', false],
])('Accept %s: the file %s', (accept, isFile) => {
  const file = fileAnswer(shows, accept, picture)
  expect(file !== null).toBe(isFile)
  if (!isFile) return
  expect(Buffer.from(file!.body)).toEqual(BYTES)
  expect(file!.headers).toMatchObject({
    'content-type': 'image/png',
    'x-own': '1',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  })
})

it('leaves JSON what is no file, no success, or could run in the origin', () => {
  const html = answerOf({ data: BYTES.toString('base64'), type: 'text/html' })
  const svg = answerOf({ data: BYTES.toString('base64'), type: 'image/svg+xml' })
  expect(fileAnswer(shows, 'text/html', html)).toBeNull()
  expect(fileAnswer(shows, 'image/*', svg)).toBeNull()
  expect(fileAnswer({}, 'image/png', picture)).toBeNull()
  expect(fileAnswer(shows, 'image/png', { ...picture, status: 404 })).toBeNull()
  const throws = (): never => {
    throw new Error('no')
  }
  expect(fileAnswer({ content: throws }, 'image/png', picture)).toBeNull()
})
