/** What a view is: how its data are fetched and shown. The shell runs it. */
import type { Child } from './dom.ts'
import type { Place } from './place.ts'

export interface View<D = unknown> {
  title: string
  /** Stands above the data and stays through refreshes: filters, buttons. */
  controls?: Child
  load(signal: AbortSignal): Promise<D>
  show(data: D): Child
  /** Whether it is fetched again by itself; a page further back is not. */
  isLive: boolean
}

/** What views may ask of the shell. */
export interface Shell {
  place: Place
  /** Fetches the view again at once. */
  refresh(): void
}

export type MakeView = (shell: Shell) => View

/** Keeps the type of the data between `load` and `show`, which the shell does not know. */
export function view<D>(made: View<D>): View {
  return made as View
}
