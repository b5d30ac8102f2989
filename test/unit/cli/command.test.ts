/** Which command a command line means, and what is said when it means none. */
import { describe, expect, it } from 'vitest'
import { choose, commandsOf, type Command } from '../../../cli/command.ts'

const named = (name: string): Command => ({
  name,
  usage: `${name} <what>`,
  summary: name,
  run: async () => 0,
})
const commands = ['start', 'key create', 'key list', 'ledger verify'].map(named)

describe('choose', () => {
  it('takes one or two words', () => {
    for (const words of [['start'], ['key', 'list']])
      expect(choose(commands, words)).toMatchObject({
        ok: true,
        command: { name: words.join(' ') },
      })
  })

  it('names the second words of a first one that stands alone or before an unknown one', () => {
    expect(choose(commands, ['key'])).toMatchObject({
      ok: false,
      message: "'key' needs a second word:\n  coinop key create <what>\n  coinop key list <what>",
    })
    expect(choose(commands, ['ledger', 'show'])).toMatchObject({
      ok: false,
      message: "There is no 'ledger show':\n  coinop ledger verify <what>",
    })
    expect(choose(commands, ['keys'])).toMatchObject({ message: "There is no command 'keys'." })
  })
})

it('commandsOf narrows help to a word that is known', () => {
  const names = (word: string | undefined) => commandsOf(commands, word).map(({ name }) => name)
  expect(names('key')).toEqual(['key create', 'key list'])
  expect(names('start')).toEqual(['start'])
  expect(names('nothing')).toHaveLength(4)
  expect(names(undefined)).toHaveLength(4)
})
