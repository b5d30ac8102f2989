/** Values that may be there at once, so that a short answer costs no promise. */

/** What `use` makes of the value: at once if it is there, else when its promise resolves. */
export function andThen<T, U>(value: T | Promise<T>, use: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(use) : use(value)
}
