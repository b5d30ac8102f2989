/** Servers under load by wrk, in turns, and what they took per request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MeasuredProcess } from './process.ts'

/** One run of wrk. */
export interface Sample {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU of the server's process per request, microseconds. */
  cpuUs: number
  /** Requests whose answer was no 2xx. */
  failed: number
}

/** A POST with `body`, by the keys in turn (none: without a credential); null: a GET. */
export type Post = { body: string; keys: readonly string[] } | null

/** `connections` callers for so many seconds; needs wrk. */
export async function wrk(
  server: MeasuredProcess,
  path: string,
  post: Post,
  { seconds, connections = 64 }: { seconds: number; connections?: number },
): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-wrk-'))
  const script = join(folder, 'requests.lua')
  const keys = (post?.keys ?? []).map((key) => `"${key}"`).join(',')
  writeFileSync(
    script,
    `local keys={${keys}} local i=0
request=function() i=i+1
  ${post ? `local h={["content-type"]="application/json"} if #keys>0 then h["x-api-key"]=keys[i%#keys+1] end return wrk.format("POST","${path}",h,'${post.body}')` : `return wrk.format("GET","${path}")`}
end
done=function(s,l,r) io.write(string.format("RESULT %d %f %f %f %d\\n",s.requests,s.duration/1e6,l:percentile(50)/1e3,l:percentile(99)/1e3,s.errors.status)) end`,
  )
  const cpuBefore = server.cpuS()
  const run = Bun.spawn(
    ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, server.url],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const output = await new Response(run.stdout).text()
  rmSync(folder, { recursive: true })
  const match = /RESULT (\d+) ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(output)
  if (!match) throw new Error(`wrk printed no result:\n${output}`)
  const [requests, durationS, p50Ms, p99Ms, failed] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return {
    perSecond: requests / durationS,
    p50Ms,
    p99Ms,
    cpuUs: ((server.cpuS() - cpuBefore) / requests) * 1e6,
    failed,
  }
}

export type Subject<Of> = readonly [name: string, run: () => Promise<Of>]

const WARMUP_ROUNDS = 2

/**
 * Every subject's samples. They take turns, so that a busy moment of the machine hits them all and
 * the ratios within a round hold; each is warmed up first, because a JIT takes its time.
 */
export async function interleaved<Of>(
  subjects: readonly Subject<Of>[],
  rounds: number,
): Promise<Map<string, Of[]>> {
  const samples = new Map<string, Of[]>(subjects.map(([name]) => [name, []]))
  for (let round = -WARMUP_ROUNDS; round < rounds; round++) {
    for (const [name, run] of subjects) {
      const sample = await run()
      if (round >= 0) samples.get(name)!.push(sample)
    }
    process.stderr.write(round < 0 ? 'warming up\n' : `round ${round + 1} of ${rounds}\n`)
  }
  return samples
}

/** The middle one of several numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
