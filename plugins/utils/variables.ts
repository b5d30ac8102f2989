/** The environment variables of the utils product. */
import { optional, optionalUrl, type Variable } from '#kernel'

/** Path of the browser that takes screenshots; null: one is looked for. */
export const CHROMIUM_PATH = optional('CHROMIUM_PATH', {
  expected: 'the path of a Chromium or Chrome',
  example: '/usr/bin/chromium',
})

const UPSTREAM_CREDENTIAL = {
  expected: 'a credential of the upstream',
  example: '…',
  isSecret: true,
  isOpenToProducts: true,
}
/** What products/utils.yaml names to have the same product done by another service. */
const UPSTREAM: readonly Variable[] = [
  optionalUrl('UTILS_UPSTREAM_URL', 'https://provider.example.com', { isOpenToProducts: true }),
  optional('UTILS_UPSTREAM_KEY', UPSTREAM_CREDENTIAL),
  optional('UTILS_UPSTREAM_KEY_ID', UPSTREAM_CREDENTIAL),
  optional('UTILS_UPSTREAM_SERVICE_TOKEN', UPSTREAM_CREDENTIAL),
]

export const VARIABLES: readonly Variable[] = [...UPSTREAM, CHROMIUM_PATH]
