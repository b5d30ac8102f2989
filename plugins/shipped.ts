/** The plugins and product files that ship with the gateway. Adding a plugin is adding it here. */
import { fileURLToPath } from 'node:url'
import type { Plugin } from '#kernel'
import admin from './admin/index.ts'
import operatorConsole from './console/index.ts'
import documents from './documents/index.ts'
import demo from './demo/index.ts'
import docintel from './docintel/index.ts'
import mcp from './mcp/index.ts'
import oauth from './oauth/index.ts'
import mpp from './mpp/index.ts'
import plans from './plans/index.ts'
import portal from './portal/index.ts'
import proxy from './proxy/index.ts'
import publish from './publish/index.ts'
import receipts from './receipts/index.ts'
import scaffold from './scaffold/index.ts'
import storefront from './storefront/index.ts'
import topup from './topup/index.ts'
import utils from './utils/index.ts'
import wallet from './wallet/index.ts'
import webinfra from './webinfra/index.ts'
import x402 from './x402/index.ts'

export const SHIPPED_PLUGINS: readonly Plugin[] = [
  scaffold,
  storefront,
  admin,
  documents,
  operatorConsole,
  portal,
  demo,
  x402,
  mpp,
  topup,
  plans,
  utils,
  docintel,
  mcp,
  oauth,
  proxy,
  publish,
  receipts,
  wallet,
  webinfra,
]

/** Product files beside them, and those that a new folder of an operator begins with. */
export const SHIPPED_PRODUCTS = {
  folder: fileURLToPath(new URL('../products', import.meta.url)),
  starter: [
    'console',
    'demo',
    'mcp',
    'mpp',
    'oauth',
    'portal',
    'publish',
    'receipts',
    'topup',
    'wallet',
    'x402',
  ],
} as const
