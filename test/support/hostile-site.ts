/**
 * A site that treats its visitors badly: it never answers, drips, loops, asks, opens windows, leads
 * inward, takes memory. It stands at many addresses of the loopback, each a site of its own.
 */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { httpServer, type TestServer } from '../integration/net/servers.ts'
import { HOSTILE_PAGES } from './hostile-pages.ts'

const DRIP_MS = 200
/** Nobody listens there, and nobody may ask: port 9 of this machine, and the clouds' metadata. */
const INWARD = 'http://127.0.0.1:9/inward'
const METADATA = 'http://169.254.169.254/latest/meta-data/'

/** Writes `drop` again and again for as long as somebody reads. */
function drip(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

const html =
  (body: string) =>
  (response: ServerResponse): void =>
    void response.setHeader('content-type', 'text/html; charset=utf-8').end(body)
const to =
  (location: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(302, { location }).end()

interface Habit {
  answer(response: ServerResponse): void
  /**
   * What a call for a drawn page may come to: 'shown', or the `details.reason` of an error. Where
   * there are several, it depends on how fast the machine is.
   */
  ends: readonly string[]
}
const page = (body: string, ...ends: string[]): Habit => ({ answer: html(body), ends })
let step = 0

/** What the site does, by path. */
export const HABITS: Readonly<Record<string, Habit>> = {
  '/plain': page('<h1>Plain</h1><p>Some text of some length.</p>', 'shown'),
  '/never': { answer: () => undefined, ends: ['timeout'] },
  '/head-only': {
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders(),
    ends: ['shown', 'timeout', 'capture'],
  },
  '/head-drip': {
    answer: (response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n')
      drip(response, () => response.socket?.write('x-drop: drop\r\n'))
    },
    ends: ['timeout'],
  },
  '/drip': {
    answer: (response) => {
      response.setHeader('content-type', 'text/html').write('<h1>Dripping</h1><p>Some text</p>')
      drip(response, () => response.write('<p>drop</p>'))
    },
    ends: ['shown'],
  },
  '/cut': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' })
      response.write('<h1>Cut')
      setTimeout(() => response.destroy(), DRIP_MS)
    },
    ends: ['shown', 'capture', 'unreachable', 'connect'],
  },
  '/undecodable': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      response.end('<h1>Plain</h1><p>Some text of some length.</p>')
    },
    ends: ['unreachable'],
  },
  '/reset': { answer: (response) => response.destroy(), ends: ['unreachable', 'connect'] },
  '/loop': { answer: to('/loop'), ends: ['too_many_redirects'] },
  '/far-loop': {
    answer: (response) => to(`/far-loop?${step++}`)(response),
    ends: ['too_many_redirects'],
  },
  '/refresh-loop': page(
    '<meta http-equiv="refresh" content="0"><h1>Again</h1>',
    'shown',
    'timeout',
    'capture',
  ),
  '/script-loop': page(
    '<h1>Loop</h1><script>setTimeout(() => location.reload(), 50)</script>',
    'shown',
    'timeout',
    'capture',
  ),
  '/busy': page('<h1>Busy</h1><script>for (;;) {}</script>', 'timeout', 'capture'),
  '/busy-later': page(
    '<h1>Busy</h1><script>onload = () => { for (;;) {} }</script>',
    'timeout',
    'capture',
  ),
  '/talk': page(
    `<h1>Talk</h1><script>const long = 'x'.repeat(6e6); setInterval(() => console.log(long + Math.random()), 20)</script>`,
    'shown',
    'capture',
    'page_memory',
  ),
  '/errors': page(
    `<h1>Errors</h1><script>const long = 'x'.repeat(6e6); setInterval(() => { throw new Error(long + Math.random()) }, 20)</script>`,
    'shown',
    'capture',
    'page_memory',
  ),
  '/posts': page(
    `<h1>Posts</h1><script>const long = 'x'.repeat(6e6); setInterval(() => void fetch('/plain', { method: 'POST', body: long }).catch(() => 0), 50)</script>`,
    'shown',
    'capture',
    'page_memory',
  ),
  '/own-functions': page(
    `<h1>Own</h1><p>Some text of some length.</p><script>
      const long = () => 'x'.repeat(1e8)
      Math.max = long
      for (const [of, name] of [[window, 'scrollX'], [document, 'fonts'], [document, 'body'], [document, 'createDocumentFragment'], [Element.prototype, 'outerHTML'], [Element.prototype, 'scrollHeight']])
        Object.defineProperty(of, name, { get: long })
    </script>`,
    'shown',
  ),
  '/dialogs': page(
    '<h1>Ask</h1><script>alert(1); confirm(2); prompt(3); print()</script>',
    'shown',
  ),
  '/dialog-loop': page(
    '<h1>Ask</h1><script>for (;;) alert("again")</script>',
    'timeout',
    'capture',
  ),
  '/popups': page(
    '<h1>Open</h1><script>setInterval(() => { for (let i = 0; i < 20; i++) open("/popups") }, 20)</script>',
    'shown',
    'capture',
    'page_memory',
  ),
  '/requests': page(
    '<h1>Ask</h1><script>setInterval(() => fetch("/never").catch(() => 0), 20)</script>',
    'shown',
  ),
  '/frames': page(
    '<h1>In me</h1><iframe src="/frames?1"></iframe><iframe src="/frames?2"></iframe>',
    'shown',
  ),
  '/history': page(
    '<h1>History</h1><script>setInterval(() => history.pushState(0, "", "?" + Math.random()))</script>',
    'shown',
  ),
  '/download': {
    answer: (response) =>
      void response.setHeader('content-disposition', 'attachment; filename=x.bin').end('x'),
    ends: ['download'],
  },
  '/bomb': {
    answer: (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(64 << 20, '<p>x'))),
    ends: ['shown', 'timeout', 'capture', 'page_memory'],
  },
  '/inward': { answer: to(INWARD), ends: ['ssrf'] },
  '/metadata': { answer: to(METADATA), ends: ['ssrf'] },
  '/inward-refresh': page(
    `<meta http-equiv="refresh" content="0;url=${INWARD}"><h1>Go</h1>`,
    'ssrf',
  ),
  '/inward-script': page(
    `<h1>Go</h1><script>location.href = ${JSON.stringify(INWARD)}</script>`,
    'ssrf',
  ),
  '/file': { answer: to('file:///etc/passwd'), ends: ['ssrf'] },
  '/memory': page(HOSTILE_PAGES['arrays']!(), 'page_memory', 'browser_memory', 'page_crashed'),
  '/memory-blobs': page(
    HOSTILE_PAGES['blobs']!(),
    'page_memory',
    'browser_memory',
    'page_crashed',
    'shown',
  ),
  '/memory-nodes': page(
    HOSTILE_PAGES['nodes']!(),
    'page_memory',
    'browser_memory',
    'page_crashed',
    'shown',
    'capture',
    'timeout',
  ),
  '/memory-frames': page(
    HOSTILE_PAGES['frames']!(),
    'page_memory',
    'browser_memory',
    'page_crashed',
    'shown',
    'capture',
  ),
}

/** Starts the site; what it does not know is a plain page. */
export function hostileSite(): Promise<TestServer> {
  return httpServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    if (pathname === '/robots.txt') return void response.writeHead(404).end()
    const { answer } = HABITS[pathname] ?? HABITS['/plain']!
    answer(response)
  }, '0.0.0.0')
}

/** The `count` addresses at which the site stands, without a scheme: each is a site of its own. */
export const addressesOf = ({ port }: TestServer, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.1.${at + 1}:${port}`)
