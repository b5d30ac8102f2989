/** What utils.extract and utils.extract_batch take and give: one page or text at a time, or many pages. */
import { type Static, Type } from 'typebox'
import { PAGE_FORMATS } from './formats.ts'

const TEXT_MAX = 10_000_000

/** Request headers that a caller may set; the rest says who we are or how we speak. */
const SENT_HEADERS = ['accept', 'accept-language', 'authorization', 'cookie', 'referer'] as const

const Schema = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      'JSON Schema of the wanted data, or short: {"price": "number"}. Only its keys come back, unknown ones as null.',
  }),
)
const Instruction = Type.Optional(
  Type.String({ maxLength: 500, description: 'What to extract, in words.' }),
)
const RequireLlm = Type.Optional(
  Type.Boolean({ description: 'Fail, uncharged, without an enrichment model.' }),
)
const Url = Type.String({
  maxLength: 8192,
  description: 'http(s) URL of a public page; robots.txt is respected.',
})

const Render = Type.Optional(
  Type.Boolean({ description: 'Draw the page in a browser first, with its scripts.' }),
)
const WaitFor = Type.Optional(
  Type.Union(
    [Type.String({ minLength: 1, maxLength: 500 }), Type.Integer({ minimum: 0, maximum: 10_000 })],
    { description: 'With render: CSS selector to wait for, or milliseconds.' },
  ),
)
const Formats = Type.Optional(
  Type.Array(Type.Enum([...PAGE_FORMATS]), {
    maxItems: PAGE_FORMATS.length,
    description: 'Other forms of the page, beside data.',
  }),
)
/** `check` looks at its characters: a pattern would be repeated for each name in every tool. */
const HeaderValue = Type.String({ maxLength: 4096 })
const Headers = Type.Optional(
  Type.Object(Object.fromEntries(SENT_HEADERS.map((name) => [name, Type.Optional(HeaderValue)])), {
    additionalProperties: false,
    description: 'Sent to the site of url, and to no other that it redirects to; not with render.',
  }),
)

/** What is wanted of every page, whatever it is. */
const WISH = {
  instruction: Instruction,
  schema: Schema,
  require_llm: RequireLlm,
  render: Render,
  wait_for: WaitFor,
  formats: Formats,
  headers: Headers,
}

export const Input = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description: 'Plain text, Markdown, CSV or JSON.',
      }),
    ),
    html: Type.Optional(
      Type.String({ minLength: 1, maxLength: TEXT_MAX, description: 'An HTML document.' }),
    ),
    url: Type.Optional(Url),
    ...WISH,
  },
  { additionalProperties: false },
)
export const WebpageInput = Type.Object(
  {
    url: Url,
    ...WISH,
  },
  { additionalProperties: false },
)
/** Most pages of one batch. */
export const URLS_MAX = 100
export const BatchInput = Type.Object(
  {
    urls: Type.Array(Url, {
      minItems: 1,
      maxItems: URLS_MAX,
      uniqueItems: true,
    }),
    ...WISH,
  },
  { additionalProperties: false },
)

const OUTPUT = {
  data: Type.Unknown({ description: 'Shaped by the schema; without one, all that was found.' }),
  formats: Type.Optional(
    Type.Object({
      markdown: Type.Optional(Type.String()),
      html: Type.Optional(Type.String()),
      links: Type.Optional(Type.Array(Type.Object({ text: Type.String(), url: Type.String() }))),
      images: Type.Optional(Type.Array(Type.String())),
      metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  meta: Type.Object({
    source: Type.Enum(['text', 'html', 'url']),
    path: Type.Record(Type.String(), Type.String(), {
      description: 'JSON pointer into data → where the value was found.',
    }),
    engine: Type.String(),
    url: Type.Optional(Type.String({ description: 'The address that answered.' })),
    title: Type.Optional(Type.String()),
    confidence: Type.Optional(Type.Number({ description: 'Share of wanted values found, 0..1.' })),
    enrichment: Type.Optional(
      Type.Object({
        model: Type.String(),
        fields: Type.Array(Type.String(), { description: 'Pointers of values from the model.' }),
        dropped: Type.Integer({ description: 'Values of the model that the input does not say.' }),
        error: Type.Optional(Type.String()),
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
        description:
          'nothing_found: no value at all; such an answer is not charged. cut: a list is shown in part.',
      }),
    ),
  }),
}
export const Output = Type.Object(OUTPUT)
export const BatchOutput = Type.Object({
  results: Type.Array(
    Type.Object({
      url: Type.String({ description: 'As it was given.' }),
      ...Type.Partial(Type.Object(OUTPUT)).properties,
      error: Type.Optional(
        Type.Object({
          code: Type.String(),
          message: Type.String(),
          retryable: Type.Boolean(),
          details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        }),
      ),
    }),
    { description: 'One for each of urls, in its order: data and meta, or error.' },
  ),
  meta: Type.Object({
    charged: Type.Integer({ description: 'Pages that gave a result; only they are charged.' }),
    failed: Type.Integer(),
  }),
})
export const NOTHING_FOUND = {
  code: 'nothing_found',
  message: 'The input says nothing that was asked for; this answer is not charged',
}
export type ExtractInput = Static<typeof Input>
export type BatchInput = Static<typeof BatchInput>
