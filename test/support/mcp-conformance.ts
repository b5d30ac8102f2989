/** Runs the official MCP conformance suite against a server and reads what it found. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** The stable release, and the pre-release that knows 2026-07-28. */
const SUITES = { stable: 'conformance', next: 'conformance-next' } as const

export interface Check {
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  message: string
}

/** Every check of a run with these arguments of `conformance server`. */
export async function runConformance(
  suite: keyof typeof SUITES,
  url: string,
  args: readonly string[],
): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-conformance-'))
  const script = join(root, 'node_modules/@modelcontextprotocol', SUITES[suite], 'dist/index.js')
  // The suite needs Node 22 or Bun.
  const child = Bun.spawn(
    [process.execPath, script, 'server', '--url', url, '-o', folder, ...args],
    {
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    },
  )
  const printed = await new Response(child.stdout).text()
  await child.exited
  try {
    const checks = readdirSync(folder).flatMap((name) => checksIn(folder, name))
    if (checks.length === 0) throw new Error(`The suite checked nothing:\n${printed}`)
    return checks
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checksIn(folder: string, name: string): Check[] {
  const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
  const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as {
    id: string
    status: Check['status']
    errorMessage?: string
  }[]
  return checks.map(({ id, status, errorMessage }) => ({
    scenario,
    id,
    status,
    message: errorMessage ?? '',
  }))
}

/**
 * "scenario:check status" of everything that is a failure or a warning. Tasks are left out: an
 * optional extension that is not offered.
 */
export function complaints(checks: readonly Check[]): string[] {
  return checks
    .filter(({ scenario }) => !scenario.startsWith('tasks-'))
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ scenario, id, status }) => `${scenario}:${id} ${status}`)
    .sort()
}
