/**
 * The modules that plugins import by name. They lead to the very files that this gateway runs: a
 * second copy of the contract, installed beside a plugin, would have error classes and tables of its
 * own, and a plugin beside no copy would not load.
 */

/** Names of the contract of plugins; the short ones are those of before the package had a scope. */
const CONTRACT = ['@coinop/gateway', 'coinop']

/** Makes `import … from '@coinop/gateway'` in any plugin mean `contract`, and its skill kit `skillkit`. */
export function provideContract(contract: object, skillkit: object): void {
  Bun.plugin({
    name: 'contract of plugins',
    setup(build) {
      for (const name of CONTRACT) {
        build.module(name, () => ({ exports: { ...contract }, loader: 'object' }))
        build.module(`${name}/skillkit`, () => ({ exports: { ...skillkit }, loader: 'object' }))
      }
    },
  })
}
