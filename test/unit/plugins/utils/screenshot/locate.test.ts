import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { BrowserKeeper } from '../../../../../plugins/utils/screenshot/browser/keeper.ts'
import { locateBrowser } from '../../../../../plugins/utils/screenshot/browser/locate.ts'
import { silentLog } from '../../../../support/log.ts'

it('takes the operator’s browser and no other', async () => {
  expect(await locateBrowser({ chromiumPath: process.execPath })).toMatchObject({
    ok: true,
    binary: { path: process.execPath, origin: 'CHROMIUM_PATH' },
  })
  const missing = await locateBrowser({ chromiumPath: '/nonexistent/chrome' })
  expect(missing).toMatchObject({ ok: false, message: expect.stringContaining('CHROMIUM_PATH') })
})

afterEach(() => {
  vi.unstubAllEnvs()
})
it.skipIf(process.platform !== 'linux')(
  'brings fonts where the browser of the machine would find none: it ends at the first form field',
  async () => {
    vi.stubEnv('FONTCONFIG_FILE', '/nonexistent/fonts.conf')
    const located = await locateBrowser({ chromiumPath: process.execPath })
    const binary = located.ok ? located.binary : null
    expect(binary?.fontFolders?.[0]).toContain('pdfjs-dist')
    expect(readFileSync(binary?.env['FONTCONFIG_FILE'] ?? '', 'utf8')).toContain('pdfjs-dist')
  },
)

it('refuses a folder and a file that is no program as the operator’s browser', async () => {
  const folder = import.meta.dirname
  expect(await locateBrowser({ chromiumPath: folder })).toEqual({
    ok: false,
    message: `CHROMIUM_PATH (${folder}) is a folder; name the program in it`,
  })
  expect(await locateBrowser({ chromiumPath: join(folder, 'none') })).toMatchObject({
    message: expect.stringContaining('does not exist'),
  })
  expect(await locateBrowser({ chromiumPath: '/dev/null' })).toMatchObject({
    message: expect.stringContaining('is not a file'),
  })
})

it('says why there is no browser, and does not run the work', async () => {
  const keeper = new BrowserKeeper({ chromiumPath: '/nonexistent/chrome', log: silentLog })
  let ran = false
  const used = await keeper.use(async () => (ran = true), {
    signal: AbortSignal.timeout(60_000),
    share: 'test',
  })
  expect(used).toMatchObject({ ok: false, reason: 'absent' })
  expect(ran).toBe(false)
  await keeper.stop()
})

it('answers that a program which is no browser does not start', async () => {
  const keeper = new BrowserKeeper({ chromiumPath: '/bin/true', log: silentLog })
  const used = await keeper.use(async () => true, {
    signal: AbortSignal.timeout(60_000),
    share: 'test',
  })
  expect(used).toMatchObject({ ok: false, reason: 'launch' })
  await keeper.stop()
})
