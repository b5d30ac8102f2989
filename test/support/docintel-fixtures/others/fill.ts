/** Fills the invoice templates of SQL-Ledger (`<%name%>`) and LedgerSMB (`<?lsmb name ?>`) with a sale. */

export type Values = Readonly<Record<string, string | readonly string[]>>

const one = (values: Values, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** Values with every list cut down to its entry `at`. */
const entry = (values: Values, at: number): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value[at] ?? ''),
    ]),
  )

/** A SQL-Ledger template; `foreach x` repeats for every entry of the list x. */
export function fillSqlLedger(template: string, values: Values): string {
  const block = /<%(foreach|if not|if)\s+(\w+)%>((?:(?!<%(?:foreach|if)\b)[\s\S])*?)<%end\s+\w+%>/
  let text = template.replaceAll(/<!--[\s\S]*?-->/g, '')
  for (;;) {
    const match = block.exec(text)
    if (!match) break
    const [whole, kind, name, body] = match as unknown as [string, string, string, string]
    const value = values[name]
    const filled =
      kind === 'foreach'
        ? (Array.isArray(value) ? (value as string[]) : [])
            .map((_, at) => fillSqlLedger(body, entry(values, at)))
            .join('')
        : (one(values, name) !== '') === (kind === 'if')
          ? body
          : ''
    text = text.slice(0, match.index) + filled + text.slice(match.index + whole.length)
  }
  return text.replaceAll(/<%(\w+)[^%]*%>/g, (_, name: string) => one(values, name))
}

/** Translations of a gettext file. */
export function translations(po: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, id, text] of po.matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm))
    found.set(id!, text!.replaceAll(String.raw`\n`, '\n'))
  return found
}

/** A LedgerSMB template; `parts` has the templates that it includes. */
export function fillLedgerSmb(
  template: string,
  values: Values,
  words: ReadonlyMap<string, string>,
  parts: Readonly<Record<string, string>>,
): string {
  const steps = template
    .replaceAll(/<\?lsmb-?\s*INCLUDE\s+(\w+)\s*-?\?>/g, (_, name: string) => parts[name] ?? '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/<\?lsmb-?([\s\S]*?)-?\?>/)
  let at = 0
  const value = (expression: string, loop: number): string => {
    const text = /^text\('((?:[^'\\]|\\.)*)'(?:,\s*([\w.${}]+))?\)/.exec(expression)
    if (text) {
      const word = words.get(text[1]!) ?? text[1]!
      return word.replaceAll('[_1]', text[2] ? value(text[2], loop) : '')
    }
    const [, name, index] = /^(\w+)(?:\.(\$\{loop_count\}|\d+))?/.exec(expression) ?? []
    const held = values[name ?? '']
    if (held === undefined || typeof held === 'string') return held ?? ''
    return held[index && /^\d/.test(index) ? Number(index) : loop] ?? ''
  }
  /** What follows up to the END or ELSE of this level; printed only where `shown`. */
  const run = (loop: number, shown: boolean): { text: string; stop: string } => {
    let text = ''
    for (; at < steps.length; at++) {
      if (at % 2 === 0) {
        if (shown) text += steps[at]!
        continue
      }
      const code = steps[at]!.trim().replace(/;$/, '')
      if (code === 'END' || code === 'ELSE') return { text, stop: code }
      const inline = /^IF \w+; .*?ELSE; (.*?); END$/s.exec(code.replaceAll(/\s+/g, ' '))
      const each = /^FOREACH (\w+)(?: IN .*)?$/.exec(code)
      const test = /^IF (\S+)$/.exec(code)
      if (inline) text += shown ? value(inline[1]!, loop) : ''
      else if (each) {
        const list = values[each[1]!]
        const count = shown && Array.isArray(list) ? list.length : 0
        const from = ++at
        for (let k = 0; k < Math.max(count, 1); k++) {
          at = from
          text += run(k, count > 0).text
        }
      } else if (test) {
        at++
        const holds = value(test[1]!, loop) !== ''
        const first = run(loop, shown && holds)
        text += first.text
        if (first.stop === 'ELSE') {
          at++
          text += run(loop, shown && !holds).text
        }
      } else if (shown && !code.includes('=')) text += value(code, loop)
    }
    return { text, stop: '' }
  }
  return run(0, true).text
}
