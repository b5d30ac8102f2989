/** Steps on the webhook relay: endpoints made and deleted, webhooks sent, delivered and sent again. */
import { newId } from '../../../kernel/ids.ts'
import {
  affordable,
  allows,
  canBuy,
  FORWARD_PRICE,
  isFor,
  type Delivery,
  type Endpoint,
  type Key,
} from './model.ts'
import { credit } from './accounts.ts'
import { signedHeaders } from './hooks.ts'
import { untilClear } from './until-clear.ts'
import type { Heard, World } from './world.ts'

const ENDPOINTS = '/v1/admin/webinfra/endpoints'
const DELIVERED_WITHIN_MS = 30_000

export async function makeEndpoint(
  world: World,
  isSigned: boolean = world.random.chance(0.4),
): Promise<void> {
  const owner = world.random.of(world.keys)
  const destination = world.random.of(['takes', 'takes', 'flaky', 'gone'] as const)
  const name = newId()
  const answer = await world.undisturbed(() =>
    world.admin('POST', ENDPOINTS, {
      name: 'sequence',
      apiKeyId: owner.id,
      verification: { scheme: isSigned ? 'standard-webhooks' : 'none' },
      destinations: [{ url: world.hooks.urlOf(name, destination) }],
    }),
  )
  if (!world.expect('an endpoint', answer, !owner.isRevoked && !owner.account.isClosed)) return
  const { id, verification, destinations } = answer.json as ShownEndpoint
  const [shown] = destinations
  world.hooks.signedWith(name, [shown.secret])
  world.endpoints.push({
    id,
    owner,
    destination,
    destinationId: shown.id,
    destinationName: name,
    signs: [shown.secret],
    secret: isSigned ? (verification.secret ?? 'none was shown') : null,
    isDeleted: false,
  })
}

/** What is shown once: the secret of senders, and the one by which the gateway signs. */
interface ShownEndpoint {
  id: string
  verification: { secret?: string }
  destinations: [{ id: string; secret: string }]
}

/** A new secret of a destination: alone, or beside the older ones for a while. */
export async function rotateSecret(world: World): Promise<void> {
  if (world.endpoints.length === 0) return
  const endpoint = world.random.of(world.endpoints)
  const { id, destinationId, destinationName, isDeleted } = endpoint
  const graceSeconds = world.random.of([0, 3600])
  const path = `${ENDPOINTS}/${id}/destinations/${destinationId}/rotate`
  const answer = await world.undisturbed(() => world.admin('POST', path, { graceSeconds }))
  if (!world.expect('a new secret', answer, !isDeleted)) return
  const { secret } = answer.json as { secret: string }
  if (endpoint.signs.includes(secret)) world.found('a new secret is an old one', answer)
  endpoint.signs = graceSeconds === 0 ? [secret] : [secret, ...endpoint.signs]
  world.hooks.signedWith(destinationName, endpoint.signs)
  await sendWebhook(world, endpoint)
}

/** The same webhook, also several times at the same moment, is stored, delivered and charged once. */
export async function sendWebhook(world: World, to?: Endpoint): Promise<void> {
  const { random } = world
  if (world.endpoints.length === 0) return makeEndpoint(world)
  const endpoint = to ?? random.of(world.endpoints)
  const key = to?.secret ? to.owner : random.of(world.keys)
  // One that cannot be paid is parked, and goes out at a moment that nobody can name.
  if (canBuy(key, 'webinfra') && affordable(key, 'webinfra', FORWARD_PRICE) === 0) return
  const before = world.deliveries.filter((one) => one.endpoint === endpoint)
  const known = before.length > 0 && random.chance(0.3) ? random.of(before) : null
  const name = known?.name ?? newId()
  const path = `/v1/webinfra/endpoints/${endpoint.id}/ingress`
  // At the same moment, one of a key's would be told that another is under way.
  const idempotencyKey = random.chance(0.4) ? newId() : null
  const headers = {
    'x-webhook-delivery-id': name,
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  }
  const body = { name }
  const ask = () => world.as(key, 'POST', path, body, headers)
  const { deaths } = world.shop.gateways
  const answers = idempotencyKey === null ? await world.sometimesAtOnce(ask) : [await ask()]
  // It is stored for free: that a closed account cannot pay is learnt by the forward, which dies of it.
  const isTaken = endpoint.secret === null || key === endpoint.owner
  const isGood = !key.isRevoked && isFor(key, 'webinfra') && !endpoint.isDeleted && isTaken
  for (const answer of answers) world.expect('a webhook', answer, isGood)
  if (!isGood || answers.some(({ status }) => status >= 300)) return
  const { text: answer, headers: told } = answers[0]!
  // Answers that cost nothing are not kept: the webhook's own id is what makes it one.
  if (idempotencyKey !== null && told.get('x-charged-credits') !== '0') {
    const isOpen = () => !endpoint.isDeleted
    world.kept.push({ key, product: 'webinfra', path, headers, body, answer, isOpen })
  }
  await isStoredOnce(world, { endpoint, key, name, known, answers, deaths })
}

