/** Whether a picture shows nothing: every pixel of one colour. */
import { createInflate } from 'node:zlib'

const SIGNATURE = '89504e470d0a1a0a'
/** Bytes of a pixel by PNG colour type, at 8 bits a channel (PNG §11.2.1). */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }
/** What a small picture takes whatever it shows: the frame of its format, for JPEG its tables. */
const FRAME_BYTES = 2_048
/** A picture with more bytes for its pixels than this shows something; smaller ones are looked at. */
const PIXELS_PER_BYTE = 20

/** Whether a file of so many bytes must show something, as many pixels as it has. */
export const showsSomething = (bytes: number, pixels: number): boolean =>
  bytes > FRAME_BYTES && bytes * PIXELS_PER_BYTE > pixels

interface Png {
  width: number
  height: number
  pixelBytes: number
  data: Buffer[]
}

function parse(bytes: Buffer): Png | null {
  if (bytes.subarray(0, 8).toString('hex') !== SIGNATURE || bytes.length < 33) return null
  const [depth, colour, interlace] = [bytes[24]!, bytes[25]!, bytes[28]!]
  const pixelBytes = PIXEL_BYTES[colour]
  if (depth !== 8 || interlace !== 0 || pixelBytes === undefined) return null
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), pixelBytes, data }
}

/** Undoes one row's filter in place (PNG §9.2). */
function unfilter(row: Buffer, filter: number, above: Buffer, pixelBytes: number): void {
  for (let at = 0; at < row.length; at += 1) {
    const left = at >= pixelBytes ? row[at - pixelBytes]! : 0
    const up = above[at]!
    const corner = at >= pixelBytes ? above[at - pixelBytes]! : 0
    const added =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, corner)
              : 0
    row[at] = (row[at]! + added) & 0xff
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/**
 * True when all pixels of a PNG are the same. Stops at the first that differs; a file of another
 * kind or one that cannot be read counts as showing something.
 */
export async function isBlank(bytes: Buffer): Promise<boolean> {
  const png = parse(bytes)
  if (!png || showsSomething(bytes.length, png.width * png.height)) return false
  const { width, height, pixelBytes } = png
  const rowBytes = width * pixelBytes
  const inflate = createInflate()
  for (const part of png.data) inflate.write(part)
  inflate.end()
  let rows = 0
  let above: Buffer = Buffer.alloc(rowBytes)
  let first: Buffer | null = null
  let left: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
      let at = 0
      for (; left.length - at >= rowBytes + 1 && rows < height; at += rowBytes + 1) {
        const row = Buffer.from(left.subarray(at + 1, at + 1 + rowBytes))
        unfilter(row, left[at]!, above, pixelBytes)
        if (first === null) {
          for (let byte = pixelBytes; byte < rowBytes; byte += 1)
            if (row[byte] !== row[byte % pixelBytes]) return false
          first = row
        } else if (!row.equals(first)) return false
        above = row
        rows += 1
      }
      left = left.subarray(at)
    }
  } catch {
    return false
  } finally {
    inflate.destroy()
  }
  return first !== null && rows === height
}
