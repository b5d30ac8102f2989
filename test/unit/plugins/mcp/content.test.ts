/** What a model sees of an output that holds a file. */
import { expect, it } from 'vitest'
import type { Skill } from '#kernel'
import { contentOf } from '../../../../plugins/mcp/content.ts'

const blocks = (output: object): unknown =>
  JSON.parse(contentOf({} as Skill, JSON.stringify(output)))
const text = (value: object) => ({ type: 'text', text: JSON.stringify(value) })

it.each(['image/png', 'audio/mpeg'])('shows the %s that an upstream answered as such', (type) => {
  expect(blocks({ contentType: type, base64: 'AA==' })).toEqual([
    { type: type.split('/', 1)[0], data: 'AA==', mimeType: type },
    text({ contentType: type }),
  ])
})

it('shows the image of a skill, and keeps what else it has', () => {
  const output = { content_type: 'image/png', image_base64: 'AA==', base64: 'BB==', width: 1 }
  expect(blocks(output)).toEqual([
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    text({ content_type: 'image/png', width: 1, base64: 'BB==' }),
  ])
})

it('leaves other files and members of that name in the text', () => {
  const base64 = 'AA=='
  for (const output of [
    { contentType: 'application/zip', base64 },
    { contentType: 'image/svg+xml', base64 },
    { base64 },
  ])
    expect(blocks(output)).toEqual([text(output)])
})
