/** Recognition without the networks ends at its deadline, and goes on with the next page. */
import { createCanvas } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { embeddedEngine } from '../../plugins/shared/ocr/engine.ts'
import { rasterOf, type Raster } from '../../plugins/shared/ocr/raster.ts'
import { SANS } from '../support/docintel-fixtures/fonts.ts'

function page(lines: number): Raster {
  const canvas = createCanvas(900, 60 + lines * 40)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#111'
  context.font = `26px "${SANS}"`
  for (let at = 0; at < lines; at++)
    context.fillText(`Total amount payable ${100 + at}`, 40, 60 + at * 40)
  return rasterOf(canvas)
}

it('tesseract.js is stopped at the deadline; the next page is read', async () => {
  const engine = await embeddedEngine(() => undefined)
  const stopped = await engine.recognize(page(60), performance.now())
  expect(stopped).toMatchObject({ words: [], isPartial: true })
  const read = await engine.recognize(page(1), Infinity)
  expect(read.isPartial).toBe(false)
  expect(read.words.map(({ text }) => text)).toContain('Total')
})
