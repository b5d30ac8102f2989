import { expect, it } from 'vitest'
import { exceptLoopback } from '../../../cli/loopback.ts'

const OWN = '127.0.0.1,localhost,[::1],::1'

it.each([
  [{}, {}],
  [{ NO_PROXY: 'a.example' }, { NO_PROXY: 'a.example' }],
  [{ HTTP_PROXY: 'http://p' }, { HTTP_PROXY: 'http://p', NO_PROXY: OWN, no_proxy: OWN }],
  [
    { https_proxy: 'http://p', no_proxy: 'a.example, localhost', NO_PROXY: '' },
    {
      https_proxy: 'http://p',
      no_proxy: 'a.example,localhost,127.0.0.1,[::1],::1',
      NO_PROXY: 'a.example,localhost,127.0.0.1,[::1],::1',
    },
  ],
])('%j', (env: Record<string, string>, expected) => {
  exceptLoopback(env)
  expect(env).toEqual(expected)
})
