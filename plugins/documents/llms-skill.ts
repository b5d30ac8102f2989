/**
 * What /llms.txt says of one skill: enough to call it without reading anything else. What is long is
 * left to the JSON view of the product, so that the whole text stays one that a model can take in.
 */
import { formatUsd, isFlatPrice, type MountedSkill, priceWithExample } from '#kernel'
import { curlOf } from '../shared/documents/example-call.ts'

const SCHEMA_CHARS = 1200
const EXAMPLE_CHARS = 600

/** Markdown of a skill that has a route: price, input schema, example and curl. */
export function skillEntry(publicUrl: string, mounted: MountedSkill): string {
  const { skill, product } = mounted
  const view = `${publicUrl}/v1/products/${encodeURIComponent(product.id)}`
  return [
    headLine(view, mounted),
    `  - Input: ${inputText(skill.input, view)}`,
    ...exampleLines(publicUrl, mounted),
  ].join('\n')
}

function headLine(view: string, mounted: MountedSkill): string {
  const { skill, route, metered, amountAtomic, price: rule, tools } = mounted
  const most = isFlatPrice(rule) ? '' : 'at most '
  const price = metered ? `${priceWithExample(rule)} (${most}$${formatUsd(amountAtomic)})` : 'free'
  const names =
    tools.length > 0 ? `, tool ${tools.map((tool) => `\`${tool.name}\``).join(', ')}` : ''
  const title = oneLine(skill.title).replaceAll(/[\\[\]]/g, '\\$&')
  return `- [${title}](${view}): \`${route!.method} ${route!.path}\`, ${price}${names}. ${oneLine(skill.description)}`
}

/** A text of a spec, whose headings and lists would otherwise become ones of the whole document. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The schema, or what it asks for where it is long. */
function inputText(schema: object, view: string): string {
  const whole = JSON.stringify(schema)
  if (whole.length <= SCHEMA_CHARS) return code(whole)
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: unknown }>
    required?: string[]
  }
  const members = Object.entries(properties).map(([name, { type }]) => {
    const kind = typeof type === 'string' ? ` ${type}` : ''
    return `\`${name}\`${kind}${required.includes(name) ? ' (required)' : ''}`
  })
  return `an object of ${members.join(', ')}; the whole schema is \`input\` of the skill in [JSON](${view})`
}

function exampleLines(publicUrl: string, mounted: MountedSkill): string[] {
  const { example } = mounted.skill
  const input = JSON.stringify(example?.input ?? {})
  const output = example?.output === undefined ? null : JSON.stringify(example.output)
  const answer = output !== null && output.length <= EXAMPLE_CHARS ? ` → ${code(output)}` : ''
  return [
    ...(example && input.length <= EXAMPLE_CHARS ? [`  - Example: ${code(input)}${answer}`] : []),
    ...(input.length <= EXAMPLE_CHARS
      ? [`  - Call: ${code(curlOf(publicUrl, mounted, ' '))}`]
      : []),
  ]
}

/** A code span around text that may have backticks of its own (CommonMark 6.1). */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? []
  if (runs.length === 0) return `\`${text}\``
  const fence = '`'.repeat(Math.max(...runs.map((one) => one.length)) + 1)
  return `${fence} ${text} ${fence}`
}
