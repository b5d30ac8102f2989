/** Where the gateway of 0.1.0 began, for service files that name this path; it begins in `bin/main.ts`. */
await import(`${import.meta.dirname}/../bin/main.ts`)
