/** utils.screenshot: a picture of a public web page, taken by one warm browser behind the guard. */
import { type Static, Type } from 'typebox'
import {
  defineSkill,
  fail,
  KERNEL_REASONS,
  type Failure,
  type Outbound,
  type Skill,
  type SkillContext,
  PURE,
} from '#kernel'
import { shareFull } from '#skillkit'
import { refusalFailure } from '../refusals.ts'
import type { BrowserKeeper, KeeperRefusal } from './browser/keeper.ts'
import { capture } from './capture.ts'
import { REASONS } from '../reasons.ts'

const TIMEOUT_MS = 60_000
/** Leaves the gateway time to close the page and answer before its own limit. */
const CAPTURE_TIMEOUT_MS = 45_000

const Input = Type.Object(
  {
    url: Type.String({
      maxLength: 8192,
      pattern: '^[hH][tT][tT][pP][sS]?://',
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
        description: 'The whole page, scrolled through first; at most 16384 pixels high.',
      }),
    ),
    format: Type.Optional(Type.Enum(['png', 'jpeg'], { description: 'Default png.' })),
  },
  { additionalProperties: false },
)
const Output = Type.Object({
  url: Type.String({ description: 'The address that is shown, after redirects.' }),
  format: Type.Enum(['png', 'jpeg']),
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
  bytes: Type.Integer({ description: 'Size of the image.' }),
  content_type: Type.Enum(['image/png', 'image/jpeg']),
  image_base64: Type.String(),
})
type ScreenshotInput = Static<typeof Input>

const FAILED = {
  absent: REASONS.browser,
  launch: REASONS.browser,
  busy: REASONS.busy,
  stopped: KERNEL_REASONS.stopped,
  page_memory: REASONS.page_memory,
  browser_memory: REASONS.browser_memory,
}

function keeperFailure({ reason, message }: KeeperRefusal): Failure {
  if (reason === 'aborted')
    return fail('TIMEOUT', message, { details: { reason: KERNEL_REASONS.aborted } })
  if (reason === 'share_full') return shareFull('pages')
  const isPassing = reason === 'busy' || reason === 'stopped' || reason === 'browser_memory'
  return fail('PROCESSING_FAILURE', message, {
    retryable: isPassing,
    details: { reason: FAILED[reason] },
    ...(isPassing && { headers: { 'retry-after': '2' } }),
  })
}

async function run(
  ctx: SkillContext,
  input: ScreenshotInput,
  keeper: BrowserKeeper,
  outbound: Outbound,
) {
  const format = (input.format ?? 'png') as 'png' | 'jpeg'
  // Refused targets end here, before a browser is started for them.
  const target = await outbound.check(input.url, { signal: ctx.signal })
  if (!target.ok) return refusalFailure(target)
  const allowed = await outbound.robots(input.url, { signal: ctx.signal })
  if (!allowed.ok) return refusalFailure(allowed)
  const shot = {
    url: target.url.href,
    width: input.viewport?.width ?? 1280,
    height: input.viewport?.height ?? 800,
    fullPage: input.fullPage ?? false,
    format,
  }
  let used
  try {
    used = await keeper.use(
      (browser) =>
        capture(browser, shot, {
          outbound,
          signal: ctx.signal,
          timeoutMs: CAPTURE_TIMEOUT_MS,
          onStuck: () => keeper.retire(browser),
        }),
      { signal: ctx.signal, share: ctx.caller.share },
    )
  } catch (error) {
    ctx.log.error({ error: String(error) }, 'screenshot failed')
    return fail('PROCESSING_FAILURE', 'The browser failed while it took the screenshot', {
      retryable: true,
      details: { reason: REASONS.browser },
    })
  }
  if (!used.ok) return keeperFailure(used)
  const picture = used.value
  if (!picture.ok) return picture
  return {
    ok: true as const,
    output: {
      url: picture.url,
      format,
      width: picture.width,
      height: picture.height,
      bytes: Buffer.byteLength(picture.base64, 'base64'),
      content_type: format === 'png' ? ('image/png' as const) : ('image/jpeg' as const),
      image_base64: picture.base64,
    },
  }
}

/** The skill utils.screenshot (tool capture.screenshot). */
export function screenshotSkill(
  keeper: BrowserKeeper,
  outbound: Outbound,
): Skill<unknown, typeof Input, typeof Output> {
  return defineSkill<typeof Input, typeof Output>({
    id: 'utils.screenshot',
    tools: [{ name: 'capture.screenshot' }],
    title: 'Screenshot of a web page',
    description:
      'Loads a public page in a browser and returns it as PNG or JPEG (base64). Waits for the network to be quiet; full pages are scrolled through so that lazy content is there. Error pages are not charged.',
    input: Input,
    output: Output,
    annotations: { ...PURE, openWorldHint: true },
    example: {
      input: { url: 'https://example.com/', viewport: { width: 1280, height: 800 }, format: 'png' },
    },
    limits: { timeoutMs: TIMEOUT_MS },
    content: ({ image_base64, content_type }) => [
      { type: 'image', data: image_base64, mimeType: content_type },
    ],
    handler: (ctx, input) => run(ctx, input, keeper, outbound),
  })
}
