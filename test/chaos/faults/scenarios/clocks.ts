/** Clocks of gateways and of the database that jump by an hour and by a day. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Size } from '../sizes.ts'
import { onServer, type Scenario } from './ground.ts'
import { all, debian, FAKETIME, faketime } from './needs.ts'

const HOUR_S = 3600
const JUMPS_S = [HOUR_S, 0, -HOUR_S, 0, 24 * HOUR_S, 0, -24 * HOUR_S, 0]

/** A false clock that a file moves while its programs run. */
function clock(folder: string): { env: Record<string, string>; set(offsetS: number): void } {
  const file = join(folder, 'clock')
  const set = (offsetS: number) =>
    writeFileSync(file, `${offsetS < 0 ? '' : '+'}${offsetS}\n`, { mode: 0o644 })
  set(0)
  const env = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { env, set }
}

async function jump(set: (offsetS: number) => void, { jumpMs }: Size): Promise<void> {
  for (const offsetS of JUMPS_S) {
    set(offsetS)
    await Bun.sleep(jumpMs)
  }
}

export const CLOCKS: Record<string, Scenario> = {
  'clock-of-gateways': {
    missing: all(debian, faketime),
    run(ground) {
      const { env, set } = clock(ground.folder)
      return onServer(ground, { env, disturb: () => jump(set, ground.size) })
    },
  },
  'clock-of-database': {
    missing: all(debian, faketime),
    run(ground) {
      const { env, set } = clock(ground.folder)
      return onServer(ground, { serverEnv: env, disturb: () => jump(set, ground.size) })
    },
  },
}
