/** Other processes of this machine. */
import { codeOf } from '../errors.ts'

/** Whether a process with this id runs, also one that we may not send signals to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
