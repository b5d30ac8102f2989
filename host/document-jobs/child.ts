/**
 * The child process of the document pool: loads job modules on first use and runs one job at a
 * time. It holds no secrets and knows nothing but its IPC channel; when that closes, it ends.
 */
import type { JobHandlers } from '#kernel'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isAllocationFailure, limitOwnData } from './data-limit.ts'
import type { ChildMessage, JobRequest } from './protocol.ts'

const NICENESS = 10
/** Less of it, for this counts against everything on the machine. */
const SESSION_NICENESS = 5
const modules = new Map<string, Promise<JobHandlers>>()

const send = (message: ChildMessage): void => {
  process.send?.(message)
}
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function load(url: string): Promise<JobHandlers> {
  const known = modules.get(url)
  if (known) return known
  const loading = import(url).then((module: { default: JobHandlers }) => module.default)
  // A failed import is tried again by the next job: a file may have been put right.
  loading.catch(() => modules.delete(url))
  modules.set(url, loading)
  return loading
}

async function runJob({ id, url, handler, input }: JobRequest): Promise<void> {
  send({ kind: 'begun', id })
  try {
    const handlers = await load(url)
    const work = Object.hasOwn(handlers, handler) ? handlers[handler] : undefined
    if (!work) throw new Error(`${url} has no handler ${handler}`)
    const report = (progress: unknown): void => send({ kind: 'progress', id, progress })
    send({ kind: 'done', id, value: await work(input, report) })
  } catch (error) {
    const message = textOf(error).slice(0, 2000)
    send({ kind: 'failed', id, message, isOutOfMemory: isAllocationFailure(error) })
  }
}

/** The work yields the processor to the gateway, and is the first to go when memory runs out. */
function standBack(): void {
  try {
    setPriority(NICENESS)
    if (process.platform !== 'linux') return
    writeFileSync('/proc/self/oom_score_adj', '1000')
    // Linux may share time by session first, and the child leads one: its niceness alone is nothing.
    writeFileSync('/proc/self/autogroup', String(SESSION_NICENESS))
  } catch {
    // A container may forbid either; the limits of the pool do not depend on them.
  }
}

standBack()
limitOwnData()
process.on('unhandledRejection', () => send({ kind: 'tainted' }))
process.on('disconnect', () => process.exit(0))
process.on('message', (request: JobRequest) => void runJob(request))
