/** What Bun, which reads `.env` into the environment before anything here runs, makes of it unasked. */
import { readFileSync } from 'node:fs'
import type { Environment } from '../kernel/config/variable.ts'

/** Read by Bun where the gateway is started. */
export const ENV_FILES: readonly string[] = ['.env', '.env.local']

const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/
const QUOTED = /^(["'`])(.*)\1$/
/** `$NAME` and `${NAME}`, also in single quotes, unless a backslash stands before them. */
const REFERENCE = /(?<!\\)\$(?:(\w+)|\{(\w+)\})/g

/** What operators should know of these files: nothing of one was read, or a value lost a part. */
export function envFileTroubles(files: readonly string[], env: Environment): string[] {
  return files.flatMap((file) => {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      // Most folders have none. One that is closed is told of elsewhere.
      return []
    }
    // PowerShell's `>` writes UTF-16.
    if (text.includes('\0'))
      return [`${file} is not UTF-8 text: nothing of it is used. Save it as UTF-8`]
    return text.split(/\r?\n/).flatMap((line) => {
      const [, name, written] = LINE.exec(line) ?? []
      const lost = name === undefined ? null : lostPart(written!, env, env[name])
      return lost === null ? [] : [`${name} in ${file} ${lost}`]
    })
  })
}

/** What became of a value as it is written; null where nothing was lost, or another value is in use. */
function lostPart(written: string, env: Environment, used: string | undefined): string | null {
  const [, , inside] = QUOTED.exec(written) ?? []
  const value = inside ?? written
  if (used === value) return null
  // A secret may stand behind it, so the name that is read is not repeated.
  for (const [, bare, braced] of value.matchAll(REFERENCE))
    if (env[bare ?? braced!] === undefined)
      return 'lost a part: `$` begins the name of another variable. Write `\\$` for the sign itself'
  if (inside === undefined && /[^\s#]#/.test(value) && used === value.slice(0, value.indexOf('#')))
    return 'ends at `#`, which begins a comment. Put the value in quotes'
  return null
}
