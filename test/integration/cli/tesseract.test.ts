/** tesseract.js reads with what the install left of its packages; no test of OCR needs it where networks run. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { createWorker, OEM } from 'tesseract.js'
import { expect, it } from 'vitest'

const data = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')

it('reads a line', async () => {
  const canvas = createCanvas(600, 120)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 600, 120)
  context.fillStyle = 'black'
  context.font = '40px sans-serif'
  context.fillText('Total 12.50 euro', 30, 70)
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: join(dirname(data), '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
  })
  const { data: read } = await worker.recognize(canvas.toBuffer('image/png'))
  await worker.terminate()
  expect(read.text.trim()).toBe('Total 12.50 euro')
})
