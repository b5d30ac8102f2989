/**
 * Prints why a document was read as it was: `bun plugins/docintel/explain.ts FILE [--receipt]`, for a
 * text, a PDF or a picture. The values weighed for a field, the winner first, each with its rules.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sniff } from './input/bytes.ts'
import { readDocument } from './pipeline.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { receipt: { type: 'boolean', default: false } },
})
const [path] = positionals
if (!path) throw new Error('Name the file to be explained')
const bytes = new Uint8Array(readFileSync(path))
const kind = sniff(bytes)
const outcome = await readDocument({
  source:
    kind && kind !== 'text/plain'
      ? { kind, bytes }
      : { kind: 'text', text: new TextDecoder().decode(bytes) },
  preferred: values.receipt ? 'receipt' : 'invoice',
  tier: 'auto',
  nowMs: Date.now(),
  ocr: 'auto',
  ocrBudgetMs: 60_000,
  withReasons: true,
})
if (!outcome.ok) throw new Error(outcome.message)
if (!outcome.reasons) process.stdout.write('Read from the XML in it; no rules were needed.\n')
for (const { field, value, row, points, because } of outcome.reasons ?? []) {
  const place = row === null ? '' : `, row ${row + 1}`
  process.stdout.write(`${field}  ${value}${place}: ${points.toFixed(1)} points\n`)
  for (const { rule, points: own } of because)
    process.stdout.write(`    ${own > 0 ? '+' : ''}${own.toFixed(1)}  ${rule}\n`)
}
