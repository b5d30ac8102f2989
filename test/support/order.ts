/** The order in which the files of a run are begun. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files take seconds at most, with few exceptions. */
const SHORT = /\/test\/(unit|integration)\//
/** The exceptions whose files are so small that they would be the last of all. */
const LONG =
  /\/(ocr-upside-down|ocr-deadline|ledger\/chaos|x402\/contracts|cli\/tesseract|pdf\/skill|embedded-start)\.test\.ts$/

/**
 * Vitest begins with the largest files. Some of the longest are small, and one that was begun last had
 * the second processor idle for most of a minute: so the short ones are last.
 */
export class ShortOnesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isShort = ({ moduleId }: TestSpecification): boolean =>
      SHORT.test(moduleId) && !LONG.test(moduleId)
    return [...sorted.filter((file) => !isShort(file)), ...sorted.filter(isShort)]
  }
}
