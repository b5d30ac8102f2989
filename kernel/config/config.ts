/** The configuration of a gateway: the effective values of its environment variables. */
import type { VARIABLES } from './variables.ts'

/** The kernel's own variables as they are read. */
export type ReadVariables = {
  [N in keyof typeof VARIABLES]: (typeof VARIABLES)[N]['fallback']
}
/** Effective values of the kernel's own variables. */
export type Config = Omit<ReadVariables, 'publicUrl'> & {
  /** Without a trailing slash. */
  publicUrl: string
}

/** One line of `coinop config`. */
export interface ConfigLine {
  name: string
  value: string
  origin: 'environment' | 'default'
}
