/** What a subcommand of `coinop` is, and how the command line finds and explains it. */
import { parseArgs } from 'node:util'
import type { Machinery } from '../kernel/compose/machinery.ts'
import type { Config, ConfigLine } from '../kernel/config/config.ts'
import type { VariableValues } from '../kernel/config/variable.ts'
import type { CommandLine, PluginCommand } from '../kernel/plugins/command.ts'
import type { LoadedPlugins } from '../kernel/plugins/loaded.ts'
import type { ShippedProducts } from './shipped-products.ts'

export interface CommandContext extends CommandLine {
  config: Config
  configLines: readonly ConfigLine[]
  /** Effective values of every variable, those of plugins included. */
  values: VariableValues
  plugins: LoadedPlugins
  machinery: Machinery
  shippedProducts: ShippedProducts
  env: Readonly<Record<string, string | undefined>>
  /** Name of the command, where it changes something that operators' changes are kept of. */
  changing?: string
}

/** As a plugin's command, with the whole context. */
export interface Command extends Omit<PluginCommand, 'run'> {
  /** The exit code. */
  run(context: CommandContext): Promise<number>
}

/** A command line that named no command, or named it wrongly. */
export type Chosen = ({ ok: true; command: Command } & CommandLine) | { ok: false; message: string }

/** Finds the command in `argv` (two words before one) and parses its options strictly. */
export function choose(commands: readonly Command[], argv: readonly string[]): Chosen {
  const two = argv.slice(0, 2).join(' ')
  const command =
    commands.find(({ name }) => name === two) ?? commands.find(({ name }) => name === argv[0])
  if (!command) return { ok: false, message: missing(commands, argv) }
  const rest = argv.slice(command.name.split(' ').length)
  try {
    const parsed = parseArgs({
      args: [...rest],
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    })
    const most = argumentsIn(command)
    if (parsed.positionals.length > most) {
      const extra = parsed.positionals[most]!
      return notRun(
        command,
        `'${extra}' is one argument too many: put a text of several words in quotes`,
      )
    }
    return {
      ok: true,
      command,
      positionals: parsed.positionals,
      options: parsed.values as CommandLine['options'],
    }
  } catch (error) {
    // What Node.js adds after its first sentence is about arguments that begin with a dash.
    const [problem] = (error as Error).message.split('. ', 1)
    const isSetting = command.name === 'start'
    return notRun(command, isSetting ? `${problem}. ${SETTINGS}` : problem!)
  }
}

const SETTINGS = 'Settings are environment variables: `coinop config` prints them.'

const notRun = (command: Command, problem: string): Chosen => ({
  ok: false,
  message: `${problem}\nusage: coinop ${command.usage}`,
})

/** How many arguments the usage of a command names, before its options. */
function argumentsIn({ name, usage }: Command): number {
  if (usage !== name && !usage.startsWith(`${name} `)) return Infinity
  const [names = ''] = usage.slice(name.length).split(/ \[?--/, 1)
  return names.includes('…') ? Infinity : (names.match(/<[^>]+>|\S+/g) ?? []).length
}

function missing(commands: readonly Command[], [word, second]: readonly string[]): string {
  const group = commands.filter(({ name }) => name.startsWith(`${word} `))
  if (group.length === 0) return `There is no command '${word}'.`
  const said =
    second === undefined ? `'${word}' needs a second word` : `There is no '${word} ${second}'`
  return [`${said}:`, ...group.map(({ usage }) => `  coinop ${usage}`)].join('\n')
}

/** Columns that the options of a command may fill in its help. */
const HELP_WIDTH = 78

/**
 * The text of `coinop help`: every command in a line, or those that begin with the word `about`, each
 * with its options. Null: none begins with it.
 */
export function helpText(commands: readonly Command[], about: string | undefined): string | null {
  if (about !== undefined) {
    const group = commands.filter(({ name }) => name.split(' ')[0] === about)
    return group.length === 0 ? null : detailsOf(group)
  }
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return [
    'Coinop sells machine work to programs and agents, one call at a time.',
    '',
    'usage: coinop <command>',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    '`coinop help <word>` shows the options of the commands that begin with it.',
    SETTINGS,
  ].join('\n')
}

function detailsOf(commands: readonly Command[]): string {
  return commands
    .flatMap(({ usage, summary }) => [...wrapped(`coinop ${usage}`), `    ${summary}`, ''])
    .join('\n')
    .trimEnd()
}

/** A usage in lines of HELP_WIDTH; an option in brackets stays in one line. */
function wrapped(usage: string): string[] {
  const lines: string[] = []
  for (const part of usage.match(/\[[^\]]*\]|\S+/g) ?? []) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(part)
    else if (last.length + 1 + part.length <= HELP_WIDTH)
      lines[lines.length - 1] = `${last} ${part}`
    else lines.push(`      ${part}`)
  }
  return lines
}
