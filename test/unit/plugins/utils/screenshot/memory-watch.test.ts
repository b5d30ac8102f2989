import { expect, test } from 'vitest'
import type { Logger } from '#kernel'
import {
  BROWSER_OWN_MIB,
  MemoryWatch,
  type Processes,
} from '../../../../../plugins/utils/screenshot/browser/memory-watch.ts'
import { silentLog } from '../../../../support/log.ts'

/** Browsers by process id, as the operating system would show them. */
function machine() {
  const resident = new Map<number, number>()
  const proportional = new Map<number, number>()
  const measured: number[] = []
  const killed: number[] = []
  const offered: number[] = []
  let onMeasure = (): void => undefined
  const own = new Map<number, number>()
  const processes: Processes = {
    sample: async (root) => ({
      pids: [root],
      residentMib: resident.get(root) ?? 0,
      privateMib: own.get(root) ?? 0,
    }),
    async proportionalMib({ pids: [root] }) {
      measured.push(root!)
      onMeasure()
      return proportional.get(root!) ?? resident.get(root!) ?? 0
    },
    offerToOomKiller: (pids) => void offered.push(...pids),
    kill: (root) => void killed.push(root),
  }
  const set = (
    pid: number,
    residentMib: number,
    proportionalMib = residentMib,
    privateMib = 0,
  ): void => {
    resident.set(pid, residentMib)
    proportional.set(pid, proportionalMib)
    own.set(pid, privateMib)
  }
  const watch = new MemoryWatch({ pageMib: 500, totalMib: 1500 }, silentLog as Logger, processes)
  const told: string[] = []
  const open = (pid: number): void => {
    watch.add(pid)
    // The timer would look at times of its own.
    watch.begin(pid, (excess) => told.push(`${pid} ${excess}`))
  }
  const close = (): void => {
    for (const pid of resident.keys()) watch.remove(pid)
  }
  const whenMeasured = (then: () => void): void => void (onMeasure = then)
  return { watch, set, open, close, whenMeasured, measured, killed, offered, told }
}

const LIMIT = BROWSER_OWN_MIB + 500

test('a page over its limit is ended with its browser, once', async () => {
  const { watch, set, open, close, killed, told } = machine()
  set(1, LIMIT)
  set(2, 300)
  open(1)
  open(2)
  await watch.look()
  expect(killed).toEqual([])
  set(1, LIMIT + 1)
  await watch.look()
  await watch.look()
  expect(killed).toEqual([1])
  expect(told).toEqual(['1 page_memory'])
  close()
})

test('what processes share is not counted several times', async () => {
  const { watch, set, open, close, killed, measured } = machine()
  set(1, 1400, 600)
  open(1)
  await watch.look()
  expect(killed).toEqual([])
  // Far from the limit by what was measured, it is not measured again until it has grown by that.
  measured.length = 0
  set(1, 1400 + LIMIT - 600, 700)
  await watch.look()
  expect(measured).toEqual([])
  set(1, 1401 + LIMIT - 600, LIMIT + 1)
  await watch.look()
  expect(measured).toEqual([1])
  expect(killed).toEqual([1])
  close()
})

test('what processes share is of no interest when the rest is too much already', async () => {
  const { watch, set, open, close, killed, measured } = machine()
  set(1, 1400, 900, LIMIT + 1)
  set(2, 300)
  open(1)
  open(2)
  await watch.look()
  expect({ killed, measured }).toEqual({ killed: [1], measured: [] })
  close()
})

test('of all browsers over the limit of all, the largest is ended', async () => {
  const { watch, set, open, close, killed, told } = machine()
  set(1, 600)
  set(2, 601)
  set(3, 300)
  for (const pid of [1, 2, 3]) open(pid)
  await watch.look()
  await watch.look()
  expect(killed).toEqual([2])
  expect(told).toEqual(['2 browser_memory'])
  close()
})

test('as many are ended as it takes, and none because of what it shares', async () => {
  const { watch, set, open, close, killed } = machine()
  set(1, 900, 700, 650)
  set(2, 900, 700, 660)
  set(3, 900, 200, 150)
  set(4, 900, 710, 670)
  set(5, 900, 200, 150)
  for (const pid of [1, 2, 3, 4, 5]) open(pid)
  await watch.look()
  // 2280 that nobody shares, of 1500: the two largest go, and what the others share is little.
  expect(killed).toEqual([4, 2])
  close()
})

test('a page that was closed while its browser was measured is not held against the next', async () => {
  const { watch, set, open, close, whenMeasured, killed, told } = machine()
  set(1, LIMIT + 100)
  open(1)
  whenMeasured(() => {
    watch.end(1)
    watch.begin(1, () => told.push('the next page'))
  })
  await watch.look()
  expect({ killed, told }).toEqual({ killed: [], told: [] })
  close()
})

test('a browser that keeps much between two pages is not fit for another', async () => {
  const { watch, set, close } = machine()
  set(1, 400)
  expect(await watch.isBloated(1)).toBe(false)
  set(1, 900, 450)
  expect(await watch.isBloated(1)).toBe(false)
  set(1, 900, BROWSER_OWN_MIB + 251)
  expect(await watch.isBloated(1)).toBe(true)
  close()
})

test('every process of a browser is offered to the OOM killer', async () => {
  const { watch, set, open, close, offered } = machine()
  set(1, 100)
  open(1)
  await watch.look()
  expect(offered).toContain(1)
  close()
})
