/** What `details.reason` of docintel's own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  enrichment_unavailable: {
    code: 'PROCESSING_FAILURE',
    meaning: 'Tier L needs a model, and this server has none configured.',
    fix: 'Ask for tier S, M or `auto`.',
  },
  enrichment_failed: {
    code: 'PROCESSING_FAILURE',
    retryable: true,
    meaning: 'The model that tier L needs did not answer.',
    fix: 'Try again, or ask for tier S, M or `auto`.',
  },
})
