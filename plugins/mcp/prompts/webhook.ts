/** webhook_relay. */
import { quoted, type PromptPlan } from './plan.ts'

export const webhookPrompt: PromptPlan = {
  name: 'webhook_relay',
  title: 'Relay a webhook',
  description: 'Sends an event through a webhook endpoint once, and replays it when asked to.',
  tool: 'relay.webhook',
  arguments: [
    { name: 'endpoint_id', description: 'The endpoint, ep_…', required: true },
    { name: 'payload', description: 'The event as a JSON object' },
    {
      name: 'delivery_id',
      description: 'Your own id of the event: the same id is relayed once in 24 hours',
    },
  ],
  text: ({ endpoint_id: id, payload, delivery_id: deliveryId }, tools) => {
    const replay = tools.has('replay.webhook')
      ? `\n4. To send a stored event again, and only when the user asks for it, call ${tools.priced('replay.webhook')} with the \`delivery_id\` of the result as \`id\`. It needs an API key, it is billed again, and the receivers get the event a second time. "not_replayable" means that a forward is still under way or the payload is gone: do not call again at once.`
      : ''
    return `Relay one event through the endpoint ${id} with ${tools.priced('relay.webhook')}.

1. Send \`id\` "${id}", the members of the event beside it, and \`deliveryId\`${deliveryId ? ` "${deliveryId}"` : ': an id of the event that stays the same when you retry, never a new random one per attempt'}.
2. Read \`status\`: "forwarded" reached every destination, "accepted" and "retrying" are still under way in the background, "failed" reached none. The price is charged for each successful forward; retries cost nothing.
3. \`duplicate\` true means that this event was relayed before and nothing was sent or charged now. That is a success: do not send it under another id.${replay}${quoted('The event', payload)}`
  },
}
