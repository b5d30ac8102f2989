/** /llms.txt (llmstxt.org): how to buy here in both rails, and everything for sale with its price. */
import { atomicToCredits, formatUsd } from '../money.ts'
import type { CatalogSnapshot, MountedSkill } from '../plugins/catalog.ts'
import { listedSkills } from '../products/visibility.ts'

/** The text, generated from the mounted products. */
export function llmsTxt(publicUrl: string, snapshot: CatalogSnapshot): string {
  const byProduct = Map.groupBy(
    listedSkills(snapshot).filter((mounted) => mounted.route),
    (mounted) => mounted.product.title,
  )
  const products = [...byProduct].map(
    ([title, skills]) =>
      `### ${title}\n\n${skills.map((skill) => line(publicUrl, skill)).join('\n')}`,
  )
  return `# Coinop

> A coin-operated gateway: small machine work for programs and AI agents, paid one call at a time. 1 credit = USD 0.01 = 10000 USDC atomic units. Work that failed is never charged.

## How to pay

- x402 (no account): call the route; the 402 answer carries \`PAYMENT-REQUIRED\` (x402 version 2). Sign one of its \`accepts\` and send the same request again with \`PAYMENT-SIGNATURE\`. Any x402 client does this by itself.
- Prepaid: send \`X-Api-Key: ck_…\`. \`GET /v1/credits/balance\` shows what is left. With a wallet only: \`POST /v1/credits/topup/x402 {"amountUsd": 1}\` and an \`Idempotency-Key\` of 16 characters or more sells a key with credits for one x402 payment; keep both, the key is shown again only under the same Idempotency-Key.
- Retrying: send an \`Idempotency-Key\`; the same key and body never charge twice within 24 hours. The same x402 payment sent again gives the same answer again.
- Every answer says what it cost: \`X-Charged-Credits\`, \`X-Payment-Rail\`, \`X-Request-Id\`.
- Errors are \`{"error": {"code", "message", "retryable", "requestId", "details"}}\`; retry only when \`retryable\` is true. Without an API key a 402 has the message as \`error\` and that object as \`problem\`.

## For sale

${products.join('\n\n')}

## Machine-readable

- [OpenAPI](${publicUrl}/openapi.json)
- [Prices](${publicUrl}/v1/prices)
- [Products](${publicUrl}/v1/products)
- [x402 discovery](${publicUrl}/.well-known/x402)
- [MCP endpoint](${publicUrl}/mcp): the same skills as tools, streamable HTTP
`
}

function line(publicUrl: string, mounted: MountedSkill): string {
  const { skill, route, metered, amountAtomic, tools } = mounted
  const price = metered
    ? `${atomicToCredits(amountAtomic)} credits ($${formatUsd(amountAtomic)})`
    : 'free'
  const names =
    tools.length > 0 ? `, tool ${tools.map((tool) => `\`${tool.name}\``).join(', ')}` : ''
  return `- [${skill.title}](${publicUrl}/docs): \`${route!.method} ${route!.path}\`, ${price}${names}. ${skill.description}`
}
