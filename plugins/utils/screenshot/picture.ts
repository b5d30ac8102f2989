/** The picture, the PDF or the document of a page that has settled. */
import { invalid, type Failure } from '#kernel'
import { isBlank, showsSomething } from './blank.ts'
import { inspect } from './inspect.ts'
import { HEIGHT_MAX, heightOf, orNull } from './settle.ts'
import type { Area, DrawnPage, Picture } from './shot.ts'
import { scaleOf } from './view.ts'
import type { Visit } from './visit.ts'

const JPEG_QUALITY = 85
/** What the format itself can hold (RFC 9649 §2.5: 14 bits of height), in device pixels. */
const WEBP_HEIGHT_MAX = 16_383
/** A4 at 96 pixels to the inch. */
const PAPER = { width: 794, height: 1123 }
/** Longest document that is taken. */
const HTML_MAX = 10 * 1024 * 1024
/** The markup of the page, with its open shadow trees as markup too where there are any. */
const HTML = `(() => {
  const root = document.documentElement
  if (!root) return ''
  const shadowRoots = []
  const collect = (parent) => {
    for (const element of parent.querySelectorAll('*')) {
      if (!element.shadowRoot) continue
      shadowRoots.push(element.shadowRoot)
      collect(element.shadowRoot)
    }
  }
  collect(root)
  const whole =
    shadowRoots.length > 0 && root.getHTML
      ? root.cloneNode(false).outerHTML.replace('</html>', '') + root.getHTML({ shadowRoots }) + '</html>'
      : root.outerHTML
  return whole.slice(0, ${HTML_MAX})
})()`

/** The document as the page's scripts left it. */
export async function takeDocument(visit: Visit): Promise<DrawnPage | Failure> {
  const html = await orNull(inspect(visit.page, HTML), visit.captureMs())
  const wrong = visit.wrong()
  if (wrong) return wrong
  if (typeof html !== 'string') return visit.notCaptured()
  return { ok: true, url: visit.shownUrl(), html }
}

/** The picture in the format that was asked for; a PDF where that is one. */
export async function takePicture(visit: Visit): Promise<Picture | Failure> {
  const { page, shot } = visit
  const { format } = shot
  if (format === 'pdf') return takePaper(visit)
  const framed = await frameOf(visit)
  if ('ok' in framed) return framed
  const { size, clip, cutFrom } = framed
  const taken = page.screenshot({
    type: format === 'html' ? 'png' : format,
    encoding: 'base64',
    optimizeForSpeed: format === 'png',
    ...(format !== 'png' && { quality: shot.quality ?? JPEG_QUALITY }),
    ...(clip && { clip, captureBeyondViewport: true }),
  })
  const base64 = await orNull(taken, visit.captureMs())
  // A navigation during the capture may have been refused, and then the picture is of an error.
  const wrong = visit.wrong()
  if (wrong) return wrong
  // The browser gives an empty file where its encoder failed.
  if (base64 === null || base64 === '') return visit.notCaptured()
  const scale = scaleOf(shot)
  return {
    ok: true,
    url: visit.shownUrl(),
    width: Math.round(size.width * scale),
    height: Math.round(size.height * scale),
    base64,
    isBlank: await isBlankPicture(visit, base64, size, clip),
    ...(cutFrom !== undefined && { cutFrom }),
  }
}

/** Looks at a lossless picture; one of other formats is taken where theirs is suspiciously small. */
async function isBlankPicture(
  visit: Visit,
  base64: string,
  { width, height }: { width: number; height: number },
  clip: Area | undefined,
): Promise<boolean> {
  const { page, shot } = visit
  if (shot.format === 'png') return isBlank(Buffer.from(base64, 'base64'))
  const pixels = width * height * scaleOf(shot) ** 2
  if (showsSomething(Buffer.byteLength(base64, 'base64'), pixels)) return false
  const looking = page.screenshot({
    encoding: 'base64',
    optimizeForSpeed: true,
    ...(clip && { clip, captureBeyondViewport: true }),
  })
  const look = await orNull(looking, visit.captureMs())
  return look !== null && isBlank(Buffer.from(look, 'base64'))
}

interface Framed {
  /** CSS pixels. */
  size: { width: number; height: number }
  /** No clip is the window. */
  clip?: Area
  /** Height of the whole in CSS pixels, where it was cut. */
  cutFrom?: number
}

/** What of the page is captured. */
async function frameOf(visit: Visit): Promise<Framed | Failure> {
  const { page, shot } = visit
  const { width, height, fullPage, selector, clip, format } = shot
  const deviceMax = format === 'webp' ? Math.min(HEIGHT_MAX, WEBP_HEIGHT_MAX) : HEIGHT_MAX
  const heightMax = Math.floor(deviceMax / scaleOf(shot))
  const cut = (area: Area): Framed => {
    const cutHeight = Math.min(area.height, heightMax)
    return {
      size: { width: area.width, height: cutHeight },
      clip: { ...area, height: cutHeight },
      ...(cutHeight < area.height && { cutFrom: area.height }),
    }
  }
  if (selector !== undefined) {
    const unseen = await visit.unseen('/selector', selector)
    if (unseen) return unseen
    const place = await orNull(inspect(page, placeOf(selector)), visit.captureMs())
    if (!Array.isArray(place)) return visit.notCaptured()
    const [x, y, wide, high] = place.map(Number) as [number, number, number, number]
    if (wide < 1 || high < 1)
      return invalid([{ path: '/selector', message: 'names an element without size' }])
    // What lies left of the page or above it cannot be seen, and is not captured.
    const [width, height] = [wide + Math.min(0, x), high + Math.min(0, y)]
    if (width < 1 || height < 1)
      return invalid([{ path: '/selector', message: 'names an element outside of the page' }])
    return cut({
      x: Math.max(0, x),
      y: Math.max(0, y),
      width: Math.min(Math.ceil(width), heightMax),
      height: Math.ceil(height),
    })
  }
  if (clip) return cut(clip)
  if (!fullPage) return { size: { width, height } }
  const whole = await heightOf(page, visit.captureMs())
  // The part that the window shows is not what was asked for.
  if (whole === null) return visit.notCaptured()
  return cut({ x: 0, y: 0, width, height: Math.max(height, whole) })
}

/**
 * Left, top, width and height of the first element of a selector on the page. Asked in one go: pages
 * replace their elements between two questions.
 */
const placeOf = (selector: string): string => `(() => {
  const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect()
  return box ? [box.x + window.scrollX, box.y + window.scrollY, box.width, box.height] : null
})()`

async function takePaper(visit: Visit): Promise<Picture | Failure> {
  const { page } = visit
  const printing = page.pdf({
    format: 'A4',
    printBackground: true,
    // Waited for already, as long as that makes sense.
    waitForFonts: false,
    timeout: visit.captureMs(),
  })
  const bytes = await orNull(printing, visit.captureMs())
  const wrong = visit.wrong()
  if (wrong) return wrong
  if (bytes === null) return visit.notCaptured()
  const base64 = Buffer.from(bytes).toString('base64')
  const look = await orNull(page.screenshot({ encoding: 'base64' }), visit.captureMs())
  const isBlankPaper = look !== null && (await isBlank(Buffer.from(look, 'base64')))
  const text = await orNull(
    inspect(page, 'document.body ? document.body.innerText.length : 0'),
    1_000,
  )
  return {
    ok: true,
    url: visit.shownUrl(),
    ...PAPER,
    base64,
    isBlank: isBlankPaper && text === 0,
  }
}
