/**
 * What one snapshot of the catalog shows: lists, prompts and resources, finished once and then
 * served as text until the catalog or the rails change.
 */
import type { CatalogSnapshot, Prompt, Resource } from '#kernel'
import { Listing } from './listing.ts'
import { promptEntry } from './prompt-entry.ts'
import type { ShownRail } from './rails.ts'
import type { ServerInfo } from './reply.ts'
import { isTemplate, resourceEntry, templateEntry } from './resources/methods.ts'
import type { Naming } from '../shared/mcp/contract.ts'
import { listedTools, toolEntry } from './tools.ts'

export interface SurfaceParts {
  info: ServerInfo
  prompts(snapshot: CatalogSnapshot, naming: Naming): readonly Prompt[]
  resources(snapshot: CatalogSnapshot, naming: Naming): readonly Resource[]
  /** Mounted now; the same array until one comes or goes. */
  rails(): readonly ShownRail[]
}

export class Surface {
  readonly snapshot: CatalogSnapshot
  readonly rails: readonly ShownRail[]
  /** As they are listed, which names no tools. */
  readonly resources: readonly Resource[]
  readonly resourceList: Listing
  readonly templateList: Listing
  readonly #parts: SurfaceParts
  readonly #named = new Map<Naming, Named>()

  constructor(snapshot: CatalogSnapshot, parts: SurfaceParts) {
    this.snapshot = snapshot
    this.rails = parts.rails()
    this.#parts = parts
    this.resources = [...parts.resources(snapshot, 'dotted'), ...(snapshot.resources ?? [])]
    const fixed = this.resources.filter(({ uri }) => !isTemplate(uri))
    const templates = this.resources.filter(({ uri }) => isTemplate(uri))
    this.resourceList = new Listing('resources', fixed.map(resourceEntry), parts.info)
    this.templateList = new Listing('resourceTemplates', templates.map(templateEntry), parts.info)
  }

  /** What names tools, with their names written as the client asked. */
  named(naming: Naming): Named {
    const known = this.#named.get(naming)
    if (known) return known
    const made = new Named(this, naming, this.#parts)
    this.#named.set(naming, made)
    return made
  }
}

class Named {
  readonly toolList: Listing
  readonly promptList: Listing
  readonly prompts: ReadonlyMap<string, Prompt>
  /** As they are read. */
  readonly resources: readonly Resource[]

  constructor({ snapshot, rails }: Surface, naming: Naming, parts: SurfaceParts) {
    const tools = listedTools(snapshot).map(({ mounted, tool }) =>
      toolEntry(mounted, tool, naming, rails),
    )
    this.toolList = new Listing('tools', tools, parts.info)
    this.resources = [...parts.resources(snapshot, naming), ...(snapshot.resources ?? [])]
    const prompts = [...parts.prompts(snapshot, naming), ...(snapshot.prompts ?? [])]
    this.prompts = new Map(prompts.map((prompt) => [prompt.name, prompt]))
    this.promptList = new Listing(
      'prompts',
      [...this.prompts.values()].map(promptEntry),
      parts.info,
    )
  }
}

/** The surface of the current snapshot; made anew after each swap. */
export class Surfaces {
  readonly #parts: SurfaceParts
  #latest: Surface | null = null

  constructor(parts: SurfaceParts) {
    this.#parts = parts
  }

  of(snapshot: CatalogSnapshot): Surface {
    const latest = this.#latest
    if (latest?.snapshot === snapshot && latest.rails === this.#parts.rails()) return latest
    return (this.#latest = new Surface(snapshot, this.#parts))
  }
}
