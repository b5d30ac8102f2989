/** utils.screenshot: a picture of a public web page, taken by one warm browser behind the guard. */
import { type Static, Type } from 'typebox'
import { defineSkill, type Failure, invalid, type Skill, type SkillContext, PURE } from '#kernel'
import { browse, type Browsing } from './browse.ts'
import { capture } from './capture.ts'
import type { Format } from './shot.ts'
import { DEVICE_VIEWS, DEVICES, type Device } from './view.ts'

const TIMEOUT_MS = 60_000

const FORMATS = ['png', 'jpeg', 'webp', 'pdf'] as const
const CONTENT_TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const

const Input = Type.Object(
  {
    url: Type.String({
      maxLength: 8192,
      description: 'http or https URL of a public page; robots.txt is respected.',
    }),
    viewport: Type.Optional(
      Type.Object(
        {
          width: Type.Optional(
            Type.Integer({ minimum: 320, maximum: 1920, description: 'Default 1280.' }),
          ),
          height: Type.Optional(
            Type.Integer({ minimum: 320, maximum: 1080, description: 'Default 800.' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    fullPage: Type.Optional(
      Type.Boolean({
        description: 'The whole page, at most 16384 pixels high.',
      }),
    ),
    format: Type.Optional(Type.Enum([...FORMATS], { description: 'Default png. pdf: A4 pages.' })),
    quality: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Of jpeg and webp. Default 85.' }),
    ),
    device: Type.Optional(
      Type.Enum([...DEVICES], {
        description: 'Default desktop; sets size, scale, touch and user agent.',
      }),
    ),
    scale: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, description: 'Device pixels of a CSS pixel.' }),
    ),
    dark: Type.Optional(Type.Boolean()),
    wait_for: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1, maxLength: 500 }),
          Type.Integer({ minimum: 0, maximum: 10_000 }),
        ],
        { description: 'CSS selector to wait for, or milliseconds.' },
      ),
    ),
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'CSS selector of the one element to show.',
      }),
    ),
    clip: Type.Optional(
      Type.Object(
        {
          x: Type.Integer({ minimum: 0, maximum: 16_384 }),
          y: Type.Integer({ minimum: 0, maximum: 16_384 }),
          width: Type.Integer({ minimum: 1, maximum: 1920 }),
          height: Type.Integer({ minimum: 1, maximum: 16_384 }),
        },
        { additionalProperties: false, description: 'Part of the page to show, in CSS pixels.' },
      ),
    ),
    hide_banners: Type.Optional(Type.Boolean({ description: 'Hides cookie and consent banners.' })),
  },
  { additionalProperties: false },
)
const Output = Type.Object({
  url: Type.String({ description: 'After redirects.' }),
  format: Type.Enum([...FORMATS]),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  content_type: Type.Enum(Object.values(CONTENT_TYPES)),
  image_base64: Type.String({ description: 'The file, a PDF too.' }),
  truncated: Type.Optional(Type.Boolean({ description: 'The page was cut at 16384 pixels.' })),
  page_height: Type.Optional(Type.Integer({ description: 'Before the cut, in CSS pixels.' })),
  blank: Type.Optional(Type.Boolean({ description: 'Every pixel is the same.' })),
  banners_hidden: Type.Optional(Type.Integer()),
})
type ScreenshotInput = Static<typeof Input>

async function run(ctx: SkillContext, input: ScreenshotInput, browsing: Browsing) {
  const format = (input.format ?? 'png') as Format
  const device = (input.device ?? 'desktop') as Device
  const view = DEVICE_VIEWS[device]
  const picture = await browse(ctx, browsing, input.url, (browser, url, options) =>
    capture(
      browser,
      {
        url,
        width: input.viewport?.width ?? view.width,
        height: input.viewport?.height ?? view.height,
        device,
        fullPage: input.fullPage ?? false,
        format,
        ...(input.scale !== undefined && { scale: input.scale }),
        ...(input.dark && { isDark: true }),
        ...(input.quality !== undefined && { quality: input.quality }),
        ...(input.wait_for !== undefined && { waitFor: input.wait_for }),
        ...(input.selector !== undefined && { selector: input.selector }),
        ...(input.clip && { clip: input.clip }),
        ...(input.hide_banners && { hidesBanners: true }),
      },
      options,
    ),
  )
  if (!picture.ok) return picture
  const { base64, cutFrom, isBlank, bannersHidden } = picture
  return {
    ok: true as const,
    // A picture of nothing is no work that anybody pays for.
    ...(isBlank && { bill: 'release' as const }),
    output: {
      url: picture.url,
      format,
      width: picture.width,
      height: picture.height,
      bytes: Buffer.byteLength(base64, 'base64'),
      content_type: CONTENT_TYPES[format],
      image_base64: base64,
      ...(cutFrom !== undefined && { truncated: true, page_height: cutFrom }),
      ...(isBlank && { blank: true }),
      ...(bannersHidden !== undefined && { banners_hidden: bannersHidden }),
    },
  }
}

/** The skill utils.screenshot (tool capture.screenshot). */
export function screenshotSkill(browsing: Browsing): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.screenshot',
    tools: [{ name: 'capture.screenshot' }],
    title: 'Screenshot of a web page',
    description:
      'Loads a public page in a browser and returns it as PNG, JPEG, WebP or PDF (base64, or the file for Accept: image/png and so on): the window, the whole page, one element or a part. Waits for the network to be quiet; full pages are scrolled through so that lazy content is there. Error and blank pages are not charged.',
    input: Input,
    output: Output,
    annotations: { ...PURE, openWorldHint: true },
    example: {
      input: { url: 'https://example.com/', viewport: { width: 1280, height: 800 }, format: 'png' },
    },
    limits: { timeoutMs: TIMEOUT_MS },
    content: ({ image_base64, content_type, url }) => [
      content_type === 'application/pdf'
        ? { type: 'resource', resource: { uri: url, mimeType: content_type, blob: image_base64 } }
        : { type: 'image', data: image_base64, mimeType: content_type },
    ],
    check(_ctx, input): Failure | void {
      if (!/^https?:\/\//i.test(input.url)) {
        const message = 'must begin with http:// or https://, as https://example.com/ does'
        return invalid([{ path: '/url', message }])
      }
      const given = (['fullPage', 'selector', 'clip'] as const).filter((name) => input[name])
      if (given.length > 1) {
        const message = `and ${given[0]} are different parts of the page: give one of them`
        return invalid([{ path: `/${given[1]}`, message }])
      }
      const isPaper = input.format === 'pdf'
      if (isPaper && given[0] && given[0] !== 'fullPage')
        return invalid([{ path: `/${given[0]}`, message: 'is not for pdf, which prints the page' }])
    },
    handler: (ctx, input) => run(ctx, input, browsing),
  })
}
