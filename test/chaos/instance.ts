/**
 * One instance of the chaos run as a process of its own, with its pool and its batchers. It is ended
 * by SIGTERM, or killed at any moment: its answers are in the file then, those that it gave.
 */
import { openSync, writeSync } from 'node:fs'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { connectDatabase } from '../../host/database/connect.ts'
import { silentLog } from '../support/log.ts'
import { runCallers, sweepUntil } from './caller.ts'
import type { Plan } from './plan.ts'

const plan = JSON.parse(process.argv[2]!) as Plan
const db = connectDatabase({ url: plan.url, kind: 'server', log: silentLog })
const ledger = createLedger(db)
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())

const file = openSync(plan.ackFile, 'a')
const stopping = stop.signal
await Promise.all([
  runCallers({
    ledger,
    plan,
    stopping,
    // Into the file system's memory at once: a killed process loses nothing that it was told.
    note: (ack) => void writeSync(file, `${JSON.stringify(ack)}\n`),
  }),
  sweepUntil(ledger, stopping),
])
await ledger.drain()
await db.close()
process.exit(0)
