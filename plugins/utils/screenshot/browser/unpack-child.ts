/** Unpacks the named archives into this process's temp folder; `unpack.ts` starts it. */
import { inflate } from '@sparticuz/chromium'

for (const archive of process.argv.slice(2)) await inflate(archive)
