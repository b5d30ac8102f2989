/** Till receipts as pictures: thermal print on a page, tilted and grainy as a phone sees it. */
import { createCanvas } from '@napi-rs/canvas'
import type { Random } from './random.ts'

export interface PhotoOptions {
  format: 'png' | 'jpeg' | 'webp'
  fontSize: number
  tiltDegrees: number
  grain: number
  family: string
}

/** Encoded picture of receipt lines (cells parted by ' | '). */
export async function photograph(
  lines: readonly string[],
  options: PhotoOptions,
  r: Random,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const { fontSize } = options
  const width = Math.round(fontSize * 28)
  const height = Math.round(fontSize * 1.35 * (lines.length + 5))
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#e9e7e2'
  context.fillRect(0, 0, width, height)
  context.translate(width / 2, height / 2)
  context.rotate((options.tiltDegrees * Math.PI) / 180)
  context.translate(-width / 2, -height / 2)
  context.fillStyle = '#2b2b2e'
  context.font = `${fontSize}px "${options.family}"`
  context.textBaseline = 'top'
  const margin = fontSize * 1.5
  for (const [i, line] of lines.entries()) {
    const cells = line.split(' | ')
    const y = fontSize * 2 + i * fontSize * 1.35
    if (cells.length === 1 && i < 6) {
      context.fillText(line, Math.max(margin, (width - context.measureText(line).width) / 2), y)
      continue
    }
    for (const [at, cell] of cells.entries()) {
      const w = context.measureText(cell).width
      const x =
        at === 0
          ? margin
          : at === cells.length - 1
            ? width - margin - w
            : margin + ((width - 2 * margin) * at) / cells.length
      context.fillText(cell, x, y)
    }
  }
  const pixels = context.getImageData(0, 0, width, height)
  for (let i = 0; i < pixels.data.length; i += 4) {
    const noise = (r.next() - 0.5) * options.grain
    for (let c = 0; c < 3; c++)
      pixels.data[i + c] = Math.max(0, Math.min(255, pixels.data[i + c]! + noise))
  }
  context.putImageData(pixels, 0, 0)
  const bytes =
    options.format === 'png'
      ? await canvas.encode('png')
      : options.format === 'jpeg'
        ? await canvas.encode('jpeg', 80)
        : await canvas.encode('webp', 80)
  return { bytes: new Uint8Array(bytes), width, height }
}
