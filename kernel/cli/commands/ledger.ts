/** `coinop ledger verify`: checks every invariant of the ledger and lists what is broken. */
import { verifyLedger } from '../../ledger/verify.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../../plugins/command.ts'
import { printRecord, printRows } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

export const ledgerCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    usage: 'ledger verify',
    summary: 'check that every cent is where it should be; exit 1 and a list when not',
    async run(context) {
      const report = await withFoundation(context, ({ db }) => verifyLedger(db.sql), 'read')
      const found = report.violations.map((violation) => ({ ...violation }))
      const record = { ok: report.ok, ...report.checked, violations: found.length }
      if (report.ok || process.stdout.isTTY) printRecord(record)
      // A program reads one document.
      else printRecord({ ...record, found })
      if (process.stdout.isTTY && !report.ok) printRows(found)
      return report.ok ? EXIT.ok : EXIT.failed
    },
  },
]
