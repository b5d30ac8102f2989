/** The report as a text for people: a changelog in Markdown or in plain lines. */
import type { Report } from './report.ts'
import type { Change, Level } from './types.ts'

const HEADINGS: Readonly<Record<Level, string>> = {
  breaking: 'Breaking',
  warning: 'Warnings (not proved safe)',
  info: 'Other changes',
}
const NOWHERE = 'Document'

/** One section for each level, one list for each operation; nothing that Markdown would act on. */
export function changelogOf(report: Report, form: 'markdown' | 'text'): string {
  const isMarkdown = form === 'markdown'
  const { breaking, warning, info } = report.summary
  const counts = `${breaking} breaking, ${warning} warnings, ${info} other changes`
  const lines = isMarkdown ? ['# API changes', '', counts] : [counts]
  for (const level of ['breaking', 'warning', 'info'] as const) {
    const changes = report.changes.filter((change) => change.level === level)
    if (changes.length === 0) continue
    lines.push('', isMarkdown ? `## ${HEADINGS[level]}` : `${HEADINGS[level]}:`)
    for (const [operation, own] of Map.groupBy(changes, (change) => change.operation ?? NOWHERE)) {
      lines.push('', isMarkdown ? `### ${escaped(operation)}` : `  ${operation}`)
      if (isMarkdown) lines.push('')
      for (const change of own) lines.push(isMarkdown ? markdownLine(change) : textLine(change))
    }
  }
  if (report.changes.length === 0) lines.push('', 'Nothing changed.')
  if (report.truncated) lines.push('', 'There are more changes than are listed.')
  return `${lines.join('\n')}\n`
}

const textLine = ({ message, location, id }: Change): string =>
  `    - ${message.replaceAll('`', "'")} [${id} at ${location || '/'}]`

/** The message has its names in backticks; what stands outside of them is escaped. */
function markdownLine({ message, location, id }: Change): string {
  const parts = message.split(/(`[^`]*`)/)
  const text = parts.map((part) => (part.startsWith('`') ? part : escaped(part))).join('')
  return `- ${text} (\`${id}\`, \`${(location || '/').replaceAll('`', "'")}\`)`
}

const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`)
