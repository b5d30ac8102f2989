/**
 * OCR without any installation: tesseract.js with the language data of its npm package, one uniform
 * block of text (page segmentation mode 6); the `tesseract` program instead where it is on PATH.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, OEM, PSM } from 'tesseract.js'
import type { BoxedWord, Recognition } from './contract.ts'
import { withoutDigitsInWords } from './digits-in-words.ts'
import { openNeural } from './networks.ts'
import type { Raster } from './raster.ts'

export interface Engine {
  /**
   * Reads a page. After `deadline` (performance.now) the networks give what they have; the others are
   * stopped and give no words. Both are partial then.
   */
  recognize(raster: Raster, deadline?: number): Promise<Recognition>
  /** It finds out itself which way is up. */
  turnsPages: boolean
}

const require = createRequire(import.meta.url)
/** The smaller integer model: as good on receipts as the larger one, and faster to load. */
const DATA = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')
const CONFIDENCE_MIN = 0.1

function legibilityOf(words: BoxedWord[]): number {
  let sum = 0
  let weight = 0
  for (const word of words) {
    sum += (word.confidence ?? 0) * word.text.length
    weight += word.text.length
  }
  return weight === 0 ? 0 : sum / weight
}

/** Specks that OCR read as a mark or two: no letters or digits and hardly sure. */
const isNoise = (word: BoxedWord): boolean =>
  ((word.confidence ?? 0) < CONFIDENCE_MIN && !/\d{2}/.test(word.text)) ||
  (!/[\p{L}\d$€£₹%*]/u.test(word.text) &&
    (word.confidence ?? 0) < 0.5 &&
    !/^[-:.,/]$/.test(word.text))

/** A line of fewer words, or over less of the page, says little about the tilt. */
const TILT_WORDS = 2

/**
 * Slope of the text (dy/dx): the median over the engine's own lines, weighted by their width. A
 * tilt of one degree already parts a label from its amount at the other side of a till roll.
 */
export function tiltOf(lines: readonly BoxedWord[][]): number {
  const slopes: { slope: number; weight: number }[] = []
  for (const line of lines) {
    const first = line[0]
    const last = line.at(-1)
    if (!first || !last || line.length < TILT_WORDS) continue
    const dx = (last.x0 + last.x1 - first.x0 - first.x1) / 2
    const height = (first.y1 - first.y0 + last.y1 - last.y0) / 2
    // Baselines: descenders and commas lower a box less often than capitals raise it.
    const dy = last.y1 - first.y1
    if (dx > height * 6 && Math.abs(dy) < dx * 0.2) slopes.push({ slope: dy / dx, weight: dx })
  }
  slopes.sort((a, b) => a.slope - b.slope)
  const half = slopes.reduce((sum, s) => sum + s.weight, 0) / 2
  let sum = 0
  for (const { slope, weight } of slopes) {
    sum += weight
    if (sum >= half) return slope
  }
  return 0
}

/** Words of all lines with the tilt taken out of their heights on the page. */
function level(lines: readonly BoxedWord[][]): BoxedWord[] {
  const tilt = tiltOf(lines)
  return lines.flat().map((word) => {
    const shift = tilt * ((word.x0 + word.x1) / 2)
    return { ...word, y0: word.y0 - shift, y1: word.y1 - shift }
  })
}

const finish = (lines: BoxedWord[][], { width, height }: Raster): Recognition => {
  const words = level(lines)
  const kept = words.filter((w) => w.text.trim() !== '' && !isNoise(w))
  return { words: kept, width, height, legibility: legibilityOf(kept), isPartial: false }
}

/** What is left of a page whose reading was stopped. */
const unread = ({ width, height }: Raster): Recognition => ({
  words: [],
  width,
  height,
  legibility: 0,
  isPartial: true,
})

type TesseractWorker = Awaited<ReturnType<typeof createWorker>>
/** Kept for the next image: loading the language costs a third of reading a receipt. */
let warm: Promise<TesseractWorker> | null = null
let reportShare: (share: number) => void = () => undefined

async function startWorker(): Promise<TesseractWorker> {
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: DATA,
    cacheMethod: 'none',
    gzip: true,
    logger: (message) => {
      if (message.status === 'recognizing text') reportShare(message.progress)
    },
    // Without a handler the library throws inside its message listener.
    errorHandler: () => undefined,
  })
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
    preserve_interword_spaces: '1',
  })
  return worker
}

/** Only while it reads may the thread keep its process alive. */
function hold(worker: TesseractWorker, held: boolean): void {
  const { worker: thread } = worker as unknown as { worker: { ref?(): void; unref?(): void } }
  if (held) thread.ref?.()
  else thread.unref?.()
}

