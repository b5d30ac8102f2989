/** A mail server on loopback that keeps what it is sent. */
import { expect } from 'vitest'
import { SMTPServer } from 'smtp-server'
import { freePort } from './ports.ts'
import { PATIENT } from './patience.ts'

export interface MailServer {
  /** For SMTP_URL. */
  url: string
  /** Texts with their headers, in the order in which they came. */
  mails: readonly string[]
  /** The first mail to this address, as soon as it has come. */
  mailTo(email: string): Promise<string>
  close(): void
}

export async function mailServer(): Promise<MailServer> {
  const mails: string[] = []
  const port = await freePort()
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        // Quoted-printable breaks lines with '=' at their end.
        mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async mailTo(email) {
      const found = () => mails.find((mail) => mail.includes(`To: ${email}`))
      await expect.poll(found, PATIENT).toBeTruthy()
      return found()!
    },
    close: () => smtp.close(),
  }
}
