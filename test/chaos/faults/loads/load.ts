/** Callers who pay or move money in other ways than prepaid calls, and what gateways need for them. */
import type { FaultOptions, FaultReport } from '../shop.ts'
import type { Size } from '../sizes.ts'

export interface Load {
  env: Record<string, string>
  others: NonNullable<FaultOptions['others']>
}

export interface LoadGround {
  /** Empty, and removed afterwards. */
  folder: string
  seed: number
  size: Size
}

/** Makes what the callers of a load need, has it used by `under`, and ends it. */
export type LoadUnder = (
  ground: LoadGround,
  under: (load: Load) => Promise<FaultReport>,
) => Promise<FaultReport>
