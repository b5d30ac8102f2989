/** `coinop ledger verify`: checks every invariant of the books and lists what is broken. */
import { verifyLedger } from '../../ledger/verify.ts'
import { EXIT, type Command } from '../command.ts'
import { printRecord, printRows } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

export const ledgerCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    usage: 'ledger verify',
    summary: 'check that every cent is where it should be; exit 1 and a list when not',
    async run(context) {
      const report = await withFoundation(context, ({ db }) => verifyLedger(db.sql))
      printRecord({ ok: report.ok, ...report.checked, violations: report.violations.length })
      if (report.ok) return EXIT.ok
      printRows(report.violations.map((violation) => ({ ...violation })))
      return EXIT.failed
    },
  },
]
