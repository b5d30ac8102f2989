/** The plugins that ship with the gateway. Adding one is adding it here. */
import type { Plugin } from '#kernel'
import operatorConsole from './console/index.ts'
import demo from './demo/index.ts'
import docintel from './docintel/index.ts'
import mcp from './mcp/index.ts'
import proxy from './proxy/index.ts'
import topup from './topup/index.ts'
import utils from './utils/index.ts'
import webinfra from './webinfra/index.ts'
import x402 from './x402/index.ts'

export const SHIPPED_PLUGINS: readonly Plugin[] = [
  operatorConsole,
  demo,
  x402,
  topup,
  utils,
  docintel,
  mcp,
  proxy,
  webinfra,
]
