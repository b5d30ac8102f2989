/** What `details.reason` of the MCP adapter's own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  no_answer: {
    code: 'INVALID_INPUT',
    meaning: 'The tool asked the user or the model and got no answer.',
    fix: 'Call again with a client that answers its questions.',
  },
})
