/** Signing in by a link that is sent by e-mail: asking for one, the page that it opens, and its use. */
import type { Failure, RouteRequest } from '#kernel'
import { seeOther } from '../answers.ts'
import { secretOf } from '../cookies.ts'
import { pageResponse } from '../documents/layout.ts'
import { mailLinkBody, mailSentBody } from '../documents/sign-in.ts'
import { csrfOf } from '../secrets.ts'
import { safeNext } from '../site.ts'
import type { SignInDeps } from './contract.ts'
import { enter, ownerOf } from './entering.ts'
import { entrance, entranceAgain, formOf, type Refusal } from './entrance.ts'
import { emailOf, mailProof, sendLink, type MailDeps } from './mail.ts'
import { notProven } from './proof.ts'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export async function askMail(
  deps: SignInDeps,
  mail: MailDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const sent = await formOf(deps, request)
  if (!sent.ok) return sent.response
  const email = emailOf(sent.form.get('email') ?? '')
  if (email === null) {
    const said = { tone: 'bad', text: 'This is not an e-mail address.' } as const
    return entrance(deps, request.request, sent.next, said, 400)
  }
  const { visitor, next } = sent
  await sendLink(mail, { email, visitor, address: request.clientAddress, accountId: null, next })
  return pageResponse(deps.facts, {
    title: 'Look into your mail',
    forms: 'self',
    session: null,
    body: mailSentBody(deps.facts.site),
  })
}

export async function showLink(deps: SignInDeps, request: RouteRequest): Promise<Response> {
  const token = request.query.get('token') ?? ''
  const next = safeNext(deps.facts.site, request.query.get('next'))
  const visitor = secretOf(request.request, 'visitor', deps.facts.site)
  if (!TOKEN.test(token) || visitor === null) {
    const text =
      'This link works only in the browser in which you asked for it. Ask for another one here.'
    return entrance(deps, request.request, next, { tone: 'warn', text }, 400)
  }
  return pageResponse(deps.facts, {
    title: 'Sign in by e-mail',
    forms: 'self',
    session: null,
    body: mailLinkBody(deps.facts.site, { csrf: csrfOf(visitor), token, next }),
  })
}

export async function byLink(
  deps: SignInDeps,
  mail: MailDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const sent = await formOf(deps, request)
  if (!sent.ok) return sent.response
  const proof = await mailProof(mail.db, sent.visitor, sent.form.get('token') ?? '')
  const again = (refusal: Refusal): Response =>
    entranceAgain(deps, request.request, sent.next, refusal)
  if (!proof.ok) return again(proof)
  if (proof.addTo !== null) {
    const person = await deps.people.of(request)
    if (person?.accountId !== proof.addTo || person.role !== 'owner') {
      return again(
        notProven('Sign in to the account that the address is to be added to, and ask again'),
      )
    }
    const added = await deps.owners.add(person, proof.subject)
    return 'ok' in added ? added : seeOther(`${deps.facts.site.home}/settings`, added)
  }
  const owner = await ownerOf(deps, proof)
  const cookies = await enter(deps, request, { ...owner, way: 'email' })
  return 'ok' in cookies ? again(cookies) : seeOther(sent.next, cookies)
}
