/** Pixels for OCR: decodes JPEG, PNG and WebP within caps, turns them upright, scales them to fit. */
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import { evenLight, greyOf, pgmOf, seemsSideways } from './even-light.ts'

/** Declared pixels that are decoded at all: an A4 page at 600 dpi has 35 million. */
const PIXELS_MAX = 50_000_000
/** Pixels given to OCR: an A4 page at 215 dpi; more costs time and reads no better. */
const OCR_PIXELS = 4_500_000
/** Narrower images are enlarged: letters need about 20 pixels. */
const WIDTH_MIN = 750
const ENLARGE_MAX = 2.5

export interface Raster {
  width: number
  height: number
  /** RGBA as drawn. */
  pixels(): { data: Uint8ClampedArray; width: number; height: number }
  /** Grey pixels in even light as PGM, and whether lines of text seem to run up and down. */
  grey(): { pgm: Uint8Array; sideways: boolean }
}

/** What a canvas shows; each engine asks for the pixels that it reads. */
export function rasterOf(canvas: Canvas): Raster {
  const { width, height } = canvas
  const pixels = (): ReturnType<Raster['pixels']> => ({
    data: canvas.getContext('2d').getImageData(0, 0, width, height).data,
    width,
    height,
  })
  let grey: ReturnType<Raster['grey']> | null = null
  return {
    width,
    height,
    pixels,
    grey() {
      if (grey) return grey
      const even = greyOf(pixels().data, width, height)
      evenLight(even)
      grey = { pgm: pgmOf(even), sideways: seemsSideways(even) }
      return grey
    },
  }
}

const u16 = (b: Uint8Array, at: number): number => (b[at]! << 8) | b[at + 1]!
const u32 = (b: Uint8Array, at: number): number => u16(b, at) * 65536 + u16(b, at + 2)

/** Size from the header, before anything is decoded; null when the header is broken. */
export function declaredSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes[0] === 0x89)
    return bytes.length < 24 ? null : { width: u32(bytes, 16), height: u32(bytes, 20) }
  if (bytes[0] === 0xff) {
    for (let at = 2; at + 9 < bytes.length;) {
      if (bytes[at] !== 0xff) {
        at++
        continue
      }
      const marker = bytes[at + 1]!
      if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
        return { width: u16(bytes, at + 7), height: u16(bytes, at + 5) }
      if (marker === 0xff || (marker >= 0xd0 && marker <= 0xd9) || marker === 0x01)
        at += marker === 0xff ? 1 : 2
      else at += 2 + Math.max(2, u16(bytes, at + 2))
    }
    return null
  }
  const kind = Buffer.from(bytes.subarray(12, 16)).toString('latin1')
  if (kind === 'VP8X')
    return {
      width: 1 + (bytes[24]! | (bytes[25]! << 8) | (bytes[26]! << 16)),
      height: 1 + (bytes[27]! | (bytes[28]! << 8) | (bytes[29]! << 16)),
    }
  if (kind === 'VP8 ')
    return {
      width: (bytes[26]! | (bytes[27]! << 8)) & 0x3fff,
      height: (bytes[28]! | (bytes[29]! << 8)) & 0x3fff,
    }
  if (kind === 'VP8L') {
    const bits = bytes[21]! | (bytes[22]! << 8) | (bytes[23]! << 16) | (bytes[24]! * 16777216)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return null
}

/** EXIF orientation 1..8 of a JPEG; 1 when none is given. */
export function exifOrientation(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff) return 1
  for (
    let at = 2;
    at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda;
    at += 2 + u16(bytes, at + 2)
  ) {
    if (
      bytes[at + 1] !== 0xe1 ||
      Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1') !== 'Exif'
    )
      continue
    const tiff = at + 10
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const little = bytes[tiff] === 0x49
    try {
      const directory = tiff + view.getUint32(tiff + 4, little)
      const count = Math.min(view.getUint16(directory, little), 64)
      for (let i = 0; i < count; i++) {
        const entry = directory + 2 + 12 * i
        if (view.getUint16(entry, little) === 0x0112) {
          const value = view.getUint16(entry + 8, little)
          return value >= 1 && value <= 8 ? value : 1
        }
      }
    } catch {
      return 1
    }
  }
  return 1
}

/** Degrees clockwise that bring an EXIF orientation upright; mirrored ones keep their mirror. */
const TURN: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }

/** A canvas turned by a multiple of 90 degrees and scaled, on white. */
function draw(
  image: Parameters<ReturnType<Canvas['getContext']>['drawImage']>[0] & {
    width: number
    height: number
  },
  turn: number,
  scale: number,
): Canvas {
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  const sideways = turn % 180 !== 0
  const canvas = createCanvas(sideways ? height : width, sideways ? width : height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((turn * Math.PI) / 180)
  context.drawImage(image, -width / 2, -height / 2, width, height)
  return canvas
}

function scaleFor(width: number, height: number): number {
  const down = Math.sqrt(OCR_PIXELS / (width * height))
  if (down < 1) return down
  return width < WIDTH_MIN ? Math.min(ENLARGE_MAX, WIDTH_MIN / width, down) : 1
}

export type DecodeOutcome =
  | { ok: true; raster: Raster; turned(degrees: number, scale: number): Raster }
  | { ok: false; reason: 'broken' | 'too_large'; message: string }

/** Whether the decoded pixels find room; the decoder itself does not say why it failed. */
function hasRoomFor({ width, height }: { width: number; height: number }): boolean {
  try {
    return new Uint8Array(width * height * 4).length > 0
  } catch {
    return false
  }
}
const noMemory = (): Error =>
  Object.assign(new Error('No memory for the pixels of an image'), { code: 'ENOMEM' })

/** An upright raster for OCR; `turned` gives the same image rotated, for a second try. */
export async function decodeImage(bytes: Uint8Array): Promise<DecodeOutcome> {
  const size = declaredSize(bytes)
  if (!size || size.width < 1 || size.height < 1)
    return { ok: false, reason: 'broken', message: 'The image has no readable header' }
  if (size.width * size.height > PIXELS_MAX)
    return {
      ok: false,
      reason: 'too_large',
      message: `The image has ${size.width}x${size.height} pixels; at most ${PIXELS_MAX} are read`,
    }
  const image = await loadImage(Buffer.from(bytes)).catch(() => null)
  if (!image || image.width < 1) {
    if (!hasRoomFor(size)) throw noMemory()
    return { ok: false, reason: 'broken', message: 'The image cannot be decoded' }
  }
  const orientation = exifOrientation(bytes)
  // A decoder that already applied the orientation reports the sides swapped.
  const applied =
    [5, 6, 7, 8].includes(orientation) &&
    image.width === size.height &&
    image.width !== image.height
  const upright = applied ? 0 : (TURN[orientation] ?? 0)
  const raster = (degrees: number, scale: number): Raster =>
    rasterOf(draw(image, (upright + degrees) % 360, scaleFor(image.width, image.height) * scale))
  return { ok: true, raster: raster(0, 1), turned: raster }
}
