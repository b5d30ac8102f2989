/** Inputs and results of the two skills (spec: relay result, replay result). */
import { Type } from 'typebox'
import { DELIVERY_ID } from './ids.ts'

/** Any text: an id that does not exist is 404, whatever it looks like. */
const Id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

export const IngressInput = Type.Object(
  {
    id: Id('Id of the endpoint, ep_…'),
    deliveryId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "The event's own id; the same id within 24 hours is a duplicate",
      }),
    ),
    body: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          'The payload, when it is no object or has a member named id: given as the only other field it is forwarded as it is, text byte for byte',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'All other fields are the JSON body that the destinations get',
  },
)

export const IngressOutput = Type.Object({
  accepted: Type.Boolean({ description: 'Stored; it will be forwarded' }),
  duplicate: Type.Boolean(),
  delivery_id: Type.String({ pattern: DELIVERY_ID }),
  status: Type.Enum(['accepted', 'retrying', 'forwarded', 'partial', 'failed', 'duplicate'], {
    description: 'After the first attempt; `accepted` while it is still under way',
  }),
  challenge: Type.Optional(
    Type.String({ description: 'Of a `url_verification` of Slack, which wants it back' }),
  ),
})

export const ReplayInput = Type.Object(
  { id: Id('Id of the delivery, dlv_…') },
  { additionalProperties: false },
)

export const ReplayOutput = Type.Object({
  replayed: Type.Boolean({ description: 'At least one destination took it' }),
  status: Type.Enum(['forwarded', 'partial', 'failed', 'conflict']),
  delivery_id: Type.String({ pattern: DELIVERY_ID }),
  error: Type.Optional(Type.Literal('not_replayable')),
})
