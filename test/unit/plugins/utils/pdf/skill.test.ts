import { constants, deflateRawSync } from 'node:zlib'
import { Check } from 'typebox/schema'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProgressReport, SkillContext } from '../../../../../kernel/index.ts'
import { pdfSkill } from '../../../../../plugins/utils/pdf/skill.ts'
import { encryption } from '../../../../support/pdf-encrypt.ts'
import { show, streamObject, writePdf } from '../../../../support/pdf-writer.ts'
import { contextWith, startPool } from '../schema/pool.ts'

const pool = startPool()
afterAll(() => pool.stop(new Date()))
const skill = pdfSkill()
const reports: ProgressReport[] = []
const context: SkillContext = {
  ...contextWith(pool),
  progress: (report) => void reports.push(report),
}
type Input = Parameters<typeof skill.handler>[1]
const run = (input: Record<string, unknown>) => skill.handler(context, input as Input)
/** Jobs have as long as a slow machine needs: what ends one here is its memory. */
const patient: SkillContext = {
  ...context,
  jobs: {
    run: (module, handler, input, options) =>
      pool.run(module, handler, input, { ...options, timeoutMs: 400_000 }),
  },
}
/** So many bytes of white space, deflated: pieces that begin anew, so that one is packed for all. */
function spaces(bytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(2 ** 24, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const header = Buffer.from([0x78, 0x9c])
  return Buffer.concat([header, ...Array<Buffer>(bytes / 2 ** 24).fill(piece)])
}
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

describe('utils.pdf_extract', () => {
  test('its example is what it answers', async () => {
    expect(Check(skill.input, skill.example!.input)).toBe(true)
    const result = await run(skill.example!.input as Record<string, unknown>)
    expect(result).toEqual({ ok: true, output: skill.example!.output })
    expect(Check(skill.output, result.ok && result.output)).toBe(true)
  })

  test('pages are chosen by options, and what is left out is said', async () => {
    const pages = [1, 2, 3, 4].map((n) => ({ content: show(`Page ${n}`, 72, 700) }))
    const pdf = base64(writePdf({ pages }))
    reports.length = 0
    expect(await run({ pdf, options: { pages: '2-9', maxPages: 2 } })).toMatchObject({
      ok: true,
      output: {
        pages: [
          { page: 2, text: 'Page 2' },
          { page: 3, text: 'Page 3' },
        ],
        tables: [],
        meta: { pageCount: 4, warnings: [{ code: 'no_such_page' }, { code: 'pages_left_out' }] },
      },
    })
    expect(reports).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
  })

  test('a locked file and a broken one are told apart', async () => {
    const { dictionary, trailer } = encryption('user', 'owner')
    const locked = writePdf({ pages: [{ content: '' }], objects: { 900: dictionary }, trailer })
    expect(await run({ base64: base64(locked) })).toMatchObject({
      ok: false,
      code: 'UNSUPPORTED_FORMAT',
      details: { reason: 'encrypted', issues: [{ path: '/base64' }] },
    })
    expect(await run({ pdf: base64(Buffer.from('%PDF-1.7 rubbish')) })).toMatchObject({
      ok: false,
      code: 'UNSUPPORTED_FORMAT',
      details: { reason: 'broken', issues: [{ path: '/pdf' }] },
    })
  })

  test('bad requests are refused before any work', () => {
    expect(skill.check!(context, {} as Input)).toMatchObject({ code: 'INVALID_INPUT' })
    const input = { pdf: base64(writePdf({ pages: [] })), options: { pages: '3-1' } } as Input
    expect(skill.check!(context, input)).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: '/options/pages' }] },
    })
  })

  test('a bomb costs its child, and the next call is answered', async () => {
    const bomb = writePdf({
      pages: [{ content: '' }],
      objects: { 1001: streamObject(spaces(2 * 2 ** 30), '/Filter /FlateDecode') },
    })
    const result = await skill.handler(patient, { pdf: base64(bomb) } as Input)
    expect(result).toMatchObject({ ok: false, details: { reason: 'memory' } })
    expect(await run(skill.example!.input as Record<string, unknown>)).toMatchObject({ ok: true })
  })
})
