/** Copies a folder whose files may change, grow or go while it is read. */
import { constants } from 'node:fs'
import { chmod, chown, copyFile, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#kernel/host'

export interface CopyOptions {
  /** Who is to own the copy; null: whoever copies. */
  owner: { uid: number; gid: number } | null
  /** Whether to copy the entry at `path`, relative to the folder. */
  takes(path: string, isFolder: boolean): boolean
  /** A file of this name is copied after all others. */
  last?: string
}

export interface Copied {
  files: number
  bytes: number
}

/**
 * Copies regular files and folders with their modes, each file on disk before it counts; what has
 * gone meanwhile is left out, and so is everything else, links for example.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<Copied> {
  const { owner, takes, last } = options
  const copied: Copied = { files: 0, bytes: 0 }
  const postponed: string[] = []

  async function folder(path: string): Promise<void> {
    const target = join(to, path)
    await mkdir(target, { recursive: true })
    await own(target, await stat(join(from, path)))
    for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
      const inside = join(path, entry.name)
      if (!(entry.isFile() || entry.isDirectory()) || !takes(inside, entry.isDirectory())) continue
      if (entry.name === last) postponed.push(inside)
      else await unlessGone(() => (entry.isDirectory() ? folder(inside) : file(inside)))
    }
  }

  async function file(path: string): Promise<void> {
    const target = join(to, path)
    const found = await stat(join(from, path))
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE)
    await own(target, found)
    const handle = await open(target, 'r')
    try {
      await handle.sync()
      copied.bytes += (await handle.stat()).size
    } finally {
      await handle.close()
    }
    copied.files += 1
  }

  async function own(path: string, { mode }: { mode: number }): Promise<void> {
    await chmod(path, mode & 0o777)
    if (owner !== null) await chown(path, owner.uid, owner.gid)
  }

  await folder('.')
  for (const path of postponed) await file(path)
  return copied
}

async function unlessGone(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
