#!/usr/bin/env node
// Where the program was before, for service files that name this path; it is in `bin/`.
await import(new URL('../../bin/coinop.mjs', import.meta.url))
