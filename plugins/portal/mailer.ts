/** Mail by the operator's SMTP server. nodemailer is loaded by the first mail: it takes 21 MB. */
import { within, type Gauge, type Health, type Logger } from '#kernel'
import type { Transporter } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
  /** Where its receiver ends mails of this kind, by one POST without a session (RFC 8058). */
  endedAt?: string
}

const TIMEOUT_MS = 15_000
/** Every wait inside of one delivery, so that a silent server costs no more than TIMEOUT_MS. */
const STEP_TIMEOUT_MS = 10_000

/** 'refused': this one mailbox was, as anybody can have it who types an address. */
type Outcome = 'sent' | 'refused' | 'failed'

export class Mailer {
  readonly #url: string
  readonly #from: string
  readonly #log: Logger
  #transport: Promise<Transporter> | null = null
  readonly #counts = new Map<Outcome, number>([
    ['sent', 0],
    ['refused', 0],
    ['failed', 0],
  ])
  /** Why no mail leaves; null once one has. */
  #trouble: string | null = null

  constructor(smtpUrl: string, from: string, log: Logger) {
    this.#url = smtpUrl
    this.#from = from
    this.#log = log
  }

  /** Whether the server took it. The log says why not, without the mail's text. */
  async send({ endedAt, ...mail }: Mail): Promise<boolean> {
    try {
      const transport = await this.#open()
      const sent = transport.sendMail({
        ...mail,
        from: this.#from,
        headers: {
          // RFC 3834: else whoever is on holiday answers it.
          'Auto-Submitted': 'auto-generated',
          ...(endedAt !== undefined && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        ...(endedAt !== undefined && { list: { unsubscribe: endedAt } }),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      await within(sent, TIMEOUT_MS, () => {
        throw new Error(`the SMTP server did not answer within ${TIMEOUT_MS} ms`)
      })
      this.#trouble = null
      this.#count('sent')
      return true
    } catch (error) {
      const isMailbox = (error as { command?: unknown }).command === 'RCPT TO'
      if (!isMailbox) this.#trouble = messageOf(error)
      this.#count(isMailbox ? 'refused' : 'failed')
      this.#log.error({ err: error, subject: mail.subject }, 'mail not sent')
      return false
    }
  }

  /** Degraded from a mail that could not be sent until one is: whoever asked for it is not told. */
  health(): Health {
    return {
      name: 'mail',
      critical: false,
      timeoutMs: 1000,
      probe: async () =>
        this.#trouble === null
          ? { state: 'ok' }
          : { state: 'degraded', detail: `the last mail was not sent: ${this.#trouble}` },
    }
  }

  gauge(): Gauge {
    return {
      name: 'gateway_mails_total',
      help: 'Mails of the account pages, by how they ended',
      label: 'outcome',
      kind: 'counter',
      read: () => this.#counts,
    }
  }

  #count(outcome: Outcome): void {
    this.#counts.set(outcome, this.#counts.get(outcome)! + 1)
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

/** On one line: a server's answer can have several. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
