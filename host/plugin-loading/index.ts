/** What `bin/main.ts` finds plugins by. */
export { provideContract } from './contract-modules.ts'
export { loadPlugins } from './loader.ts'
