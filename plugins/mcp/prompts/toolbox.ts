/** The tools that a prompt names, as they are mounted now: listed name and price. */
import { isFlatPrice, type CatalogSnapshot } from '#kernel'
import type { Naming } from '../../shared/mcp/contract.ts'
import { listedName, listedTools, priceText } from '../tools.ts'

export class Toolbox {
  readonly #snapshot: CatalogSnapshot
  readonly #naming: Naming

  constructor(snapshot: CatalogSnapshot, naming: Naming) {
    this.#snapshot = snapshot
    this.#naming = naming
  }

  /** Whether the tool is one that everybody may learn of. */
  has(tool: string): boolean {
    return listedTools(this.#snapshot).some(({ tool: { name } }) => name === tool)
  }

  /** The tool's name in backquotes, as the client lists it. */
  name(tool: string): string {
    return `\`${listedName(tool, this.#naming)}\``
  }

  /** Name and price: "`parse.receipt` at 10 credits (USD 0.10) per success". */
  priced(tool: string): string {
    const mounted = this.#snapshot.tool(tool)?.mounted
    if (!mounted?.metered) return `${this.name(tool)} for free`
    const most = isFlatPrice(mounted.price) ? '' : 'at most '
    return `${this.name(tool)} at ${most}${priceText(mounted.amountAtomic)} per success`
  }
}
