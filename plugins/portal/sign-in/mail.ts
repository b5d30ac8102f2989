/**
 * Signing in by a link in a mail: 15 minutes, once, and only in the browser that asked. Mail scanners
 * open links, so opening one changes nothing; its page has a button.
 */
import { addressBlock, type Failure, type PluginDb } from '#kernel'
import type { Mailer } from '../mailer.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { Site } from '../site.ts'
import { notProven, type Proof } from './proof.ts'

export interface MailDeps {
  db: PluginDb
  site: Site
  mailer: Mailer
  operatorName: string
}

const TTL = '15 minutes'
/**
 * Mails that one mailbox gets, that one block of addresses may cause, and that this block may send to
 * this mailbox, within the time of a link. The last is the smallest, so that a stranger who asks for
 * somebody's mailbox does not use up what its owner may ask for.
 */
const PER_MAILBOX = 12
const PER_ADDRESS = 20
const PER_BOTH = 3
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,188}[a-z0-9])?$/

/** The address in the one way in which it is kept; null: it is none. */
export function emailOf(text: string): string | null {
  const email = text.trim().toLowerCase()
  return EMAIL.test(email) && email.includes('.', email.indexOf('@')) ? email : null
}

/**
 * Sends a link, unless mailbox or address had enough of them: whoever asks is told the same in each
 * case. Resolves before the mail has left.
 */
export async function sendLink(
  { db, site, mailer, operatorName }: MailDeps,
  order: {
    email: string
    visitor: string
    address: string
    /** The account that gets the address as a sign-in; null: whoever opens the link signs in. */
    accountId: string | null
    /** Where to go on after signing in, a path of this site. */
    next: string
  },
): Promise<void> {
  const secret = newSecret()
  const { email, visitor, accountId, next } = order
  const address = addressBlock(order.address)
  const made = await db.transaction(async (tx) => {
    // One after the other, always in this order: requests at once are counted as well.
    for (const counted of [email, address]) {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`mail ${counted}`])
    }
    return tx.query(
      `INSERT INTO mail_link (hash, browser_hash, email, address, account_id, expires_at)
       SELECT $1, $2, $3, $4, $8, now() + $5::interval
       WHERE (SELECT count(*) FROM mail_link
              WHERE email = $3 AND created_at > now() - $5::interval) < $6
         AND (SELECT count(*) FROM mail_link
              WHERE address = $4 AND created_at > now() - $5::interval) < $7
         AND (SELECT count(*) FROM mail_link
              WHERE email = $3 AND address = $4 AND created_at > now() - $5::interval) < $9
       RETURNING 1`,
      [
        hashOf(secret),
        hashOf(visitor),
        email,
        address,
        TTL,
        PER_MAILBOX,
        PER_ADDRESS,
        accountId,
        PER_BOTH,
      ],
    )
  })
  if (made.length === 0) return
  const link = new URL(`${site.uri}/sign-in/mail`)
  link.searchParams.set('token', secret)
  if (next !== site.home) link.searchParams.set('next', next)
  const [subject, wish] =
    accountId === null
      ? [`Sign in to ${operatorName}`, `sign in to ${operatorName} with this address`]
      : [
          `Add this address at ${operatorName}`,
          `add this address to an account at ${operatorName}, as a way to sign in to it`,
        ]
  void mailer.send({
    to: email,
    subject,
    text: [
      `Somebody, most likely you, wants to ${wish}.`,
      `Open this link within 15 minutes, in the browser in which you asked for it:`,
      link.href,
      `If it was not you, do nothing: the link works in that browser alone.`,
    ].join('\n\n'),
  })
}

/** Whose mailbox it is, by the token of a link; takes the token out. */
export async function mailProof(
  db: PluginDb,
  visitor: string | null,
  token: string,
): Promise<(Proof & { ok: true; addTo: string | null }) | Failure> {
  const [link] = await db.query<{ email: string; addTo: string | null }>(
    `UPDATE mail_link SET used_at = now()
     WHERE hash = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now()
     RETURNING email, account_id AS "addTo"`,
    [hashOf(token), hashOf(visitor ?? '')],
  )
  if (!link) {
    return notProven(
      'The link is used, older than 15 minutes, or of another browser: ask for another one here',
    )
  }
  return { ok: true, subject: `email:${link.email}`, name: link.email, addTo: link.addTo }
}

/** Links whose time is over. */
export const ENDED_LINKS = { table: 'mail_link', key: 'hash', isOver: 'expires_at <= now()' }
