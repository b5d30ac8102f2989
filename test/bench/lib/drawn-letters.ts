/** Pages of made-up words in many fonts, spoilt as scans and photos are, with the place of each letter. */
import {
  createCanvas,
  GlobalFonts,
  loadImage,
  type Canvas,
  type SKRSContext2D,
} from '@napi-rs/canvas'
import { rasterOf, type Raster } from '../../../plugins/shared/ocr/raster.ts'
import type { Random } from '../../support/docintel-fixtures/random.ts'

export interface DrawnLetter {
  text: string
  /** Middle of the letter on the page. */
  x: number
  y: number
  width: number
}
export interface DrawnPage {
  raster: Raster
  letters: DrawnLetter[]
  lines: string[]
}

/** Registers each font under a name of its own; those without Latin letters are left out. */
export function registerFonts(files: readonly string[]): string[] {
  const canvas = createCanvas(10, 10)
  const context = canvas.getContext('2d')
  context.font = '20px "no such font"'
  const other = context.measureText('Handgloves').width
  return files.flatMap((file, i) => {
    const name = `drawn ${i}`
    if (!GlobalFonts.registerFromPath(file, name)) return []
    context.font = `20px "${name}"`
    const isOwn = Math.abs(context.measureText('Handgloves').width - other) > 0.01
    return isOwn && hasLetters(context) ? [name] : []
  })
}

/** Fonts of symbols and of other scripts draw letters as boxes of one width, or all alike. */
function hasLetters(context: SKRSContext2D): boolean {
  const inks = ['a', 'n', 'e', 'g', 'R'].map((letter) => {
    const canvas = createCanvas(30, 30)
    const own = canvas.getContext('2d')
    own.font = context.font
    own.fillText(letter, 4, 22)
    return Buffer.from(own.getImageData(0, 0, 30, 30).data).toString('base64')
  })
  return new Set(inks).size === inks.length
}

const MARKED =
  'ääööüüßßééèèêëàáâãååçççñññííìîïóòôõøøúùûýÿąćęęłłńóśźżżčďěňřšťůžőűğşİăāēīūģķļņțÄÖÜÅÉÈÊÀÁÂÃÇÑÍÎÓÔÕØÚŁŚŻŹČŠŽŘŐŰŞĄĘĀĪÆæœ'
const PLAIN = 'aaabcdeeeefghiiiijjklllmnnnoooprssstttuuuvwyzxqABCDEFGHIJKLMNOPRSTUVWXYZQ0123456789'
const OTHERS = '\'.,:;-/()&"%°*#’´`^~'

function word(r: Random): string {
  const kind = r.next()
  if (kind < 0.1) {
    const amount = `${Math.floor(r.next() * 2000)}${r.pick([',', '.'])}${10 + Math.floor(r.next() * 90)}`
    const sign = r.pick(['€', '€', '€', '£', ''])
    return r.pick([
      `${amount} ${sign}`,
      `${sign}${amount}`,
      `${sign} ${amount}`,
      `${amount}${sign}`,
    ])
  }
  const length = 2 + Math.floor(r.next() * 9)
  const isMarked = r.next() < 0.5
  const isUpper = r.next() < 0.2
  let text = ''
  for (let i = 0; i < length; i++)
    text += r.pick([...(isMarked && r.next() < 0.4 ? MARKED : PLAIN)])
  const cased = isUpper ? text.replaceAll('ß', 's').toUpperCase() : text.slice(0, 1) + lower(text)
  return r.next() < 0.12 ? cased + r.pick([...OTHERS]) : cased
}
const lower = (text: string): string => text.slice(1).toLowerCase().replaceAll('\u0307', '')

