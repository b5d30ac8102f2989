/**
 * The webhook relay: endpoints take webhooks from anywhere, store them before they acknowledge, and
 * forward them until each destination has them, charging once per successful forward.
 */
import { definePlugin, type Background, type Health } from '#kernel'
import { Acknowledger } from './acknowledger.ts'
import { RELAY_DESK } from '../shared/relay/contract.ts'
import { DatabaseClock } from '../shared/storage/database-clock.ts'
import { RelayConfig } from './config.ts'
import { relayDesk } from './desk.ts'
import { Forwarder } from './forwarder.ts'
import { migrations } from './migrations.ts'
import { Relay } from './relay.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { destinationHandlers, destinationRoutes } from './routes/destinations.ts'
import { endpointHandlers, endpointRoutes } from './routes/endpoints.ts'
import { ingressSkill } from './skills/ingress.ts'
import { replaySkill } from './skills/replay.ts'
import { backlog } from './store/queue.ts'
import { Tally } from './tally.ts'
import { Worker } from './worker.ts'

/** The longest timeout of an endpoint and the work around it. */
const SKILL_TIMEOUT_MS = 45_000
const HOUR_MS = 3_600_000
/** Due for so long means that the relay does not keep up, or does not run. */
const LATE_MS = 60_000

export default definePlugin({
  id: 'webinfra',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: RelayConfig,
  requires: ['billing', 'vault', 'outbound', 'keys', 'catalog', 'calls'],
  migrations,
  setup(env) {
    const { config, db, log } = env
    const clock = new DatabaseClock(db)
    // Leases are compared by all instances, and signatures by senders and destinations.
    const now = () => clock.timeOf(env.now())
    let following: Background | null = null
    const billing = env.service('billing')
    const vault = env.service('vault')
    const outbound = env.service('outbound')
    const { scheduleMs, leaseMarginMs, disableAfterHours } = config
    const tally = new Tally()
    const forwarder = new Forwarder({
      db,
      billing,
      acknowledger: new Acknowledger({ db, billing, now }),
      vault,
      outbound,
      log,
      now,
      scheduleMs,
      leaseMarginMs,
      disableAfterMs: disableAfterHours === 0 ? null : disableAfterHours * HOUR_MS,
      tally,
    })
    const worker = new Worker({ db, billing, forwarder, config, log, now })
    const relay = new Relay({ db, worker, config, now })
    const admin = {
      db,
      vault,
      outbound,
      keys: env.service('keys'),
      productUrl: env.publicUrl + env.product.basePath,
      now,
    }
    const endpoints = endpointHandlers(admin)
    const destinations = destinationHandlers(admin)
    const queue: Health = {
      name: 'webhook_relay',
      critical: false,
      timeoutMs: 2000,
      async probe() {
        const { due, oldestDueMs, parked } = await backlog(db, now())
        const detail = `${due} due, oldest for ${Math.round(oldestDueMs / 1000)} s, ${parked} waiting for funds`
        return { state: oldestDueMs > LATE_MS ? 'degraded' : 'ok', detail }
      },
    }
    return {
      skills: [
        ingressSkill({
          db,
          vault,
          relay,
          billing,
          config,
          now,
          maxPayloadBytes: config.maxPayloadBytes,
          timeoutMs: SKILL_TIMEOUT_MS,
        }),
        replaySkill({ relay, timeoutMs: SKILL_TIMEOUT_MS }),
      ],
      routes: [
        ...endpointRoutes(endpoints),
        ...destinationRoutes(destinations),
        ...deliveryRoutes({ db }),
      ],
      provides: {
        [RELAY_DESK]: relayDesk({
          db,
          endpoints,
          destinations,
          catalog: env.service('catalog'),
          calls: env.service('calls'),
          productId: env.product.id,
        }),
      },
      health: [queue],
      gauges: [tally.gauge()],
      async ready() {
        // Before the first claim; what cannot be read now is read by the next look.
        await clock.look().catch(() => {})
        following = clock.follow('clock of the webhook relay', log)
        worker.start()
      },
      async stop(deadline) {
        await Promise.all([following?.stop(), worker.stop(deadline)])
      },
    }
  },
})
