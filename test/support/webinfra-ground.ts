/** What unit tests of the relay stand on: a database, a destination, and relays between them. */
import { beforeAll, beforeEach, expect } from 'vitest'
import { testDatabase, type TestDatabase } from './database.ts'
import { lifetimes } from './lifetimes.ts'
import { relayOver, type RelayHarness, type RelayOptions } from './webinfra.ts'
import { destinationServer, type DestinationServer } from './webinfra-destinations.ts'
import type { Database } from '../../kernel/storage/contract.ts'

export interface RelayGround {
  readonly database: TestDatabase
  /** Before each test it forgets what it got, and answers 200. */
  readonly destination: DestinationServer
  /**
   * An instance of the relay; its clock is right again before each test. It is closed after the test
   * that opened it, or after the last one; then the books must balance.
   */
  relay(options?: RelayOptions, db?: Database): Promise<RelayHarness>
}

/** Lays the ground for the tests of a file: call it outside of any test. */
export function relayGround(): RelayGround {
  let database!: TestDatabase
  let destination!: DestinationServer
  const relays = new Set<RelayHarness>()
  const closing = lifetimes()
  beforeAll(async () => {
    database = await testDatabase()
    closing(() => database.close())
    destination = await destinationServer()
    closing(() => destination.close())
  })
  beforeEach(() => {
    for (const { clock } of relays) clock.aheadMs = 0
    destination.got.length = 0
    destination.answer(200)
  })
  return {
    get database() {
      return database
    },
    get destination() {
      return destination
    },
    async relay(options, db = database.db) {
      const relay = await relayOver(db, options)
      relays.add(relay)
      closing(async () => {
        relays.delete(relay)
        expect(await relay.books()).toEqual([])
        await relay.close()
      })
      return relay
    },
  }
}
