/**
 * Configuration from environment variables only: the kernel's own and those that plugins declare are
 * read together, so that the start reports all problems at once and `coinop config` prints each
 * effective value with its origin.
 */
import type { Config, ConfigLine, ReadVariables } from '../kernel/config/config.ts'
import { declaredVariables, type Declaring } from '../kernel/config/declared.ts'
import {
  isWrong,
  textOf,
  valueOf,
  type Environment,
  type Variable,
  type VariableProblem,
  type VariableValues,
} from '../kernel/config/variable.ts'
import { VARIABLES } from '../kernel/config/variables.ts'
import { localUrl } from '../kernel/net/local-url.ts'
import { kernelContradictions } from './config-problems.ts'

const GOT_MAX = 200

export type LoadedConfig =
  | { ok: true; config: Config; values: VariableValues; lines: ConfigLine[] }
  | { ok: false; problems: VariableProblem[] }

/**
 * The effective configuration, or every problem of the environment at once. Variables of `plugins`
 * are checked and shown whether or not a product uses them.
 */
export function loadConfig(env: Environment, plugins: readonly Declaring[] = []): LoadedConfig {
  const declared = declaredVariables(plugins)
  const endsSandbox = [...Object.values<Variable>(VARIABLES), ...declared].some(
    (variable) => variable.endsSandbox && textOf(env, variable.name) !== null,
  )
  const own = { ...VARIABLES, sandbox: { ...VARIABLES.sandbox, fallback: !endsSandbox } }
  const listed = inOrder(Object.values(own), declared)
  const problems = listed.flatMap((variable) => problemOf(env, variable))
  const values: VariableValues = {
    // What a wrong SANDBOX was meant to say is not known, so nothing is asked of a live gateway.
    sandbox: isWrong(env, own.sandbox) || valueOf(env, own.sandbox),
    of: (variable) => valueOf(env, variable),
    isWrong: (variable) => problemOf(env, variable).length > 0,
  }
  problems.push(...plugins.flatMap((plugin) => plugin.contradictions?.(values) ?? []))
  problems.push(...kernelContradictions(values, declared))
  if (problems.length > 0) return { ok: false, problems }

  const read = Object.fromEntries(
    Object.entries(own).map(([member, variable]) => [member, valueOf<unknown>(env, variable)]),
  ) as ReadVariables
  const config: Config = {
    ...read,
    publicUrl: (read.publicUrl ?? localUrl(read.host, read.port)).replace(/\/+$/, ''),
    adminUrl: read.adminUrl === null ? null : new URL(read.adminUrl).origin,
  }
  const lines = listed.map((variable) => lineOf(env, variable))
  const publicUrl = lines.find(({ name }) => name === VARIABLES.publicUrl.name)
  if (publicUrl?.origin === 'default') publicUrl.value = config.publicUrl
  return { ok: true, config, values, lines }
}

function problemOf(env: Environment, variable: Variable): VariableProblem[] {
  const { name, expected, example, isSecret } = variable
  const text = textOf(env, name)
  const flaw = text === null ? null : flawOf(text)
  if (text === null || (flaw === null && variable.parse(text).ok)) return []
  return [
    { name, got: inOneLine(mask(text, isSecret)), expected: expected + (flaw ?? ''), example },
  ]
}

/**
 * What is wrong with a text whatever its variable is: `docker run --env-file` and others keep quotes,
 * so that a token would have them too. Line ends are allowed in a PEM.
 */
function flawOf(text: string): string | null {
  if (/^(["']).*\1$/s.test(text)) return ', without quotes around it'
  const line = text.includes('-----BEGIN') ? text.replaceAll(/\r?\n/g, '') : text
  return /\p{Cc}/u.test(line) ? ', in one line without control characters' : null
}

/** A wrong value may be a whole file. */
function inOneLine(shown: string): string {
  const line = shown.replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1))
  return line.length > GOT_MAX ? `${line.slice(0, GOT_MAX)}…(${line.length} characters)` : line
}

function lineOf(env: Environment, variable: Variable): ConfigLine {
  const { name, isSecret, fallback, fallbackText } = variable
  const text = textOf(env, name)
  if (text !== null) return { name, value: mask(text, isSecret), origin: 'environment' }
  const isNothing = fallback === null || (Array.isArray(fallback) && fallback.length === 0)
  const value = fallbackText ?? (isNothing ? '(not set)' : String(fallback))
  return { name, value, origin: 'default' }
}

function mask(value: string, isSecret: boolean | undefined): string {
  // A URL that is not secret may still hold a password or a key.
  if (!isSecret)
    return value
      .replaceAll(/:\/\/[^\s/@,]+@/g, '://…@')
      .replaceAll(/([?&][^=&\s,]*(?:key|token|secret|password|sig)[^=&\s,]*=)[^&#\s,]+/gi, '$1…')
  return value.length > 12 ? `${value.slice(0, 4)}…(${value.length} characters)` : '…'
}

/** The kernel's variables with those of plugins that follow them, then the plugins' others. */
function inOrder(own: readonly Variable[], declared: readonly Variable[]): Variable[] {
  const withFollowers = (variable: Variable): Variable[] => [
    variable,
    ...declared.filter(({ after }) => after === variable.name).flatMap(withFollowers),
  ]
  const placed = own.flatMap(withFollowers)
  return [...placed, ...declared.filter((variable) => !placed.includes(variable))]
}
