/** Files of the installed package that are started by their path are where the package has them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { writeOperatorFiles } from '../../plugins/scaffold/operator-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const NAMED = /node_modules\/@coinop\/gateway\/([\w./-]+)/g

const namedIn = (text: string): string[] => [...text.matchAll(NAMED)].map(([, path]) => path!)
const missing = (paths: readonly string[]): string[] =>
  paths.filter((path) => !existsSync(join(root, path)))

it.each(['deploy/coinop.service', 'deploy/Dockerfile'])('%s starts what is there', (file) => {
  const paths = namedIn(readFileSync(join(root, file), 'utf8'))
  expect(paths).not.toEqual([])
  expect(missing(paths)).toEqual([])
})

it('the scripts of an operator’s folder start what is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'package-paths-'))
  try {
    writeOperatorFiles(folder, '1.0.0')
    const paths = namedIn(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(paths).not.toEqual([])
    expect(missing(paths)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
