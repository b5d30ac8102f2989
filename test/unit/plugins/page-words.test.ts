/** What pages say of browsers, and of the months of an account. */
import { expect, it } from 'vitest'
import { monthsSince } from '../../../plugins/portal/page/views/receipts.ts'
import { browserName } from '../../../plugins/shared/pages/browser-name.ts'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  ['Chrome on Linux', `${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`],
  [
    'Chrome on Android',
    `${MOZILLA} (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
  ],
  [
    'Edge on Windows',
    `${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/131.0 Safari/537.36 Edg/131.0`,
  ],
  ['Opera on Mac', `${MOZILLA} (Macintosh) ${WEBKIT} Chrome/130.0 Safari/537.36 OPR/115.0`],
  ['Firefox on Linux', `${MOZILLA} (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0`],
  [
    'Safari on iPhone',
    `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604`,
  ],
  ['Chrome on iPad', `${MOZILLA} (iPad; CPU OS 18_1 like Mac OS X) CriOS/131.0 Safari/604`],
  ['curl', 'curl/8.9.1'],
  ['python-requests', 'python-requests/2.32.3'],
  ['Mozilla/5.0 (compatible)', 'Mozilla/5.0 (compatible)'],
  ['something', 'something'],
])('%s', (name, agent) => {
  expect(browserName(agent)).toBe(name)
})

it('months of an account begin with it, twelve at most', () => {
  const now = new Date('2026-02-28T23:30:00Z')
  expect(monthsSince('2025-12-31T23:59:59Z', now)).toEqual(['2026-02', '2026-01', '2025-12'])
  expect(monthsSince('2026-02-28T23:00:00Z', now)).toEqual(['2026-02'])
  // The clock of the browser may be behind that of the gateway.
  expect(monthsSince('2026-03-01T00:00:00Z', now)).toEqual(['2026-02'])
  for (const long of ['2020-01-01T00:00:00Z', null]) {
    const months = monthsSince(long, now)
    expect([months.length, months.at(-1)]).toEqual([12, '2025-03'])
  }
})
