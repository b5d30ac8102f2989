/** The public documents of the gateway: their texts, and the data that plugins make them from. */
import type { Rail } from '../rails/contract.ts'
import type { AccountPage } from '../rails/credits/account-pages.ts'
import type { RailAnswerHeader } from '../rails/offer-contract.ts'
import type { Route } from './route.ts'

/** The gateway's operator, from the configuration; null where nothing is set. */
export interface OperatorFacts {
  name: string | null
  logoUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
}

/** The public documents of the gateway, made by a plugin (`GatewayPart.documents`). */
export interface DocumentTexts {
  /** JSON text of GET /v1/prices. */
  prices(): string
  /** JSON text of /openapi.json. */
  openapi(): string
  /** Markdown text of /llms.txt. */
  llms(): string
}

/** The members of a rail that documents show. */
export type DocumentedRail = Pick<
  Rail,
  'id' | 'title' | 'precedence' | 'answerHeaders' | 'keepsAnswers' | 'documents'
>

/** The documents of the gateway, and the data for a plugin's own documents. */
export interface Documents extends DocumentTexts {
  /** For the plugin's own documents, so that all documents name the same operator. */
  readonly operator: OperatorFacts
  readonly contactEmail: string
  /** Version of the gateway. */
  readonly version: string
  /**
   * The mounted rails, prepaid credits first, for the plugin's own documents: the same array until
   * a rail comes or goes.
   */
  rails(): readonly DocumentedRail[]
  /** The routes of the gateway and of the mounted products. */
  routes(): readonly Route[]
  /** Descriptions of the groups of product routes, by tag. */
  tagDescriptions(): ReadonlyMap<string, string>
  /** Headers of every charged answer, whichever rail paid. */
  receiptHeaders(): readonly RailAnswerHeader[]
  /** Pages of mounted products that a page at `url` may link to. */
  homes(url: string): readonly { path: string; title: string }[]
  /** Where people buy credits and make keys; null while no product has pages for that. */
  accountPage(): AccountPage | null
  /** The public part of /ready; requests within the same half second share the checks. */
  readiness(): Promise<PublicReadiness>
}

export interface PublicReadiness {
  status: 'ready' | 'degraded' | 'unavailable'
  checks: Readonly<
    Record<string, { state: 'ok' | 'degraded' | 'down'; critical: boolean; latencyMs: number }>
  >
}
