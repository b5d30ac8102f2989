/** Mail by the operator's SMTP server. nodemailer is loaded by the first mail: it takes 21 MB. */
import { within, type Logger } from '#kernel'
import type { Transporter } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

const TIMEOUT_MS = 15_000
/** Every wait inside of one delivery, so that a silent server costs no more than TIMEOUT_MS. */
const STEP_TIMEOUT_MS = 10_000

export class Mailer {
  readonly #url: string
  readonly #from: string
  readonly #log: Logger
  #transport: Promise<Transporter> | null = null

  constructor(smtpUrl: string, from: string, log: Logger) {
    this.#url = smtpUrl
    this.#from = from
    this.#log = log
  }

  /** Whether the server took it. The log says why not, without the mail's text. */
  async send(mail: Mail): Promise<boolean> {
    try {
      const transport = await this.#open()
      const sent = transport.sendMail({
        ...mail,
        from: this.#from,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      await within(sent, TIMEOUT_MS, () => {
        throw new Error(`the SMTP server did not answer within ${TIMEOUT_MS} ms`)
      })
      return true
    } catch (error) {
      this.#log.error({ err: error, subject: mail.subject }, 'mail not sent')
      return false
    }
  }

  #open(): Promise<Transporter> {
    this.#transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(this.#url, {
        connectionTimeout: STEP_TIMEOUT_MS,
        greetingTimeout: STEP_TIMEOUT_MS,
        socketTimeout: STEP_TIMEOUT_MS,
      } as object),
    )
    return this.#transport
  }
}
