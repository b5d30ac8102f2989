/** Who has which plan, when looks at the database overtake each other. */
import { expect, it } from 'vitest'
import { readPlans } from '../../../plugins/plans/config.ts'
import { Members } from '../../../plugins/plans/members.ts'
import { silentLog } from '../../support/log.ts'

const plans = readPlans({ plans: { pro: { price: { credits: 5 } } } })
const ROW = { accountId: 'a', planId: 'pro', isPresent: false }

/** Members whose looks are answered in the order that the test says. */
function members() {
  const looks: ((rows: (typeof ROW)[]) => void)[] = []
  const store = {
    inForce: () => new Promise<(typeof ROW)[]>((resolve) => looks.push(resolve)),
  }
  const signals = { notify: async () => {}, listen: async () => async () => {} }
  return { looks, members: new Members({ store, plans, signals, log: silentLog }) }
}

it('a look that began before a plan did takes its prices from nobody', async () => {
  const { looks, members: of } = members()
  const [old, fresh] = [of.changed(), of.changed()]
  looks[1]!([ROW])
  await fresh
  expect(of.planOf('a')).toBe(plans.get('pro'))
  looks[0]!([])
  await old
  expect(of.planOf('a')).toBe(plans.get('pro'))
})

it('a look that began after a plan had ended ends its prices', async () => {
  const { looks, members: of } = members()
  const [old, fresh] = [of.changed(), of.changed()]
  looks[0]!([ROW])
  await old
  looks[1]!([])
  await fresh
  expect(of.planOf('a')).toBeNull()
})

it('a plan that began before an instance could hear of it has its prices there', async () => {
  let rows: (typeof ROW)[] = []
  const store = { inForce: async () => rows }
  const signals = {
    notify: async () => {},
    listen: async () => {
      rows = [ROW]
      return async () => {}
    },
  }
  const of = new Members({ store, plans, signals, log: silentLog })
  await of.start()
  await of.stop()
  expect(of.planOf('a')).toBe(plans.get('pro'))
})
