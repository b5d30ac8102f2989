/** Gateways that are killed, again and again, under the callers of a load. */
import { seeded } from '../../support/docintel-fixtures/random.ts'
import type { Load, LoadGround } from './loads/load.ts'
import type { ShopThere } from './outsiders.ts'
import type { FaultReport, Shop } from './shop.ts'
import type { Size } from './sizes.ts'

/** Opens the shop, kills its gateways one after the other, and counts them in the report. */
export async function whileKilled(
  shop: ShopThere,
  { seed, size }: Pick<LoadGround, 'seed' | 'size'>,
  load: Load,
): Promise<FaultReport> {
  const report = await shop({ ...load, disturb: (there) => killEach(there, seed, size) })
  return { ...report, counts: { 'gateways killed': size.gatewayKills, ...report.counts } }
}

async function killEach({ gateways, replace }: Shop, seed: number, size: Size): Promise<void> {
  const random = seeded(seed)
  for (let kills = 0; kills < size.gatewayKills; kills++) {
    await Bun.sleep(random.int(...size.betweenMs))
    await replace(random.int(0, gateways.length - 1))
  }
}
