import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import type { JobOptions, PoolOptions, RunningPool } from '../../../kernel/jobs/contract.ts'
import { sweepJobFolders } from '../../../host/document-jobs/folders.ts'
import { createDocumentPool } from '../../../host/document-jobs/index.ts'

const module = { url: new URL('./handlers.ts', import.meta.url).href }
const HOST = new URL('../../unit/jobs/pool-host.ts', import.meta.url).pathname
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const pools: RunningPool[] = []
function pool(options: Partial<PoolOptions> = {}): RunningPool {
  const made = createDocumentPool({ size: 2, log: silent, ...options })
  pools.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((made) => made.stop(new Date())))
})

const run = (on: RunningPool, handler: string, input?: unknown, options?: Partial<JobOptions>) =>
  on.run<any>(module, handler, input, { timeoutMs: 60_000, ...options })
const value = async (
  on: RunningPool,
  handler: string,
  input?: unknown,
  options?: Partial<JobOptions>,
) => {
  const outcome = await run(on, handler, input, options)
  if (!outcome.ok) throw new Error(`${handler}: ${outcome.reason} ${outcome.message}`)
  return outcome.value
}

/** Whether a process is there and not merely waiting to be reaped. */
function isAlive(pid: number): boolean {
  const state = Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .trim()
  return state !== '' && !state.startsWith('Z')
}
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await Bun.sleep(20)
}
async function until<T>(probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await probe()
    if (found) return found as NonNullable<T>
    await Bun.sleep(10)
  }
}

describe('a job', () => {
  test('gets structured-cloned input, bytes included, and its result comes back', async () => {
    const p = pool()
    const input = { at: new Date(0), big: 12n, map: new Map([['a', new Set([1])]]), none: null }
    expect(await value(p, 'echo', input)).toEqual(input)
    expect(await value(p, 'reverse', new Uint8Array([1, 2, 3]))).toEqual(new Uint8Array([3, 2, 1]))
  })

  test('reports progress in order, before its result', async () => {
    const seen: unknown[] = []
    const outcome = await run(pool(), 'steps', 3, { onProgress: (step) => seen.push(step) })
    expect(outcome).toEqual({ ok: true, value: 3 })
    expect(seen).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }])
  })

  test('survives a progress listener that throws', async () => {
    const onProgress = () => {
      throw new Error('listener')
    }
    expect(await run(pool(), 'steps', 2, { onProgress })).toEqual({ ok: true, value: 2 })
  })

  test('that throws is answered with its message and costs no child', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    expect(await run(p, 'throwError')).toEqual({
      ok: false,
      reason: 'crashed',
      message: 'the handler is unhappy',
    })
    expect((await value(p, 'whoAmI')).pid).toBe(pid)
  })

  test('with a handler, a module, an input or a result that cannot be is answered', async () => {
    const p = pool({ size: 1 })
    const missing = { url: new URL('./no-such-module.ts', import.meta.url).href }
    const outcomes = [
      await run(p, 'noSuchHandler'),
      await run(p, 'constructor'),
      await p.run(missing, 'echo', 1, { timeoutMs: 60_000 }),
      await run(p, 'echo', () => {}),
      await run(p, 'uncloneable'),
    ]
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, reason: 'crashed' })
    expect(await value(p, 'echo', 'fine')).toBe('fine')
  })

  test('sees no secret of the gateway and works in a folder of its own', async () => {
    process.env.POOL_TEST_SECRET = 'secret'
    const p = pool({ size: 1 })
    const env = await value(p, 'environment')
    delete process.env.POOL_TEST_SECRET
    expect(env).not.toHaveProperty('POOL_TEST_SECRET')
    expect(Object.keys(env).filter((name) => /TOKEN|SECRET|KEY|DATABASE/.test(name))).toEqual([])
    const { cwd } = await value(p, 'whoAmI')
    expect(cwd).not.toBe(process.cwd())
    await p.stop(new Date())
    expect(existsSync(cwd)).toBe(false)
  })
})

