import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  fontsConf,
  hasFont,
  lackOfFonts,
  pdfjsFontFolder,
  writeFontsConf,
} from '../../../../../plugins/utils/screenshot/browser/fonts.ts'
import { moveMissing } from '../../../../../plugins/utils/screenshot/browser/move-missing.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'coinop-fonts-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

it('names the folders, a cache of our own and the machine’s configuration', () => {
  const text = fontsConf({
    folders: ['/srv/R&D <1>/fonts', '/usr/share/fonts'],
    cacheFolder: '/srv/cache/fontconfig',
    included: '/etc/fonts/fonts.conf',
  })
  expect(text).toContain(
    '<dir>/srv/R&amp;D &lt;1&gt;/fonts</dir>\n<dir>/usr/share/fonts</dir>\n<cachedir>/srv/cache/fontconfig</cachedir>\n<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
  )
  expect(text.match(/<alias[ >]/g)?.length).toBe(text.match(/<\/alias>/g)?.length)
})

it('is written once for the same folders, and beside another’s for others', () => {
  const first = writeFontsConf(folder, ['/a'])
  expect(writeFontsConf(folder, ['/a'])).toBe(first)
  const other = writeFontsConf(folder, ['/b'])
  expect(readFileSync(first, 'utf8')).toContain('<dir>/a</dir>')
  expect(readFileSync(other, 'utf8')).toContain('<dir>/b</dir>')
  expect(readdirSync(folder)).toHaveLength(2)
})

it('finds fonts below a folder, and says where there are none', () => {
  write('type1/Old.pfb')
  expect(lackOfFonts([folder, '/nonexistent'])).toContain('No font')
  write('deep/er/Text.TTF')
  expect(hasFont(folder)).toBe(true)
  expect(lackOfFonts(['/nonexistent', folder])).toBeNull()
  expect(lackOfFonts(null)).toBeNull()
})

it('has the fonts of pdf.js at hand', () => {
  expect(hasFont(pdfjsFontFolder() ?? '')).toBe(true)
})

it('completes an older folder and keeps what it has', () => {
  write('old/browser', 'running')
  write('old/fonts/fonts.conf', 'old')
  write('new/browser', 'new')
  write('new/fonts/fonts.conf', 'new')
  write('new/fonts/Sans/Text.ttf', 'font')
  write('new/lib/one.so', 'library')
  moveMissing(join(folder, 'new'), join(folder, 'old'))
  expect(
    ['browser', 'fonts/fonts.conf', 'fonts/Sans/Text.ttf', 'lib/one.so'].map((path) =>
      read(`old/${path}`),
    ),
  ).toEqual(['running', 'old', 'font', 'library'])
})

it('puts a new folder into its place whole', () => {
  write('new/browser', 'new')
  moveMissing(join(folder, 'new'), join(folder, 'placed'))
  expect(read('placed/browser')).toBe('new')
  expect(readdirSync(folder)).toEqual(['placed'])
  expect(() => moveMissing(join(folder, 'gone'), join(folder, 'nowhere'))).toThrow('ENOENT')
})
