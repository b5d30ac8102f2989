/** Things 0 to n − 1 that are joined in pairs and make groups by it. */
export class Groups {
  readonly #owner: number[]

  constructor(count: number) {
    this.#owner = Array.from({ length: count }, (_, i) => i)
  }

  /** The group of a thing, named by the least member. */
  of(i: number): number {
    let root = i
    while (this.#owner[root] !== root) root = this.#owner[root]!
    return root
  }

  /** Makes one group of the groups of two things. */
  join(a: number, b: number): void {
    const [x, y] = [this.of(a), this.of(b)]
    this.#owner[Math.max(x, y)] = Math.min(x, y)
  }
}