describe('a limit', () => {
  test.each(['spin', 'sleep'])('on time kills a job that does %s', async (handler) => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    const outcome = await run(p, handler, 60_000, { timeoutMs: 200 })
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' })
    await untilGone(pid)
    expect((await value(p, 'whoAmI')).pid).not.toBe(pid)
  })

  test.each(['eatMemory', 'eatStrings'])('on memory kills %s', async (handler) => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    const outcome = await run(p, handler, null, { memoryMib: 256 })
    expect(outcome).toMatchObject({ ok: false, reason: 'memory' })
    await untilGone(pid)
    expect(await value(p, 'echo', 'next')).toBe('next')
  })

  test.runIf(process.platform === 'linux')(
    'on memory holds in the operating system too, should nobody poll',
    async () => {
      const outcome = await run(pool({ size: 1 }), 'reserveMemory', null, { memoryMib: 65_536 })
      expect(outcome).toMatchObject({ ok: false, reason: 'crashed', message: 'Out of memory' })
    },
  )

  test('on memory leaves a job its share, whatever the runtime reserves for itself', async () => {
    expect(await value(pool({ size: 1 }), 'reserve', 1024)).toBe(1024 << 20)
  })

  test('on memory gives a job a second try where an earlier one left no room', async () => {
    const warned: unknown[] = []
    const log = { ...silent, warn: (...line: unknown[]) => warned.push(line) }
    const p = pool({ size: 1, log })
    const first = await value(p, 'needFreshChild')
    expect(await value(p, 'needFreshChild')).not.toBe(first)
    expect(warned).toEqual([
      [{ handler: 'needFreshChild', error: 'No room', jobsDone: 1 }, 'job out of memory'],
    ])
    expect(await run(p, 'neverEnough')).toEqual({
      ok: false,
      reason: 'crashed',
      message: 'Out of memory',
    })
    expect(warned).toHaveLength(3)
  })

  test('on memory gives a job a second try that broke it only with what earlier ones left', async () => {
    const p = pool({ size: 1 })
    const first = await value(p, 'fillUp', 250, { memoryMib: 500 })
    expect(await value(p, 'fillUp', 250, { memoryMib: 500 })).not.toBe(first)
  })

  test('on memory does not count what an earlier job left behind', async () => {
    const p = pool({ size: 1 })
    const pid = await value(p, 'holdMemory', 200)
    const small = await run(p, 'whoAmI', null, { memoryMib: 200 })
    expect(small).toMatchObject({ ok: true })
    expect(small.ok && small.value.pid).not.toBe(pid)
  })

  test('kills the processes that the job had started, too', async () => {
    const controller = new AbortController()
    let grandchild = 0
    const outcome = await run(pool({ size: 1 }), 'grandchild', null, {
      signal: controller.signal,
      onProgress: (pid) => {
        grandchild = pid as number
        controller.abort()
      },
    })
    expect(outcome).toMatchObject({ ok: false, reason: 'aborted' })
    await untilGone(grandchild)
  })
})

describe('a crash', () => {
  test.each(['exit', 'killSelf', 'uncaught'])(
    'by %s answers its own job only, and the child is replaced',
    async (handler) => {
      const p = pool()
      const other = run(p, 'sleep', 300)
      expect(await run(p, handler)).toMatchObject({ ok: false, reason: 'crashed' })
      expect(await other).toEqual({ ok: true, value: 'slept' })
      expect(await value(p, 'add', { a: 1, b: 2 })).toBe(3)
      await until(() => p.stats().children >= 1)
    },
  )

  test('to come, by a rejection left behind, is not given another job', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    expect(await value(p, 'lateRejection')).toBe('answered')
    await until(() => (isAlive(pid) ? run(p, 'sleep', 5).then(() => false) : true))
    expect((await value(p, 'whoAmI')).pid).not.toBe(pid)
  })
})

describe('a child that is no good between two jobs', () => {
  test('by a rejection left behind, is replaced', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    expect(await value(p, 'lateRejection')).toBe('answered')
    // Nothing is asked of the pool meanwhile: the child is idle when its rejection comes.
    await untilGone(pid)
    expect((await value(p, 'whoAmI')).pid).not.toBe(pid)
  })

  test('killed by somebody, fails no job', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    process.kill(pid, 'SIGKILL')
    // Without a turn of the event loop, so that the pool cannot know.
    while (isAlive(pid)) Bun.sleepSync(5)
    const [next] = await Promise.all([value(p, 'whoAmI'), value(p, 'echo', 1)])
    expect(next.pid).not.toBe(pid)
  })

  test('killed while it works, fails its job only once it has begun', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    const running = run(p, 'steps', 100_000, {
      onProgress: () => void process.kill(pid, 'SIGKILL'),
    })
    expect(await running).toMatchObject({ ok: false, reason: 'crashed' })
    expect(p.stats()).toMatchObject({ queued: 0, failed: 1 })
  })
})

