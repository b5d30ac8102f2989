/** Subcommands of `coinop` that plugins add. */
import type { ParseArgsConfig } from 'node:util'
import type { Books } from './administration.ts'
import type { VerifyReport } from '../ledger/contract.ts'
import type { ProductRow } from './product-desk.ts'

/** Exit codes of sysexits.h, so that a supervisor can distinguish a wrong setup from a failure. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, config: 78 } as const

export interface CommandLine {
  positionals: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** What the kernel gives a plugin's command. */
export interface PluginCommandContext extends CommandLine {
  /** Base URL of the configured gateway, which may not be running. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly productsDir: string
  /** SANDBOX: the gateway takes only test money. */
  readonly sandbox: boolean
  /** Version of the gateway. */
  readonly version: string
  /** Ids of the plugins that ship with the gateway. */
  readonly shippedPlugins: readonly string[]
  /** From ADMIN_TOKEN or DATA_DIR; null if neither has it. */
  readonly adminToken: string | null
  /** Prints a line on stdout. */
  say(line?: string): void
  /** Prints a line on stderr. */
  warn(line: string): void
  /** Prints one record: `name  value` lines on a terminal, a JSON object otherwise. */
  printRecord(record: Record<string, unknown>): void
  /** Prints a table on a terminal, one JSON array otherwise. */
  printRows(rows: readonly Record<string, unknown>[]): void
  /** Prints why the command line is wrong, if given, and the usage; returns the exit code. */
  usage(why?: string): number
  /**
   * Runs `work` on the keys, accounts and ledger of the configured database, whether or not a
   * gateway is running on it. With 'read', nothing is migrated. Of a command that `isChange`, a change
   * is recorded unless `work` returns null or a text, which says why nothing was changed.
   */
  onBooks<T>(work: (books: Books) => Promise<T>, use?: 'read' | 'write'): Promise<T>
  /**
   * Copies the shipped product files (the starter set, or all) into a folder without overwriting
   * existing ones. Returns the names of the written files, without `.yaml`.
   */
  writeProducts(folder: string, isAll: boolean): string[]
  /** Checks every invariant of the ledger in the configured database. */
  verifyLedger(): Promise<VerifyReport>
  /** The products in the configured database, including those taken out of service. */
  storedProducts(): Promise<readonly ProductRow[]>
  /** The problems of a text of product specs, one line each, without the plugins' own checks. */
  productProblems(text: string): string[]
  /**
   * Runs `work` on a temporary sandbox gateway: in this process, on a free port of 127.0.0.1, with
   * an embedded database in a temporary folder and the defaults of every plugin's variables. It
   * stops, and its folder is deleted, when the work ends or at the first signal.
   */
  withSandbox(work: (gateway: SandboxGateway) => Promise<number>): Promise<number>
}

/** A gateway that `withSandbox` started. */
export interface SandboxGateway {
  url: string
  adminToken: string
  verifyLedger(): Promise<VerifyReport>
}

export interface PluginCommand {
  /** 'trigger', or two words: 'product import'. */
  name: string
  /** As `coinop help` shows it after 'coinop': 'trigger EVENT [--key ID]'. */
  usage: string
  summary: string
  options?: ParseArgsConfig['options']
  /** It is recorded like the changes that operators make by admin routes. */
  isChange?: boolean
  /** Runs the command; returns the exit code, one of EXIT. */
  run(context: PluginCommandContext): Promise<number>
}
