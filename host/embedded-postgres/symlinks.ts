/** Library symlinks of the PostgreSQL package, as its `native/pg-symlinks.json` lists them. */
import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join, normalize } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { codeOf } from '#kernel/host'

const listShape = Compile(Type.Array(Type.Object({ source: Type.String(), target: Type.String() })))

/** Makes the symlinks that are missing; false when the folder does not allow it. */
export function repairSymlinks(packageFolder: string): boolean {
  const list: unknown = JSON.parse(
    readFileSync(join(packageFolder, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of listShape.Parse(list)) {
    const link = join(packageFolder, normalize(target))
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      // Another process made it in between.
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}
