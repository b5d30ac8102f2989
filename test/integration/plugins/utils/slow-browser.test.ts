import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { launchBrowser, SlowStart } from '../../../../plugins/utils/screenshot/browser/launch.ts'
import type { BrowserBinary } from '../../../../plugins/utils/screenshot/browser/binary.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slow-browser-'))
  // Only a user who is not root tries the sandbox.
  vi.spyOn(process, 'getuid').mockReturnValue(1000)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** A browser that notes its arguments and then does `rest`. */
function browser(rest: string): { binary: BrowserBinary; starts: () => string[] } {
  const path = join(folder, 'browser')
  const noted = join(folder, 'starts')
  writeFileSync(path, `#!/bin/sh\necho "$*" >> ${noted}\n${rest}\n`)
  chmodSync(path, 0o755)
  const binary = { path, headless: true, env: {}, fontFolders: null, origin: 'system' } as const
  return { binary, starts: () => readFileSync(noted, 'utf8').trim().split('\n') }
}

it('a browser that does not answer in time is not started again without its sandbox', async () => {
  // Started without, it would end at once, which is another error.
  const { binary } = browser('case "$*" in *--no-sandbox*) exit 1 ;; esac; exec sleep 600')
  const onUnsandboxed = vi.fn()
  const launched = launchBrowser(binary, { pageMib: 64, timeoutMs: 2_000 }, onUnsandboxed)
  await expect(launched).rejects.toThrow(SlowStart)
  expect(onUnsandboxed).not.toHaveBeenCalled()
})

it('one that ends as it starts is', async () => {
  const { binary, starts } = browser('exit 1')
  await expect(launchBrowser(binary, { pageMib: 64 }, vi.fn())).rejects.toThrow()
  expect(starts().map((line) => line.includes('--no-sandbox'))).toEqual([false, true])
})
