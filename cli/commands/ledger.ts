/** `coinop ledger verify` and `coinop ledger archive`. */
import { verifyArchives } from '../ledger-archive/check.ts'
import { archiveLedger } from '../ledger-archive/archive.ts'
import type { VerifyReport } from '../../kernel/ledger/contract.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../../kernel/plugins/command.ts'
import { printRecord, printRows, warn } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/

export const ledgerCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    usage: 'ledger verify [--archives FOLDER]',
    summary: 'check that every cent is where it should be; exit 1 and a list when not',
    options: { archives: { type: 'string' } },
    run: verify,
  },
  {
    name: 'ledger archive',
    isChange: true,
    usage: 'ledger archive --before YYYY-MM --to FOLDER',
    summary: 'move ended holds of the months before it, with their postings, into a file',
    options: { before: { type: 'string' }, to: { type: 'string' } },
    run: archive,
  },
]

async function verify(context: CommandContext): Promise<number> {
  const { archives: folder } = context.options
  const { verifyLedger, invariantsOfHolds } = context.machinery.reporting
  const checked = await withFoundation(
    context,
    async ({ db }) => ({
      ledger: await verifyLedger(db.sql),
      archives:
        typeof folder === 'string' ? await verifyArchives(db.sql, folder, invariantsOfHolds) : null,
      known: await archivesKnown(db.sql),
    }),
    'read',
  )
  const { ledger, archives } = checked
  const found: VerifyReport['violations'] = [...ledger.violations, ...(archives?.violations ?? [])]
  const record = {
    ok: found.length === 0,
    ...ledger.checked,
    ...(checked.known > 0 && {
      archives: checked.known,
      archivesRead: archives?.archives ?? 0,
      ...(archives && { archivedHolds: archives.holds }),
    }),
    ...(archives && archives.unknown.length > 0 && { unknownFiles: archives.unknown }),
    violations: found.length,
  }
  if (record.ok || process.stdout.isTTY) printRecord(record)
  // A program reads one document.
  else printRecord({ ...record, found: found.map((violation) => ({ ...violation })) })
  if (process.stdout.isTTY && !record.ok) printRows(found.map((violation) => ({ ...violation })))
  return record.ok ? EXIT.ok : EXIT.failed
}

async function archivesKnown(sql: SqlClient): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    SELECT count(*)::int AS count FROM coinop.ledger_archive`
  return row.count
}

async function archive(context: CommandContext): Promise<number> {
  const { before, to } = context.options
  const month = typeof before === 'string' ? MONTH.exec(before) : null
  if (month === null || typeof to !== 'string') {
    warn('usage: coinop ledger archive --before YYYY-MM --to FOLDER')
    return EXIT.usage
  }
  const since = new Date(Date.UTC(Number(month[1]), Number(month[2]) - 1, 1))
  return withFoundation(context, async ({ db }) => {
    const result = await archiveLedger(db.sql, { before: since, folder: to })
    switch (result.outcome) {
      case 'too_young':
        warn(
          `The last whole month stays in the ledger: --before ${result.latest.toISOString().slice(0, 7)} at the latest.`,
        )
        return EXIT.usage
      case 'not_folded':
        warn(
          `The daily sums of usage reach ${result.foldedTo} only; a running gateway folds the rest.`,
        )
        return EXIT.unavailable
      case 'archived': {
        const { outcome: _, ...record } = result
        printRecord(record)
        return EXIT.ok
      }
    }
  })
}