/** What `work` gives; null when the deadline (performance.now) is over before. */
function before<T>(work: Promise<T>, deadline: number): Promise<T | null> {
  if (deadline === Infinity) return work
  return new Promise((resolve, reject) => {
    const left = Math.max(0, deadline - performance.now())
    const timer = setTimeout(() => resolve(null), left)
    // The kernel's own limit of time would load the kernel into every job's process.
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** tesseract.js in a worker thread of this process; `progress` gets 0..1 of the running page. */
export async function embeddedEngine(progress: (share: number) => void): Promise<Engine> {
  const ready = (): Promise<TesseractWorker> => {
    warm ??= startWorker()
    return warm.catch((error: unknown) => {
      warm = null
      throw error
    })
  }
  await ready()
  reportShare = progress
  return {
    turnsPages: false,
    async recognize(raster, deadline = Infinity) {
      const worker = await ready()
      const discard = async (): Promise<void> => {
        warm = null
        await worker.terminate()
      }
      hold(worker, true)
      const reading = worker.recognize(
        Buffer.from(raster.grey().pgm),
        {},
        { blocks: true, text: false },
      )
      const read = await before(reading, deadline).catch(async (error: unknown) => {
        // What broke once may be broken for good: the next image gets a new worker.
        await discard()
        throw error
      })
      if (read === null) {
        // It cannot be interrupted, only ended.
        await discard()
        return unread(raster)
      }
      const { data } = read
      hold(worker, false)
      const lines: BoxedWord[][] = []
      for (const block of data.blocks ?? [])
        for (const paragraph of block.paragraphs)
          for (const line of paragraph.lines)
            lines.push(
              line.words.map((w) => ({ text: w.text, ...w.bbox, confidence: w.confidence / 100 })),
            )
      return finish(lines, raster)
    },
  }
}

const BINARY_TIMEOUT_MS = 40_000

/** Output of a program fed by standard input; null when it cannot be run, fails or takes too long. */
function pipe(
  command: string,
  args: string[],
  input: Uint8Array | null,
  timeoutMs = BINARY_TIMEOUT_MS,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    })
    const chunks: Buffer[] = []
    child.on('error', () => resolve(null))
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : null))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? undefined)
  })
}

/** Lines of words of tesseract's TSV: level 5 rows carry box, confidence and text. */
function linesOfTsv(tsv: string): BoxedWord[][] {
  const lines = new Map<string, BoxedWord[]>()
  for (const row of tsv.split('\n')) {
    const columns = row.split('\t')
    if (columns[0] !== '5' || columns.length < 12) continue
    const [left, top, width, height] = columns.slice(6, 10).map(Number) as [
      number,
      number,
      number,
      number,
    ]
    const key = columns.slice(1, 5).join('.')
    const line = lines.get(key) ?? []
    lines.set(key, line)
    line.push({
      text: columns.slice(11).join('\t').trim(),
      x0: left,
      y0: top,
      x1: left + width,
      y1: top + height,
      confidence: Number(columns[10]) / 100,
    })
  }
  return [...lines.values()]
}

let listing: Promise<string | null> | null = null

/** The program with the languages it has, or null when it is not installed. */
async function binaryEngine(): Promise<Engine | null> {
  listing ??= pipe('tesseract', ['--list-langs'], null)
  const listed = await listing
  if (!listed) return null
  const installed = new Set(listed.split('\n').map((l) => l.trim()))
  const languages = ['eng', 'deu', 'fra', 'nld', 'spa', 'ita', 'por'].filter((l) =>
    installed.has(l),
  )
  if (languages.length === 0) return null
  return {
    turnsPages: false,
    async recognize(raster, deadline = Infinity) {
      const left = Math.ceil(deadline - performance.now())
      // Zero would mean no limit at all.
      if (left <= 0) return unread(raster)
      const tsv = await pipe(
        'tesseract',
        ['stdin', 'stdout', '-l', languages.slice(0, 3).join('+'), '--psm', '6', 'tsv'],
        raster.grey().pgm,
        Number.isFinite(left) ? left : BINARY_TIMEOUT_MS,
      )
      if (tsv === null && performance.now() >= deadline) return unread(raster)
      if (tsv === null) throw new Error('tesseract could not read the image')
      return finish(linesOfTsv(tsv), raster)
    },
  }
}

/** The networks, where the ONNX runtime has a build for this machine. */
async function neuralEngine(progress: (share: number) => void): Promise<Engine | null> {
  const networks = await openNeural(progress)
  if (!networks) return null
  return {
    turnsPages: true,
    async recognize(raster, deadline = Infinity) {
      const page = await networks.read(raster, deadline)
      const words = page.words.map((w) => ({ ...w, text: withoutDigitsInWords(w.text) }))
      return { ...page, words, legibility: legibilityOf(words) }
    },
  }
}

/**
 * The engine to use: the networks, else the `tesseract` program, else tesseract.js. `preferred`
 * 'embedded' never looks for the program.
 */
export async function openEngine(
  preferred: 'auto' | 'embedded',
  progress: (share: number) => void,
): Promise<Engine> {
  const neural = await neuralEngine(progress)
  if (neural) return neural
  const binary = preferred === 'auto' ? await binaryEngine() : null
  return binary ?? (await embeddedEngine(progress))
}
