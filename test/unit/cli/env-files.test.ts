/** Files of settings of which a part is lost on the way into the environment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { envFileTroubles } from '../../../cli/env-files.ts'

/** The troubles of a file of these bytes, which `env` was made of. */
function troubles(content: string | Buffer, env: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-env-files-'))
  try {
    const file = join(folder, '.env')
    writeFileSync(file, content)
    return envFileTroubles([join(folder, 'none'), file], env).map((line) =>
      line.replace(file, '.env'),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('a sign of references or comments in a secret is told of, without the secret', () => {
  const text = [
    'SMTP_URL=smtp://me:p$word@mail.example',
    "export SERVICE_TOKEN='abc${def}'",
    'METRICS_TOKEN=abc#def',
  ]
  const env = { SMTP_URL: 'smtp://me:p@mail.example', SERVICE_TOKEN: 'abc', METRICS_TOKEN: 'abc' }
  const told = troubles(text.join('\r\n'), env)
  expect(told).toEqual([
    expect.stringMatching(/^SMTP_URL in \.env lost a part: .*`\\\$`/),
    expect.stringMatching(/^SERVICE_TOKEN in \.env lost a part/),
    expect.stringMatching(/^METRICS_TOKEN in \.env ends at `#`.*quotes/),
  ])
  expect(told.join()).not.toMatch(/word|def/)
})

it('what arrives as it was meant, and what the environment itself sets, is no trouble', () => {
  const text = [
    '# a comment with $NOTHING',
    'HOST=127.0.0.1',
    'PUBLIC_URL=http://$HOST:4020',
    String.raw`ADMIN_TOKEN=a\$b`,
    'OPERATOR_NAME="Shop #1"',
    'PORT=4020 # the usual one',
    'LOG_LEVEL=$OTHER',
  ]
  const env = {
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1:4020',
    ADMIN_TOKEN: 'a$b',
    OPERATOR_NAME: 'Shop #1',
    PORT: '4020',
    LOG_LEVEL: '$OTHER',
  }
  expect(troubles(text.join('\n'), env)).toEqual([])
})

it('a file in UTF-16, as PowerShell writes one, is not read at all', () => {
  expect(troubles(Buffer.from('\ufeffPORT=4021\r\n', 'utf16le'), {})).toEqual([
    '.env is not UTF-8 text: nothing of it is used. Save it as UTF-8',
  ])
})
