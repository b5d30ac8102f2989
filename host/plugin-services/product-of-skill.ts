/** Which product a skill counts for that no mounted product has. */
import { WHOLE_KEY } from '#kernel/host'

/** The product that a skill without a mounted product counts for: the first part of its id. */
export function productOfSkill(skillId: string): string {
  const first = skillId.split('.')[0]!
  return first === '' || first === WHOLE_KEY ? 'unknown' : first
}
