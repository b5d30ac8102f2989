/** /llms.txt (llmstxt.org): how to buy here by each rail, and everything for sale with its price. */
import {
  type CatalogSnapshot,
  type DocumentedRail,
  listedSkills,
  type OperatorFacts,
} from '#kernel'
import { MCP_PATH, servesMcp } from '../shared/mcp/contract.ts'
import { oneLine, skillEntry } from './llms-skill.ts'
import { titleOf } from './openapi-parts.ts'
import type { OpenApiFacts } from './openapi.ts'

const SANDBOX = `
**This is a sandbox**: keys, credits and every other way to pay are for tests. Nothing here costs real money, and no payment to it should be signed with a wallet that holds some.
`

/** The text, generated from the mounted products and rails. */
export function llmsTxt(
  { publicUrl, operator, isSandbox }: Pick<OpenApiFacts, 'publicUrl' | 'operator' | 'isSandbox'>,
  snapshot: CatalogSnapshot,
  rails: readonly DocumentedRail[],
): string {
  const byProduct = Map.groupBy(
    listedSkills(snapshot).filter((mounted) => mounted.route),
    (mounted) => mounted.product.title,
  )
  const products = [...byProduct].map(
    ([title, skills]) =>
      `### ${oneLine(title)}\n\n${skills.map((skill) => skillEntry(publicUrl, skill)).join('\n')}`,
  )
  const documents = rails.flatMap((rail) => rail.documents?.() ?? [])
  const again = rails
    .filter(({ keepsAnswers }) => keepsAnswers)
    .map((rail) => ` The same ${titleOf(rail)} payment sent again gives the same answer again.`)
    .join('')
  const links = documents
    .flatMap((one) => one.links ?? [])
    .map(({ title, path }) => `- [${title}](${publicUrl}${path})\n`)
  return `# Coinop

> A coin-operated gateway: small machine work for programs and AI agents, paid one call at a time. 1 credit = USD 0.01 = 10000 USDC atomic units. Work that failed is never charged.
${isSandbox ? SANDBOX : ''}
## How to pay

${documents.map(({ howToPay }) => `- ${howToPay}`).join('\n')}
- Retrying: send an \`Idempotency-Key\`; the same key and body never charge twice within 24 hours.${again}
- Every answer says what it cost: \`X-Charged-Credits\`, \`X-Payment-Rail\`, \`X-Request-Id\`; a stream that is charged at its end says what is held: \`X-Held-Credits\`. Where a price follows use, \`X-Usage\` says what was measured (\`page=3\`), and \`X-Price-Capped: 1\` that it came to more than the maximum, which was charged.
- Errors are \`{"error": {"code", "message", "retryable", "requestId", "details"}}\`; retry only when \`retryable\` is true, and after \`Retry-After\` seconds where the answer has that header. Without an API key a 402 has the message as \`error\` and that object as \`problem\`.

## For sale

${products.join('\n\n')}

## Machine-readable

- [OpenAPI](${publicUrl}/openapi.json)
- [Prices](${publicUrl}/v1/prices)
- [Products](${publicUrl}/v1/products): of one product with the schemas of its skills, \`${publicUrl}/v1/products/{product_id}\`
${links.join('')}${servesMcp(snapshot) ? mcpEntry(publicUrl + MCP_PATH) : ''}${operatorPart(operator)}`
}

function mcpEntry(url: string): string {
  return `- [MCP endpoint](${url}): the same skills as tools, streamable HTTP. Models of OpenAI and Anthropic take no dots in tool names: \`${url}?names=underscore\` lists the same tools without\n`
}

/** Whose gateway it is; nothing where the operator says nothing. */
function operatorPart({ name, termsUrl, privacyUrl, supportUrl }: OperatorFacts): string {
  const links = [
    { title: 'Terms', url: termsUrl },
    { title: 'Privacy', url: privacyUrl },
    { title: 'Support', url: supportUrl },
  ].flatMap(({ title, url }) => (url === null ? [] : `- [${title}](${url})\n`))
  if (name === null && links.length === 0) return ''
  return `\n## Operator\n\n${name === null ? '' : `Run by ${name}.\n\n`}${links.join('')}`
}
