/** The most units that a skill promises, before the work, to bill for an input. */
import { MAX_UNITS } from '../ledger/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { UnitCounts } from '../pricing/estimate.ts'

/** Maximum units by name; null if the plugin promises none or its function fails. */
export function mostUnitsOf(
  { skill }: Pick<MountedSkill, 'skill'>,
  input: unknown,
  log: Pick<Logger, 'warn'>,
): UnitCounts | null {
  try {
    const units = skill.mostUnits?.(input) ?? null
    const areCounts = Object.values(units ?? {}).every((count) => count >= 0 && count <= MAX_UNITS)
    if (areCounts) return units
    throw new RangeError('mostUnits gave a value that is not a count')
  } catch (error) {
    log.warn({ err: error, skill: skill.id }, 'a skill failed to say the most that an input costs')
    return null
  }
}
