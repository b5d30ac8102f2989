/** How OpenAPI, /llms.txt and the MCP server describe payment with prepaid credits. */
import type { RailDocuments } from '../offer-contract.ts'

/** A route that sells credits. */
export interface CreditSource {
  /** The member of `prepaid` in a 402 that holds the route's path. */
  name: string
  path: string
  /** Sentences in Markdown. */
  howToBuy: string
}

export function creditsDocuments(sources: readonly CreditSource[]): RailDocuments {
  const howToPay = [
    'Prepaid: send `X-Api-Key: ck_…`. `GET /v1/credits/balance` shows what is left.',
    ...sources.map(({ howToBuy }) => howToBuy),
  ]
  return {
    summary: 'prepaid credits (X-Api-Key)',
    guidance: 'send X-Api-Key',
    howToPay: howToPay.join(' '),
    offerProperties: {
      prepaid: {
        type: 'object',
        properties: {
          rail: { type: 'string' },
          priceCredits: { type: 'number', description: 'Held, and the most that a call costs' },
          priceUsdcAtomic: { type: 'string' },
          // The component of the OpenAPI document.
          rule: { $ref: '#/components/schemas/Price' },
          topup: { type: 'string', description: 'The route by which a program buys credits' },
          buyUrl: { type: 'string', description: 'The page where a person buys credits' },
          accountUrl: { type: 'string', description: 'The page where a person sees the account' },
        },
      },
    },
    mcpInstructions: 'send the header X-Api-Key (prepaid credits)',
  }
}
