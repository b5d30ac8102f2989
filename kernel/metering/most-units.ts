/** What a skill promises of an input before the work: never to bill more units than these. */
import type { Logger } from '../log/logger.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { UnitCounts } from '../pricing/estimate.ts'

/** JSON numbers count exactly up to it. */
const MAX_COUNT = 2 ** 53

/** Units by name; null where the plugin promises nothing, or fails to say it. */
export function mostUnitsOf(
  { skill }: Pick<MountedSkill, 'skill'>,
  input: unknown,
  log: Pick<Logger, 'warn'>,
): UnitCounts | null {
  try {
    const units = skill.mostUnits?.(input) ?? null
    const areCounts = Object.values(units ?? {}).every((count) => count >= 0 && count <= MAX_COUNT)
    if (areCounts) return units
    throw new RangeError('mostUnits gave what is no count')
  } catch (error) {
    log.warn({ err: error, skill: skill.id }, 'a skill failed to say the most that an input costs')
    return null
  }
}