/**
 * By a sender without a key: what its secret signed is taken, once, and the endpoint's owner pays. What
 * was signed otherwise, or long ago, or was changed since, is refused.
 */
export async function sendSigned(world: World): Promise<void> {
  const { random } = world
  const open = world.endpoints.filter(
    ({ secret, owner }) => secret !== null && affordable(owner, 'webinfra', FORWARD_PRICE) > 0,
  )
  if (open.length === 0) return makeEndpoint(world, true)
  const endpoint = random.of(open)
  const { owner: key } = endpoint
  const before = world.deliveries.filter((one) => one.endpoint === endpoint && one.isSigned)
  const known = before.length > 0 && random.chance(0.3) ? random.of(before) : null
  const name = known?.name ?? newId()
  const body = JSON.stringify({ name })
  const forged = random.of([null, null, null, 'secret', 'time', 'body'] as const)
  const secret = forged === 'secret' ? `whsec_${btoa(newId())}` : endpoint.secret!
  const atMs = Date.now() - (forged === 'time' ? 3_600_000 : 0)
  const signed = signedHeaders(secret, { id: name, body, atMs })
  // Whoever caught a webhook must not make a new one of it by a header that nobody signed.
  const isRenamed = random.chance(0.5)
  const path = `/v1/webinfra/endpoints/${endpoint.id}/ingress`
  const sent = forged === 'body' ? JSON.stringify({ name, more: 1 }) : body
  const { deaths } = world.shop.gateways
  const answers = await world.sometimesAtOnce(() =>
    world.call('POST', path, {
      headers: { ...signed, ...(isRenamed && { 'x-webhook-delivery-id': newId() }) },
      body: sent,
    }),
  )
  const isGood = forged === null && !endpoint.isDeleted
  for (const answer of answers)
    world.expect(`a webhook signed with ${forged ?? 'its secret'}`, answer, isGood)
  if (!isGood || answers.some(({ status }) => status >= 300)) return
  await isStoredOnce(world, { endpoint, key, name, known, answers, deaths, isSigned: true })
}

interface Stored {
  endpoint: Endpoint
  key: Key
  name: string
  /** It had been sent before. */
  known: Delivery | null
  answers: readonly Heard[]
  /** How many gateways had died before it was sent. */
  deaths: number
  isSigned?: boolean
}

async function isStoredOnce(world: World, stored: Stored): Promise<void> {
  const { endpoint, key, name, known, answers, deaths, isSigned = false } = stored
  const ids = new Set(answers.map(({ json }) => json.delivery_id as string))
  const [id] = [...ids]
  if (ids.size !== 1 || (known && known.id !== id)) world.found(`one webhook has ${ids.size} ids`)
  const fresh = answers.filter(({ json }) => json.duplicate === false)
  if (!known) world.isOnce('webhooks', fresh, answers)
  else if (fresh.length > 0) world.found(`${fresh.length} webhooks are no duplicates`)
  for (const answer of answers) if (!fresh.includes(answer)) world.expectCharge('a duplicate', answer, 0) // prettier-ignore
  if (known) return
  world.deliveries.push({ id: id!, name, endpoint, payer: key, isSigned })
  await isDelivered(world, { id: id!, endpoint, key, before: 0, deaths, answers: fresh })
}

/** A webhook that its key cannot pay waits, and goes out once its account has credits. */
export async function park(world: World): Promise<void> {
  const open = world.endpoints.filter((one) => takes(one) && !one.isDeleted && one.secret === null)
  const poor = world.keys.filter(
    (key) =>
      canBuy(key, 'webinfra') &&
      allows(key, 'webinfra', FORWARD_PRICE) &&
      key.account.available < FORWARD_PRICE,
  )
  if (open.length === 0 || poor.length === 0) return
  const endpoint = world.random.of(open)
  const key = world.random.of(poor)
  const name = newId()
  const path = `/v1/webinfra/endpoints/${endpoint.id}/ingress`
  const { deaths } = world.shop.gateways
  const answer = await world.as(key, 'POST', path, { name }, { 'x-webhook-delivery-id': name })
  if (!world.expect('a webhook without credits', answer, true)) return
  world.expectCharge('a webhook without credits', answer, 0)
  const { delivery_id: id, status } = answer.json as Record<string, string>
  if (status !== 'accepted') world.found(`a webhook without credits is ${status}`, answer)
  if (world.hooks.taken(id!) > 0) world.found('a webhook without credits went out', answer)
  world.deliveries.push({ id: id!, name, endpoint, payer: key, isSigned: false })
  await credit(world, key.account, 3)
  await isDelivered(world, { id: id!, endpoint, key, before: 0, deaths, answers: [answer] })
}