describe('the pool', () => {
  test('answers 100 parallel jobs, each with its own result, on at most `size` children', async () => {
    const p = pool()
    const jobs = Array.from({ length: 100 }, (_, a) => run(p, 'add', { a, b: 1 }))
    expect(p.stats()).toMatchObject({ busy: 2, queued: 98, children: 2 })
    const outcomes = await Promise.all(jobs)
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual(
      Array.from({ length: 100 }, (_, a) => a + 1),
    )
    expect(p.stats()).toMatchObject({ busy: 0, queued: 0, children: 2, done: 100, failed: 0 })
  })

  test('runs waiting jobs in the order they came', async () => {
    const p = pool({ size: 1 })
    const order: number[] = []
    const jobs = [3, 1, 2].map((n) => run(p, 'sleep', n).then(() => order.push(n)))
    await Promise.all(jobs)
    expect(order).toEqual([3, 1, 2])
  })

  test('refuses what its queue cannot hold', async () => {
    const p = pool({ size: 1, maxQueued: 2 })
    const held = [run(p, 'sleep', 100), run(p, 'echo', 1), run(p, 'echo', 2)]
    expect(await run(p, 'echo', 3)).toMatchObject({ ok: false, reason: 'overloaded' })
    expect((await Promise.all(held)).every((outcome) => outcome.ok)).toBe(true)
  })

  test('replaces a child after its share of jobs, and one that keeps too much memory', async () => {
    const p = pool({ size: 1, recycleAfterJobs: 3 })
    const pids: number[] = []
    for (let n = 0; n < 6; n += 1) pids.push((await value(p, 'whoAmI')).pid)
    expect(new Set(pids.slice(0, 3)).size).toBe(1)
    expect(new Set(pids.slice(3)).size).toBe(1)
    expect(pids[3]).not.toBe(pids[2])

    const fat = pool({ size: 1, recycleAbove: { mib: 150, idleMs: 50 } })
    const pid = await value(fat, 'holdMemory', 200)
    // What it loaded serves a job that comes at once.
    expect((await value(fat, 'whoAmI')).pid).toBe(pid)
    await untilGone(pid)
    expect((await value(fat, 'whoAmI')).pid).not.toBe(pid)
  })
})

