/** What can be wrong with the environment, and how boot says it. */
import { VARIABLES, type Values } from './variables.ts'
import { localUrl } from '../net/local-url.ts'
import { mayOpen } from './product-env.ts'

/** One thing wrong with the environment, fit to print. */
export interface ConfigProblem {
  name: string
  got: string
  expected: string
  example: string
}

/**
 * Combinations that are each fine alone and wrong together. A variable that is `wrong` by itself
 * counts as set: what the operator meant by it is not known.
 */
export function contradictions(values: Values, wrong: ReadonlySet<string>): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const settles = values.X402_RPC_URL !== null && values.X402_SIGNER_KEY !== null
  const remote = wrong.has('X402_FACILITATOR_URL') || values.X402_FACILITATOR_URL.length > 0
  const isLive = !wrong.has('SANDBOX') && !values.SANDBOX
  if (values.SETTLEMENT_ADDRESS !== null && isLive && !settles && !remote) {
    problems.push({
      name: 'X402_FACILITATOR_URL',
      got: '(not set)',
      expected:
        'a facilitator, or X402_RPC_URL with X402_SIGNER_KEY, because SETTLEMENT_ADDRESS is set',
      example: VARIABLES.X402_FACILITATOR_URL.example,
    })
  }
  const isListWrong = wrong.has('X402_FACILITATOR_URL') || wrong.has('X402_FACILITATOR_AUTH')
  const { X402_FACILITATOR_AUTH: credentials, X402_FACILITATOR_URL: facilitators } = values
  if (!isListWrong && credentials.length > facilitators.length) {
    problems.push({
      name: 'X402_FACILITATOR_AUTH',
      got: `${credentials.length} credentials`,
      expected: `at most one for each of the ${facilitators.length} in X402_FACILITATOR_URL`,
      example: VARIABLES.X402_FACILITATOR_AUTH.example,
    })
  }
  const isPlaceWrong = ['ADMIN_URL', 'PUBLIC_URL', 'HOST', 'PORT'].some((name) => wrong.has(name))
  if (values.ADMIN_URL !== null && !isPlaceWrong) {
    const publicUrl = values.PUBLIC_URL ?? localUrl(values.HOST, values.PORT)
    if (new URL(values.ADMIN_URL).host === new URL(publicUrl).host)
      problems.push({
        name: 'ADMIN_URL',
        got: values.ADMIN_URL,
        expected: `another host or port than ${values.PUBLIC_URL === null ? 'HOST and PORT' : 'PUBLIC_URL'}`,
        example: VARIABLES.ADMIN_URL.example,
      })
  }
  if (values.X402_SIGNER_KEY !== null && values.X402_RPC_URL === null) {
    problems.push({
      name: 'X402_RPC_URL',
      got: '(not set)',
      expected: 'an RPC URL, because X402_SIGNER_KEY settles through it',
      example: VARIABLES.X402_RPC_URL.example,
    })
  }
  if (isLive && values.ADMIN_TOKEN === null) {
    problems.push({
      name: 'ADMIN_TOKEN',
      got: '(not set)',
      expected: `${VARIABLES.ADMIN_TOKEN.expected}, because SANDBOX is off`,
      example: VARIABLES.ADMIN_TOKEN.example,
    })
  }
  const withheld = wrong.has('PRODUCT_ENV') ? [] : values.PRODUCT_ENV.filter((n) => !mayOpen(n))
  if (withheld.length > 0) {
    problems.push({
      name: 'PRODUCT_ENV',
      got: withheld.join(','),
      expected:
        'no secret of the gateway itself: whoever may write a product could read it; give a value that products need a name of its own',
      example: VARIABLES.PRODUCT_ENV.example,
    })
  }
  return problems
}

/** The boot report: every problem with its name, value, expectation and an example. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  const head = `coinop cannot start: ${problems.length} problem${problems.length === 1 ? '' : 's'} in the environment`
  const blocks = problems.map(
    (p) =>
      `  ${p.name}\n    got       ${p.got}\n    expected  ${p.expected}\n    example   ${p.name}=${p.example}`,
  )
  return [head, ...blocks].join('\n')
}
