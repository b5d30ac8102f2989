/**
 * Orders to give charges back, as files of a folder. A file holds the orders that came at once, is
 * complete when it has its name, and never changes: so no process can read half of one, or lose what
 * another adds.
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '#kernel'
import type { GiveBackJournal, GiveBackOrder, KeptOrder, OpenGiveBackJournal } from '#kernel/host'
import { codeOf } from '#kernel/host'

const COMPLETE = /^[0-9a-f-]{36}\.json$/

export const openGiveBackJournal: OpenGiveBackJournal = (folder) => new FolderJournal(folder)

interface Waiting {
  order: GiveBackOrder
  resolve(kept: KeptOrder): void
  reject(error: unknown): void
}

class FolderJournal implements GiveBackJournal {
  readonly #folder: string
  /** Files of this process, which gives those orders back itself. */
  readonly #own = new Set<string>()
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(folder: string) {
    this.#folder = folder
  }

  keep(order: GiveBackOrder): Promise<KeptOrder> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ order, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async left(): Promise<KeptOrder[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    const files = names.filter((name) => COMPLETE.test(name) && !this.#own.has(name))
    const read = await Promise.allSettled(files.map((name) => this.#read(name)))
    const kept = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    // A damaged file keeps no other's orders back: it is told once those are done.
    const failed = read.find((one) => one.status === 'rejected')
    if (failed && kept.length === 0) throw failed.reason
    return kept
  }

  /** Writes whatever waits, file after file: what comes during one write shares the next. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const orders = batch.map(({ order }) => order)
      const name = `${newId()}.json`
      this.#own.add(name)
      try {
        await this.#write(name, JSON.stringify(orders))
        const kept = this.#keptOf(name, orders)
        for (const [i, { resolve }] of batch.entries()) resolve(kept[i]!)
      } catch (error) {
        this.#own.delete(name)
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isWriting = false
  }

  async #write(name: string, text: string): Promise<void> {
    if ((await mkdir(this.#folder, { recursive: true, mode: 0o700 })) !== undefined)
      await sync(dirname(this.#folder))
    const path = join(this.#folder, name)
    const half = `${path}.new`
    try {
      const file = await open(half, 'wx', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(half, path)
    } catch (error) {
      // On a full disk each try would leave another one.
      await rm(half, { force: true }).catch(() => {})
      throw error
    }
    await sync(this.#folder)
  }

  async #read(name: string): Promise<KeptOrder[]> {
    try {
      const text = await readFile(join(this.#folder, name), 'utf8')
      return this.#keptOf(name, JSON.parse(text) as GiveBackOrder[])
    } catch (error) {
      // Another process has finished it meanwhile.
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  }

  /** The orders of a file, which goes with the last of them. */
  #keptOf(name: string, orders: readonly GiveBackOrder[]): KeptOrder[] {
    const open = new Set(orders.keys())
    return orders.map((order, i) => ({
      order,
      forget: async () => {
        if (!open.delete(i) || open.size > 0) return
        await rm(join(this.#folder, name), { force: true })
        this.#own.delete(name)
      },
    }))
  }
}

/** Makes the names in a folder last. */
async function sync(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
