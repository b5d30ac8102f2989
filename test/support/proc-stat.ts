/** What Linux tells of a process or a thread. */
import { readFileSync } from 'node:fs'

/**
 * The fields of /proc/<of>/stat from the third on, the state (proc(5)): the name before it stands in
 * parentheses and may have spaces. Throws where the process has ended.
 */
export function procStat(of: number | string): string[] {
  const stat = readFileSync(`/proc/${of}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
