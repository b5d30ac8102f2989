/** The environment variables of the portal: how mail leaves. */
import { optional, type Variable } from '#kernel'

/** A URL as nodemailer takes it. Without it there is no sign-in by e-mail and no notice by mail. */
export const SMTP_URL = optional('SMTP_URL', {
  expected: 'an smtp or smtps URL',
  example: 'smtps://user:password@mail.example.com',
  isSecret: true,
  accepts: (text) => URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol),
})
export const MAIL_FROM = optional('MAIL_FROM', {
  expected: 'an e-mail address, with a name if you like',
  example: 'Example <accounts@example.com>',
  accepts: (text) => /^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/.test(text) && text.length <= 200,
})

export const VARIABLES: readonly Variable[] = [SMTP_URL, MAIL_FROM]
