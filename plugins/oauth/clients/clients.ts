/** Finding a client by its id: registered here, or by the document that its id names. */
import type { Client } from './client.ts'
import { fetchDocument, isDocumentUrl, type DocumentFetchDeps } from './document.ts'
import type { ClientStore, StoredClient } from './store.ts'

const ID_MAX = 2000

export type FoundClient = { ok: true; client: Client } | { ok: false; message: string }

export class Clients {
  readonly #store: ClientStore
  readonly #fetching: DocumentFetchDeps

  constructor(store: ClientStore, fetching: DocumentFetchDeps) {
    this.#store = store
    this.#fetching = fetching
  }

  /**
   * At the beginning of a sign-in: a document that is due is fetched. `askedBy`: the block of addresses
   * that wants it.
   */
  async current(id: string, askedBy: string): Promise<FoundClient> {
    const stored = await this.#get(id)
    if (stored?.isFresh) return { ok: true, client: stored }
    if (!isDocumentUrl(id)) return { ok: false, message: 'No client has this client_id' }
    const fetched = await fetchDocument(this.#fetching, id, askedBy)
    // Whoever uses up a limit keeps nobody from a client that was here before.
    if (!fetched.ok && fetched.isTooOften && stored?.isUsable) return { ok: true, client: stored }
    if (!fetched.ok)
      return {
        ok: false,
        message: `The document of this client cannot be used: ${fetched.message}`,
      }
    await this.#store.keep(fetched.value, fetched.freshS)
    return { ok: true, client: fetched.value }
  }

  /** Afterwards: as it was stored; nothing is fetched. */
  async known(id: string): Promise<Client | null> {
    return this.#get(id)
  }

  async #get(id: string): Promise<StoredClient | null> {
    return id.length > ID_MAX || id.includes('\0') ? null : this.#store.get(id)
  }
}
