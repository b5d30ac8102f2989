/**
 * Receipts as a hand-held phone sees them: lying on a table, in perspective, creased, with a shadow
 * across, slightly out of focus, noisy, and saved as JPEG.
 */
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import type { Random } from './random.ts'

export interface HandheldOptions {
  fontSize: number
  family: string
  /** Share of the width by which the far edge is narrower, 0..0.2. */
  perspective: number
  tiltDegrees: number
  /** Depth of the darkest shadow, 0..0.7. */
  shadow: number
  /** Amplitude of creases in pixels. */
  crease: number
  /** Radius of the blur in pixels. */
  blur: number
  grain: number
  quality: number
  /** Grey of the table. */
  table: number
}

function paper(lines: readonly string[], { fontSize, family }: HandheldOptions): Canvas {
  const width = Math.round(fontSize * 28)
  const height = Math.round(fontSize * 1.35 * (lines.length + 4))
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f2f1ed'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#3a3a3f'
  context.font = `${fontSize}px "${family}"`
  context.textBaseline = 'top'
  const margin = fontSize * 1.2
  for (const [i, line] of lines.entries()) {
    const cells = line.split(' | ')
    const y = fontSize * 2 + i * fontSize * 1.35
    for (const [at, cell] of cells.entries()) {
      const w = context.measureText(cell).width
      const x =
        cells.length === 1 && i < 6
          ? Math.max(margin, (width - w) / 2)
          : at === 0
            ? margin
            : at === cells.length - 1
              ? width - margin - w
              : margin + ((width - 2 * margin) * at) / cells.length
      context.fillText(cell, x, y)
    }
  }
  return canvas
}

/** JPEG of receipt lines (cells parted by ' | ') under these circumstances. */
export async function handheld(
  lines: readonly string[],
  options: HandheldOptions,
  r: Random,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const sheet = paper(lines, options)
  const source = sheet.getContext('2d').getImageData(0, 0, sheet.width, sheet.height).data
  const border = Math.round(sheet.width * 0.12)
  const width = sheet.width + 2 * border
  const height = sheet.height + 2 * border
  const grey = new Float32Array(width * height)
  const turn = (options.tiltDegrees * Math.PI) / 180
  const waves = Array.from({ length: 3 }, () => ({
    angle: r.next() * Math.PI,
    period: sheet.width * (0.25 + r.next() * 0.4),
    phase: r.next() * 6.3,
  }))
  const shadowAngle = r.next() * 6.3
  const shadowAt = r.next() * 0.5 - 0.25
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const u = (x - width / 2) / (sheet.width / 2)
      const v = (y - height / 2) / (sheet.height / 2)
      const cx = x - width / 2
      const cy = y - height / 2
      // The far (upper) edge is narrower: undo it around the middle column, then the turn.
      const narrow = 1 - options.perspective * (0.5 - v / 2)
      const px = cx / narrow
      let sx = Math.cos(turn) * px + Math.sin(turn) * cy + sheet.width / 2
      let sy = -Math.sin(turn) * px + Math.cos(turn) * cy + sheet.height / 2
      let light = 1
      for (const w of waves) {
        const along = (Math.cos(w.angle) * cx + Math.sin(w.angle) * cy) / w.period
        const s = Math.sin(along * 6.283 + w.phase)
        sx += options.crease * 0.5 * s
        sy += options.crease * 0.5 * Math.cos(along * 6.283 + w.phase)
        light -= options.crease * 0.012 * (1 - s)
      }
      const edge = Math.cos(shadowAngle) * u + Math.sin(shadowAngle) * v - shadowAt
      light *= 1 - options.shadow / (1 + Math.exp(-edge * 8))
      const inside = sx >= 0 && sy >= 0 && sx < sheet.width - 1 && sy < sheet.height - 1
      let value = options.table
      if (inside) {
        const x0 = Math.floor(sx)
        const y0 = Math.floor(sy)
        const fx = sx - x0
        const fy = sy - y0
        const at = (yy: number, xx: number): number => source[(yy * sheet.width + xx) * 4]!
        value =
          (at(y0, x0) * (1 - fx) + at(y0, x0 + 1) * fx) * (1 - fy) +
          (at(y0 + 1, x0) * (1 - fx) + at(y0 + 1, x0 + 1) * fx) * fy
      }
      grey[y * width + x] = value * light
    }
  const soft = blurred(grey, width, height, options.blur)
  const pixels = new ImageData(width, height)
  for (let i = 0; i < soft.length; i++) {
    const value = Math.max(0, Math.min(255, soft[i]! + (r.next() - 0.5) * options.grain))
    pixels.data[i * 4] = value
    pixels.data[i * 4 + 1] = value * 0.98
    pixels.data[i * 4 + 2] = value * 0.93
    pixels.data[i * 4 + 3] = 255
  }
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(pixels, 0, 0)
  return { bytes: new Uint8Array(await canvas.encode('jpeg', options.quality)), width, height }
}

/** Two box blurs of a fractional radius, along rows and columns. */
function blurred(grey: Float32Array, width: number, height: number, radius: number): Float32Array {
  if (radius <= 0) return grey
  const pass = (from: Float32Array, step: number, run: number): Float32Array => {
    const to = new Float32Array(from.length)
    for (let i = 0; i < from.length; i++) {
      const place = Math.floor(i / step) % run
      const before = place > 0 ? from[i - step]! : from[i]!
      const after = place < run - 1 ? from[i + step]! : from[i]!
      to[i] = (from[i]! + radius * (before + after)) / (1 + 2 * radius)
    }
    return to
  }
  let out = grey
  for (let k = 0; k < 2; k++) out = pass(pass(out, 1, width), width, height)
  return out
}
