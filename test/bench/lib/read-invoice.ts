/** Reads one invoice as a sale would, for benches that score others' documents. */
import { readDocument, type ReadJob } from '../../../plugins/docintel/pipeline.ts'
import { photoLook, photoOfPdf } from '../../support/docintel-fixtures/made/photo.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'

type Read = Extract<Awaited<ReturnType<typeof readDocument>>, { ok: true }>

/** A PDF as it is, or a photo of its first page whose look follows from its number in the set. */
export async function sourceOf(
  pdf: Uint8Array,
  at: number,
  isPhoto: boolean,
): Promise<ReadJob['source']> {
  if (!isPhoto) return { kind: 'application/pdf', bytes: pdf }
  const look = photoLook(at, [''], seeded(at + 1))
  return { kind: 'image/jpeg', bytes: await photoOfPdf(pdf, look, seeded(at + 501)) }
}

/** What was read, and the CPU time of this process in milliseconds. Throws where nothing can be read. */
export async function readInvoice(
  name: string,
  source: ReadJob['source'],
): Promise<Pick<Read, 'result' | 'text'> & { cpuMs: number }> {
  const before = process.cpuUsage()
  const outcome = await readDocument({
    source,
    preferred: 'invoice',
    tier: 'auto',
    nowMs: Date.UTC(2025, 5, 1),
    ocr: 'embedded',
    ocrBudgetMs: 120_000,
  })
  if (!outcome.ok) throw new Error(`${name}: ${outcome.message}`)
  const { user, system } = process.cpuUsage(before)
  return { result: outcome.result, text: outcome.text, cpuMs: (user + system) / 1000 }
}