/** By its payer or the endpoint's owner: each time that it goes out is charged, to whoever asks. */
export async function redeliver(world: World): Promise<void> {
  const { random } = world
  if (world.deliveries.length === 0) return
  const delivery = random.of(world.deliveries)
  const { id, endpoint, payer } = delivery
  // One attempt, and this would be the one that fails: its payer could not pay the first.
  if (endpoint.destination === 'flaky' && world.hooks.bodyOf(id) === null) return
  const key = random.chance(0.7) ? random.of([payer, endpoint.owner]) : random.of(world.keys)
  const mayReplay = key === payer || key === endpoint.owner
  const before = world.hooks.taken(id)
  const { deaths } = world.shop.gateways
  const path = `/v1/webinfra/deliveries/${id}/replay`
  const headers = { 'idempotency-key': newId() }
  const canPay = affordable(key, 'webinfra', FORWARD_PRICE) > 0
  const ask = () => world.as(key, 'POST', path, {}, headers)
  const first = await ask()
  // What a gateway began that died is finished by the other one, some moments later.
  const answer = first.isRepeated ? { ...(await untilClear(ask)), isRepeated: true } : first
  const isGood = mayReplay && canPay && takes(endpoint) && !endpoint.isDeleted
  if (!world.expect('a redelivery', answer, isGood)) return
  world.expectCharge('a redelivery', answer, FORWARD_PRICE)
  await isDelivered(world, { id, endpoint, key, before, deaths, answers: [answer] })
  const isOpen = () => !endpoint.isDeleted
  world.kept.push({
    key,
    product: 'webinfra',
    path,
    headers,
    body: {},
    answer: answer.text,
    isOpen,
  })
}

export async function deleteEndpoint(world: World): Promise<void> {
  if (world.endpoints.length === 0) return
  const endpoint = world.random.of(world.endpoints)
  const answers = await world.sometimesAtOnce(() =>
    world.admin('DELETE', `${ENDPOINTS}/${endpoint.id}`),
  )
  for (const answer of answers) world.expect('deleting an endpoint', answer, answer.status < 300)
  const deleted = answers.filter(({ status }) => status < 300).length
  const isUnheard = deleted === 0 && answers.some(({ isRepeated }) => isRepeated)
  if (deleted !== Number(!endpoint.isDeleted) && !isUnheard)
    world.found(`an endpoint was deleted ${deleted} times`)
  endpoint.isDeleted = true
}

interface Sent {
  id: string
  endpoint: Endpoint
  key: Key
  /** How often it had come to its destination before, and gateways had died. */
  before: number
  deaths: number
  answers: readonly Heard[]
}

/** Waits until the delivery has ended; it came to its destination once more, and was charged for it. */
async function isDelivered(
  world: World,
  { id, endpoint, key, before, deaths, answers }: Sent,
): Promise<void> {
  const status = await endOf(world, id)
  const { destination } = endpoint
  const isPaid = !key.account.isClosed
  const isTaken = isPaid && takes(endpoint)
  const expected = isTaken ? 'forwarded' : destination === 'disabled' ? 'accepted' : 'failed'
  if (status !== expected) world.found(`delivery ${id} ended ${status}, not ${expected}`)
  const times = world.hooks.taken(id) - before
  // A death may come after a destination took it and before that was written down.
  const isAgain = isTaken && times > 1 && times <= 1 + world.shop.gateways.deaths - deaths
  if (times !== Number(isTaken) && !isAgain) world.found(`delivery ${id} came ${times} times`)
  const wrong = world.hooks.wrongOf(id)
  if (wrong !== null) world.found(`delivery ${id} ${wrong}`)
  const { name } = world.deliveries.find((one) => one.id === id)!
  const body = world.hooks.bodyOf(id)
  if (isTaken && body !== JSON.stringify({ name })) world.found(`delivery ${id} came as ${body}`)
  if (isPaid && destination === 'gone') endpoint.destination = 'disabled'
  if (!isTaken) return
  world.spent(key, 'webinfra', FORWARD_PRICE)
  // An answer that went out before the first attempt had ended tells of no charge.
  for (const answer of answers)
    if (answer.json.status === 'forwarded') world.expectCharge('a webhook', answer, FORWARD_PRICE)
}

const takes = ({ destination }: Endpoint): boolean =>
  destination === 'takes' || destination === 'flaky'

async function endOf(world: World, id: string): Promise<string> {
  const untilMs = performance.now() + DELIVERED_WITHIN_MS
  for (;;) {
    const answer = await world.admin('GET', `/v1/admin/webinfra/deliveries/${id}`)
    const { status, forwards = [] } = answer.json as { status: string; forwards?: object[] }
    // Without a destination that is enabled there is nothing to wait for.
    const isWaiting = status === 'retrying' || (status === 'accepted' && forwards.length > 0)
    if (!isWaiting) return status
    if (performance.now() > untilMs) return status
  }
}
