/** What can be wrong with the environment, and how the start tells it. */
import { mayOpen } from '../kernel/config/product-env.ts'
import type { Variable, VariableProblem, VariableValues } from '../kernel/config/variable.ts'
import { VARIABLES } from '../kernel/config/variables.ts'
import { localUrl } from '../kernel/net/local-url.ts'

/** What a URL must not hold that paths are added to. */
const NO_BASE = /(?<=\/\/)[^/]*@|[?#].*/

/**
 * Combinations of the kernel's own variables that are each fine alone and wrong together, and an
 * address that makes no URL. A variable that is invalid on its own counts as set, because what the
 * operator meant is unknown.
 */
export function kernelContradictions(
  values: VariableValues,
  declared: readonly Variable[],
): VariableProblem[] {
  const { adminUrl, publicUrl, host, port, adminToken, productEnv } = VARIABLES
  const { eventsWebhookUrl, eventsWebhookSecret } = VARIABLES
  const problems: VariableProblem[] = []
  const add = ({ name, example }: Variable, got: string, expected: string): void => {
    problems.push({ name, got, expected, example })
  }
  const listensAt = values.of(host)
  if (!values.isWrong(host) && !isListenable(listensAt))
    add(host, listensAt, `${host.expected}, or a name of one, without a port`)
  if (NO_BASE.test(values.of(publicUrl) ?? '') && !values.isWrong(publicUrl))
    add(
      publicUrl,
      values.of(publicUrl)!.replace(NO_BASE, '…'),
      `${publicUrl.expected} without user name, query and fragment`,
    )
  const adminOrigin = values.of(adminUrl)
  const isPlaceWrong = [adminUrl, publicUrl, host, port].some((one) => values.isWrong(one))
  if (adminOrigin !== null && !isPlaceWrong) {
    const publicOrigin = values.of(publicUrl)
    const callersUrl = publicOrigin ?? localUrl(values.of(host), values.of(port))
    if (new URL(adminOrigin).host === new URL(callersUrl).host) {
      const taken = publicOrigin === null ? 'HOST and PORT' : 'PUBLIC_URL'
      add(adminUrl, adminOrigin, `another host or port than ${taken}`)
    }
  }
  if (!values.sandbox && values.of(adminToken) === null && !values.isWrong(adminToken)) {
    add(adminToken, '(not set)', `${adminToken.expected}, because SANDBOX is off`)
  }
  const isSigned = values.of(eventsWebhookSecret) !== null || values.isWrong(eventsWebhookSecret)
  if (values.of(eventsWebhookUrl) !== null && !isSigned) {
    const expected = `${eventsWebhookSecret.expected}, because ${eventsWebhookUrl.name} is set`
    add(eventsWebhookSecret, '(not set)', expected)
  }
  const withheld = values.of(productEnv).filter((name) => !mayOpen(name, declared))
  if (withheld.length > 0) {
    add(
      productEnv,
      withheld.join(','),
      'no secret of the gateway itself: whoever may write a product could read it; give a value that products need a name of its own',
    )
  }
  return problems
}

/** Whether it is an address, or may be the name of one. */
function isListenable(host: string): boolean {
  return /^[\w.:-]+$/.test(host) && URL.canParse(localUrl(host, 1))
}

/** The report of a start that failed: every problem with its name, value, expectation and an example. */
export function formatProblems(problems: readonly VariableProblem[]): string {
  const head = `coinop cannot start: ${problems.length} problem${problems.length === 1 ? '' : 's'} in the environment`
  const blocks = problems.map(
    (p) =>
      `  ${p.name}\n    got       ${p.got}\n    expected  ${p.expected}\n    example   ${p.name}=${p.example}`,
  )
  return [head, ...blocks].join('\n')
}
