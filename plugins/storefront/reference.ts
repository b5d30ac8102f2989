/** The API reference at /docs, made of the OpenAPI document: what is sold first, the operator's last. */
import { escaped, jsonBlock, pageOf, type PageFacts } from './markup.ts'

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: object }[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  'x-payment-info'?: { price: { amount?: string; max?: string } }
}
interface Document {
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
}

interface Placed {
  method: string
  path: string
  operation: Operation
}

/** HTML of the reference. `openapi` is the text of /openapi.json, `skillPages` leads operation ids to pages. */
export function referencePage(
  facts: Omit<PageFacts, 'title' | 'description'>,
  openapi: string,
  skillPages: ReadonlyMap<string, string>,
): string {
  const document = JSON.parse(openapi) as Document
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const byTag = Map.groupBy(placed, ({ operation }) => operation.tags?.[0] ?? 'Other')
  const isSold = ({ operation }: Placed): boolean => skillPages.has(operation.operationId)
  const groups = document.tags.flatMap(({ name, description }) => {
    const all = byTag.get(name) ?? []
    return all.length > 0 ? [{ name, description, all }] : []
  })
  const section = (name: string, description: string | undefined, list: readonly Placed[]) =>
    `<section><h3>${escaped(name)}</h3>${description ? `<p class="quiet">${escaped(description)}</p>` : ''}${list.map((one) => operationOf(one, skillPages)).join('')}</section>`
  const part = (title: string, fits: (one: Placed) => boolean): string => {
    const sections = groups.flatMap(({ name, description, all }) => {
      const list = all.filter(fits)
      return list.length > 0 ? [section(name, description, list)] : []
    })
    return sections.length > 0 ? `<h2>${title}</h2>${sections.join('')}` : ''
  }
  const body = `<h1>API reference</h1><p class="lead">Generated from <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). Prices and examples stand first; routes of the operator last.</p>
${part('What is sold', isSold)}
${part('Keys, credits and documents', (one) => !isSold(one) && !isOperators(one))}
${part('For the operator', (one) => !isSold(one) && isOperators(one))}`
  return pageOf(
    {
      ...facts,
      title: 'API reference',
      description: 'Every route with its price, input and answers.',
    },
    body,
  )
}

/** Bearer alone opens it: the admin token. */
function isOperators({ operation }: Placed): boolean {
  const { security = [] } = operation
  return security.length === 1 && Object.keys(security[0]!).join() === 'bearer'
}

function operationOf(
  { method, path, operation }: Placed,
  skillPages: ReadonlyMap<string, string>,
): string {
  const asked = operation['x-payment-info']?.price
  const price = asked?.amount ?? asked?.max
  const most = asked && asked.amount === undefined ? 'at most ' : ''
  const page = skillPages.get(operation.operationId)
  const body = operation.requestBody?.content['application/json']
  const answers = Object.entries(operation.responses)
    .map(
      ([status, { description }]) =>
        `<tr><th scope="row">${status}</th><td>${escaped(description)}</td></tr>`,
    )
    .join('')
  const done = Object.entries(operation.responses).find(([status]) => status < '300')?.[1]
  const output = done?.content?.['application/json']?.schema
  const named = (operation.parameters ?? []).filter(({ name }) => name !== undefined)
  return `<details id="${escaped(operation.operationId)}"><summary><span class="method">${method.toUpperCase()}</span><code>${escaped(path)}</code> ${escaped(operation.summary ?? '')}${price ? ` <strong>${most}$${escaped(price)}</strong>` : ''}</summary>
${operation.description ? `<p>${escaped(operation.description)}</p>` : ''}${page ? `<p><a href="${escaped(page)}">Example, answer and something to try</a></p>` : ''}
${named.length > 0 ? `<div class="table" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Schema</th></tr></thead><tbody>${named.map((one) => `<tr><td><code>${escaped(one.name!)}</code>${one.required ? ' *' : ''}</td><td>${escaped(one.in ?? '')}</td><td><code>${escaped(JSON.stringify(one.schema ?? {}))}</code></td></tr>`).join('')}</tbody></table></div>` : ''}
${body?.example === undefined ? '' : `<h4>Example</h4>${jsonBlock(body.example, 'Example input')}`}
${body ? `<h4>Input</h4>${jsonBlock(body.schema, 'Schema of the input')}` : ''}
${output ? `<h4>Output</h4>${jsonBlock(output, 'Schema of the output')}` : ''}
<h4>Answers</h4><div class="table" tabindex="0" role="region" aria-label="Answers"><table><tbody>${answers}</tbody></table></div></details>`
}
