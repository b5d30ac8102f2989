/** Unpacks the packaged browser into this process's temp folder; `unpack.ts` starts it. */
import { join } from 'node:path'
import { inflate } from '@sparticuz/chromium'

const source = process.argv[2]!
for (const name of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
  await inflate(join(source, name))
}
