/** A page of a made invoice as a phone sees it: turned, tilted, in shadow, out of focus, faded. */
import { createCanvas, ImageData, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { openPdf, renderPage } from '../../../../plugins/shared/ocr/pdf-pages.ts'
import type { Random } from '../random.ts'
import { LETTER_WIDTH, type Phrase } from './layouts.ts'

export interface PhotoLook {
  family: string
  /** 0, 90, 180 or 270 degrees, and a tilt besides. */
  turn: number
  tiltDegrees: number
  /** Depth of the shadow over a part of the page, 0..0.6. */
  shadow: number
  /** Radius of the blur in pixels. */
  blur: number
  /** Share of the ink that is left, as on old thermal paper, 0.3..1. */
  ink: number
  grain: number
  quality: number
}

/** How the k-th photo looks: every turn, tilts of ±12 degrees, all else by chance. */
export function photoLook(k: number, families: readonly string[], r: Random): PhotoLook {
  return {
    family: families[k % families.length]!,
    turn: [0, 0, 90, 0, 180, 0, 270, 0][k % 8]!,
    tiltDegrees: (r.next() - 0.5) * 24,
    shadow: r.next() * 0.5,
    blur: r.chance(0.5) ? 0 : r.next() * 1.4,
    ink: r.chance(0.6) ? 1 : 0.4 + r.next() * 0.5,
    grain: r.next() * 40,
    quality: r.int(45, 85),
  }
}

/** Points of A4 become pixels of a page photographed at about 150 dpi. */
const SCALE = 2.1
const WIDTH = 595 * SCALE
const HEIGHT = 842 * SCALE

/**
 * JPEG of the page under these circumstances. A phrase is set in one piece, with the spaces of its
 * type; one that is wider than the layout's room for it is drawn narrower.
 */
export const madePhoto = (
  phrases: readonly Phrase[],
  look: PhotoLook,
  r: Random,
): Promise<Uint8Array> =>
  photographed(
    (context) => {
      const ink = Math.round(242 - look.ink * 200)
      context.fillStyle = `rgb(${ink},${ink},${ink})`
      for (const { text, x, y, size, isRight } of phrases) {
        context.font = `${(size * SCALE * 0.92).toFixed(1)}px "${look.family}"`
        context.textAlign = isRight ? 'right' : 'left'
        const room = size * (text.length * LETTER_WIDTH + 0.12) * SCALE
        context.fillText(text, x * SCALE, y * SCALE, room)
      }
    },
    look,
    r,
  )

/** JPEG of the first page of a PDF, set in its own type. */
export async function photoOfPdf(
  bytes: Uint8Array,
  look: PhotoLook,
  r: Random,
): Promise<Uint8Array> {
  const opened = await openPdf(bytes)
  if (!opened.ok) throw new Error(opened.message)
  const { data, width, height } = (await renderPage(opened.pdf, 1)).pixels()
  await opened.pdf.loadingTask.destroy()
  const page = createCanvas(width, height)
  page.getContext('2d').putImageData(new ImageData(data as never, width, height), 0, 0)
  return photographed(
    (context) => {
      context.globalCompositeOperation = 'multiply'
      context.globalAlpha = look.ink
      context.drawImage(page, 0, 0, WIDTH, HEIGHT)
      context.globalAlpha = 1
      context.globalCompositeOperation = 'source-over'
    },
    look,
    r,
  )
}

async function photographed(
  draw: (context: SKRSContext2D) => void,
  look: PhotoLook,
  r: Random,
): Promise<Uint8Array> {
  const angle = ((look.turn + look.tiltDegrees) * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const width = Math.round((WIDTH * cos + HEIGHT * sin) * 1.04)
  const height = Math.round((WIDTH * sin + HEIGHT * cos) * 1.04)
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const table = r.int(40, 170)
  context.fillStyle = `rgb(${table},${table - 8},${table - 16})`
  context.fillRect(0, 0, width, height)
  context.translate(width / 2, height / 2)
  context.rotate(angle)
  context.translate(-WIDTH / 2, -HEIGHT / 2)
  context.fillStyle = '#f3f1ec'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  draw(context)
  const shadow = context.createLinearGradient(0, r.next() * HEIGHT, WIDTH, r.next() * HEIGHT)
  shadow.addColorStop(r.next() * 0.4, 'rgba(0,0,0,0)')
  shadow.addColorStop(0.6 + r.next() * 0.3, `rgba(0,0,0,${look.shadow.toFixed(2)})`)
  context.fillStyle = shadow
  context.fillRect(0, 0, WIDTH, HEIGHT)
  const spoilt = createCanvas(width, height)
  const to = spoilt.getContext('2d')
  if (look.blur > 0) to.filter = `blur(${look.blur.toFixed(2)}px)`
  to.drawImage(await loadImage(await canvas.encode('png')), 0, 0)
  const pixels = to.getImageData(0, 0, width, height)
  for (let i = 0; i < pixels.data.length; i += 4) {
    const noise = (r.next() - 0.5) * look.grain
    for (let c = 0; c < 3; c++) pixels.data[i + c] = pixels.data[i + c]! + noise
  }
  to.putImageData(pixels, 0, 0)
  return new Uint8Array(await spoilt.encode('jpeg', look.quality))
}
