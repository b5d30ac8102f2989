/** LibreOffice's reading of a file as PDF, in a folder and with a profile of its own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inOwnFolder = (make: (own: string) => void): Uint8Array => {
  const own = mkdtempSync(join(tmpdir(), 'invoice-office-'))
  try {
    make(own)
    return readFileSync(join(own, 'page.pdf'))
  } finally {
    rmSync(own, { recursive: true })
  }
}

function convert(own: string, file: string): void {
  const profile = `-env:UserInstallation=file://${own}/profile`
  const order = [profile, '--headless', '--convert-to', 'pdf', file]
  execFileSync('soffice', order, { cwd: own, stdio: 'ignore' })
}

export const drawRtf = (text: string): Uint8Array =>
  inOwnFolder((own) => {
    writeFileSync(join(own, 'page.rtf'), text)
    convert(own, 'page.rtf')
  })

/** A template of OpenDocument whose text is replaced by another; `template` is the path of its file. */
export const drawOpenDocument = (template: string, content: string): Uint8Array =>
  inOwnFolder((own) => {
    const inside = join(own, 'inside')
    execFileSync('unzip', ['-q', template, '-d', inside])
    writeFileSync(join(inside, 'content.xml'), content)
    execFileSync('zip', ['-q', '-0', '-X', '../page.odt', 'mimetype'], { cwd: inside })
    execFileSync('zip', ['-q', '-r', '-X', '../page.odt', '.', '-x', 'mimetype'], { cwd: inside })
    convert(own, 'page.odt')
  })