/** A page in a font, drawn by a seed. */
export async function drawPage(family: string, r: Random): Promise<DrawnPage> {
  const size = 13 + r.next() ** 2 * 30
  const leading = size * (1.12 + r.next() * 0.6)
  const width = 820
  const count = Math.min(22, Math.floor(900 / leading))
  const height = Math.round(count * leading + 80)
  const isDark = r.next() < 0.06
  const [ink, paper] = isDark ? ['#e8e8e8', '#303236'] : [grey(r, 10, 110), grey(r, 205, 255)]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = paper
  context.fillRect(0, 0, width, height)
  const turn = (r.next() - 0.5) * (r.next() < 0.5 ? 0.02 : 0.2)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  context.translate(width / 2, height / 2)
  context.rotate(turn)
  context.translate(-width / 2, -height / 2)
  context.fillStyle = ink
  context.font = `${r.next() < 0.25 ? 'bold ' : ''}${size.toFixed(1)}px "${family}"`
  // Lines of a table run close above and below the letters of some pages.
  const ruled = r.next() < 0.3 ? 0.6 : 0.03
  const letters: DrawnLetter[] = []
  const lines: string[] = []
  for (let line = 0; line < count; line++) {
    const y = 50 + line * leading
    let text = ''
    while (context.measureText(text).width < width * 0.72) text += `${text && ' '}${word(r)}`
    if (r.next() < 0.3) text = text.slice(0, 6 + Math.floor(r.next() * 20))
    lines.push(text)
    context.fillText(text, 40, y)
    if (r.next() < ruled) drawRule(context, 40, y - size * (0.85 + r.next() * 0.5), width * 0.8, r)
    for (let i = 0; i < text.length; i++) {
      const from = context.measureText(text.slice(0, i)).width
      const to = context.measureText(text.slice(0, i + 1)).width
      const dx = 40 + (from + to) / 2 - width / 2
      const dy = y - size * 0.35 - height / 2
      letters.push({
        text: text[i]!,
        x: dx * cos - dy * sin + width / 2,
        y: dx * sin + dy * cos + height / 2,
        width: to - from,
      })
    }
  }
  return { raster: await spoilt(canvas, r), letters, lines }
}

function drawRule(context: SKRSContext2D, x: number, y: number, length: number, r: Random): void {
  context.save()
  context.strokeStyle = context.fillStyle
  context.lineWidth = 0.5 + r.next() * 1.5
  if (r.next() < 0.4) context.setLineDash([1 + r.next() * 3, 1 + r.next() * 4])
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x + length, y)
  context.stroke()
  context.restore()
}

function grey(r: Random, from: number, to: number): string {
  const value = Math.round(from + r.next() * (to - from))
  return `rgb(${value},${value},${Math.max(0, value - 4)})`
}

/** The page out of focus, with grain and the traces of JPEG. */
async function spoilt(page: Canvas, r: Random): Promise<Raster> {
  const { width, height } = page
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const blur = r.next() < 0.5 ? 0 : r.next() * 1.4
  // A camera with fewer pixels than the page needs.
  const share = r.next() < 0.5 ? 1 : 0.55 + r.next() * 0.45
  const small = createCanvas(Math.round(width * share), Math.round(height * share))
  small.getContext('2d').drawImage(page, 0, 0, small.width, small.height)
  if (blur > 0) context.filter = `blur(${blur.toFixed(2)}px)`
  context.drawImage(share === 1 ? page : small, 0, 0, width, height)
  context.filter = 'none'
  const pixels = context.getImageData(0, 0, width, height)
  const grain = r.next() < 0.4 ? 0 : r.next() * 60
  for (let i = 0; i < pixels.data.length; i += 4) {
    const noise = (r.next() - 0.5) * grain
    for (let c = 0; c < 3; c++) pixels.data[i + c] = pixels.data[i + c]! + noise
  }
  context.putImageData(pixels, 0, 0)
  if (r.next() < 0.5) return rasterOf(canvas)
  const image = await loadImage(await canvas.encode('jpeg', 35 + Math.floor(r.next() * 55)))
  context.drawImage(image, 0, 0)
  return rasterOf(canvas)
}
