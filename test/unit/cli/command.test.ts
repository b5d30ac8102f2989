/** Which command a command line means, and what is said when it means none. */
import { describe, expect, it } from 'vitest'
import { choose, helpText, type Command } from '../../../cli/command.ts'

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

describe('arguments of a command', () => {
  const of = (usage: string, ...words: string[]) =>
    choose([{ ...named('do'), usage, options: { all: { type: 'boolean' } } }], ['do', ...words])

  it('are at most those that its usage names', () => {
    expect(of('do', 'a')).toMatchObject({ ok: false })
    expect(of('do <a file or URL> [--all]', 'a', '--all')).toMatchObject({ positionals: ['a'] })
    expect(of('do <id> <credits> --all', '1', '2', '3')).toEqual({
      ok: false,
      message:
        "'3' is one argument too many: put a text of several words in quotes\nusage: coinop do <id> <credits> --all",
    })
    expect(of('do [folder] [--all]', 'a', 'b')).toMatchObject({ ok: false })
    expect(of('do <file> …', 'a', 'b', 'c')).toMatchObject({ ok: true })
    expect(of('a usage of another form', 'a', 'b')).toMatchObject({ ok: true })
  })

  it('that are no options of it are named in one sentence', () => {
    expect(of('do', '--al')).toEqual({
      ok: false,
      message: "Unknown option '--al'\nusage: coinop do",
    })
    const start = [{ ...named('start'), usage: 'start' }]
    expect(choose(start, ['start', '--port', '1'])).toMatchObject({
      message: expect.stringContaining("'--port'. Settings are environment variables"),
    })
  })
})

describe('helpText', () => {
  const many: Command[] = [
    ...commands,
    {
      ...named('key change'),
      usage: `key change <id> [--name N] ${'[--option VALUE] '.repeat(8).trim()}`,
    },
  ]

  it('has a line of at most 100 characters for each command, without its options', () => {
    const lines = helpText(many, undefined)!.split('\n')
    expect(lines.filter((line) => line.includes('key change'))).toEqual([
      '  key change     key change',
    ])
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('of a word has the options of its commands, in lines of 78 characters', () => {
    const lines = helpText(many, 'key')!.split('\n')
    expect(lines[0]).toBe('coinop key create <what>')
    expect(lines.join(' ').match(/\[--option VALUE\]/g)).toHaveLength(8)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78)
  })

  it('of a word that begins no command is none', () => {
    expect(helpText(many, 'start')).toBe('coinop start <what>\n    start')
    expect(helpText(many, 'nothing')).toBeNull()
  })
})
