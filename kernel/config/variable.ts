/** What an environment variable is: the kernel's own and those that plugins declare. */

export type Environment = Readonly<Record<string, string | undefined>>

export type Parsed<T> = { ok: true; value: T } | { ok: false }

/** An environment variable with the type of its value. */
export interface Variable<T = unknown> {
  name: string
  /** Text that follows 'expected': 'an http or https URL'. */
  expected: string
  example: string
  /** The value when it is not set. */
  fallback: T
  /** The fallback as an operator would write it, if that differs from its value. */
  fallbackText?: string
  /** A secret is masked wherever it is shown, and no product file may name it. */
  isSecret?: boolean
  /** Product files may name it as `${NAME}`, although it is a secret or not in PRODUCT_ENV. */
  isOpenToProducts?: boolean
  /** Without SANDBOX the gateway is a sandbox unless a variable like this is set. */
  endsSandbox?: boolean
  /** `coinop config` lists it after the variable of this name; absent: after all others. */
  after?: string
  /** Parses a trimmed, non-empty text; not ok if it does not match `expected`. */
  parse(text: string): Parsed<T>
}

/** Effective values of variables, and whether a given value was invalid. */
export interface VariableValues {
  readonly sandbox: boolean
  /** The value, or the fallback if it is not set or invalid. */
  of<T>(variable: Variable<T>): T
  isWrong(variable: Variable): boolean
}

/** One printable problem of the environment. */
export interface VariableProblem {
  name: string
  got: string
  expected: string
  example: string
}

/** What `coinop doctor` reports about one part of the setup. */
export interface SetupFinding {
  part: string
  state: 'ok' | 'missing' | 'failed'
  detail: string
}

/** The value of a variable, or its fallback if it is not set or invalid. */
export function valueOf<T>(env: Environment, variable: Variable<T>): T {
  const text = textOf(env, variable.name)
  const parsed = text === null ? null : variable.parse(text)
  return parsed?.ok ? parsed.value : variable.fallback
}

export function isWrong(env: Environment, variable: Variable): boolean {
  const text = textOf(env, variable.name)
  return text !== null && !variable.parse(text).ok
}

/** The trimmed text of a variable; null when it is not set or empty. */
export function textOf(env: Environment, name: string): string | null {
  return env[name]?.trim() || null
}