describe('several callers', () => {
  test('do not wait for one whose jobs hold every child and fill the queue', async () => {
    const p = pool({ size: 2, maxQueued: 4, maxQueuedPerShare: 4 })
    const stuck = Array.from({ length: 6 }, () => run(p, 'spin', null, { share: 'a' }))
    expect(p.stats()).toMatchObject({ busy: 2, queued: 4 })
    // Neither ends by itself: whoever waited for a child of theirs would wait for ever.
    const first = await run(p, 'whoAmI', null, { share: 'b' })
    expect(first).toMatchObject({ ok: true })
    // The child that was lent stays for the next one.
    expect(await run(p, 'whoAmI', null, { share: 'c' })).toEqual(first)
    expect(await stuck[5]).toMatchObject({ ok: false, reason: 'share_full' })
    expect(p.stats()).toMatchObject({ busy: 2, queued: 3 })
    expect(p.stats().children).toBe(3)
  })

  test('leave no child more than there are places', async () => {
    const p = pool({ size: 2 })
    const ends = [new AbortController(), new AbortController()]
    const stuck = ends.map(({ signal }) => run(p, 'spin', null, { share: 'a', signal }))
    expect(await run(p, 'echo', 1, { share: 'b' })).toEqual({ ok: true, value: 1 })
    expect(p.stats().children).toBe(3)
    for (const end of ends) end.abort()
    await Promise.all(stuck)
    await until(() => p.stats().children <= 2)
    expect(await run(p, 'echo', 2)).toEqual({ ok: true, value: 2 })
  })

  test('each have a bound on what may wait', async () => {
    const p = pool({ size: 1, maxQueuedPerShare: 1 })
    const running = run(p, 'sleep', 100, { share: 'a' })
    const waiting = run(p, 'echo', 1, { share: 'a' })
    expect(await run(p, 'echo', 2, { share: 'a' })).toMatchObject({ reason: 'share_full' })
    const other = run(p, 'echo', 3, { share: 'b' })
    expect((await Promise.all([running, waiting, other])).map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('take turns: who came with one job is next', async () => {
    const p = pool({ size: 1 })
    const order: string[] = []
    const named = (share: string, name: string) =>
      run(p, 'echo', null, { share }).then(() => order.push(name))
    await Promise.all([
      named('a', 'a1'),
      named('a', 'a2'),
      named('a', 'a3'),
      named('b', 'b1'),
      named('c', 'c1'),
    ])
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  })
})

test('a job for which no process can be started fails, and the next one finds a way', async () => {
  const p = pool({ size: 1 })
  await value(p, 'echo', 1)
  const temporary = process.env['TMPDIR']
  process.env['TMPDIR'] = '/nowhere'
  try {
    expect(await run(p, 'exit')).toMatchObject({ ok: false, reason: 'crashed' })
    expect(await run(p, 'echo', 2)).toMatchObject({ ok: false, reason: 'crashed' })
    expect(p.stats()).toMatchObject({ busy: 0, queued: 0, failed: 2 })
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
  }
  expect(await value(p, 'echo', 3)).toBe(3)
})

describe('abort', () => {
  test('of a running job kills it and answers at once', async () => {
    const p = pool({ size: 1 })
    const { pid } = await value(p, 'whoAmI')
    const controller = new AbortController()
    const running = run(p, 'spin', null, { signal: controller.signal })
    controller.abort()
    expect(await running).toMatchObject({ ok: false, reason: 'aborted' })
    await untilGone(pid)
    expect(await value(p, 'echo', 1)).toBe(1)
  })

  test('of a waiting job takes it out of the queue and leaves the running one alone', async () => {
    const p = pool({ size: 1 })
    const running = run(p, 'sleep', 100)
    const controller = new AbortController()
    const waiting = run(p, 'exit', null, { signal: controller.signal })
    controller.abort()
    expect(await waiting).toMatchObject({ ok: false, reason: 'aborted' })
    expect(await running).toEqual({ ok: true, value: 'slept' })
    expect(await run(p, 'echo', 1, { signal: controller.signal })).toMatchObject({
      reason: 'aborted',
    })
  })

  test('after the end changes nothing', async () => {
    const p = pool({ size: 1 })
    const controller = new AbortController()
    const first = await run(p, 'whoAmI', null, { signal: controller.signal })
    controller.abort()
    expect(first.ok && first.value.pid).toBe((await value(p, 'whoAmI')).pid)
  })
})

describe('stop', () => {
  test('lets running and waiting jobs finish, and takes no new ones', async () => {
    const p = pool({ size: 1 })
    const jobs = [run(p, 'sleep', 100), run(p, 'echo', 'queued')]
    const stopping = p.stop(new Date(Date.now() + 20_000))
    expect(await run(p, 'echo', 1)).toMatchObject({ ok: false, reason: 'stopped' })
    await stopping
    expect(await Promise.all(jobs)).toEqual([
      { ok: true, value: 'slept' },
      { ok: true, value: 'queued' },
    ])
    expect(p.stats().children).toBe(0)
  })

  test('kills at the deadline and says so to every job that was left', async () => {
    const p = pool({ size: 1 })
    const jobs = [run(p, 'spin'), run(p, 'echo', 'queued')]
    await p.stop(new Date(Date.now() + 100))
    for (const outcome of await Promise.all(jobs))
      expect(outcome).toMatchObject({ reason: 'stopped' })
    expect(p.stats().children).toBe(0)
  })

  test('twice resolves for both when the work is done', async () => {
    const p = pool({ size: 1 })
    const job = run(p, 'sleep', 50)
    const deadline = new Date(Date.now() + 600_000)
    await Promise.all([p.stop(deadline), p.stop(deadline)])
    expect(await job).toEqual({ ok: true, value: 'slept' })
  })

  test('twice, and of an idle pool, is fine', async () => {
    const p = pool()
    await Promise.all([p.stop(new Date()), p.stop(new Date(Date.now() + 1000))])
    await p.stop(new Date())
  })
})

test('kill -9 of the gateway leaves no child behind, not even one stuck in a loop', async () => {
  const host = Bun.spawn([process.execPath, HOST], { stdout: 'pipe' })
  const reader = host.stdout.getReader()
  let text = ''
  while (!text.includes('\n')) text += new TextDecoder().decode((await reader.read()).value)
  const pids = JSON.parse(text) as number[]
  expect(pids).toHaveLength(2)
  expect(pids.every(isAlive)).toBe(true)
  host.kill('SIGKILL')
  await host.exited
  await Promise.all(pids.map(untilGone))
  // Their folders stay for the next start.
  sweepJobFolders()
})
