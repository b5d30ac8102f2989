/** A way out for whoever waits for a wallet that says nothing. */
import { button } from './dom.ts'

/** Whoever pressed the button wanted this end: nothing is wrong. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/**
 * What the wallet answers. Meanwhile there is a button, which `show` puts on the page: pressed, the wait
 * fails with what `refusal` makes, and what the wallet answers later is not looked at.
 */
export async function unlessGivenUp<T>(
  answer: Promise<T>,
  refusal: () => GivenUp,
  show: (stop: HTMLElement) => void,
): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = button('Stop waiting for the wallet', () => stopped.reject(refusal()))
  show(stop)
  try {
    return await Promise.race([answer, stopped.promise])
  } finally {
    stop.remove()
  }
}
