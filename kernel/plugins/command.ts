/** Subcommands of `coinop` that a plugin brings. */
import type { ParseArgsConfig } from 'node:util'
import type { Books } from './administration.ts'
import type { VerifyReport } from '../ledger/contract.ts'
import type { ProductRow } from './product-desk.ts'

/** Exit codes of sysexits.h, so that a supervisor can tell a wrong setup from a failure. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, config: 78 } as const

export interface CommandLine {
  positionals: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
}

/** What a plugin's command may use beside its own code. */
export interface PluginCommandContext extends CommandLine {
  /** Base URL of the gateway that this configuration is about; it may not be running. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly productsDir: string
  /** SANDBOX: what the gateway takes is test money. */
  readonly sandbox: boolean
  /** Of the gateway. */
  readonly version: string
  /** Ids of the plugins that ship with the gateway. */
  readonly shippedPlugins: readonly string[]
  /** From ADMIN_TOKEN or from DATA_DIR; null where neither has it. */
  readonly adminToken: string | null
  /** A line on stdout. */
  say(line?: string): void
  /** A line on stderr. */
  warn(line: string): void
  /** One record: `name  value` lines on a terminal, a JSON object otherwise. */
  printRecord(record: Record<string, unknown>): void
  /** A table on a terminal, one JSON array otherwise. */
  printRows(rows: readonly Record<string, unknown>[]): void
  /** Says how this command is used, after why its line cannot be; the exit code for it. */
  usage(why?: string): number
  /**
   * Runs `work` on the keys, accounts and ledger of the configured database, whether or not a gateway
   * runs on it. One that only reads ('read') migrates nothing.
   */
  onBooks<T>(work: (books: Books) => Promise<T>, use?: 'read' | 'write'): Promise<T>
  /**
   * Copies the shipped product files into a folder (those to begin with, or all) and leaves alone those
   * that are there. The names of the written ones, without `.yaml`.
   */
  writeProducts(folder: string, isAll: boolean): string[]
  /** Checks every invariant of the ledger in the configured database. */
  verifyLedger(): Promise<VerifyReport>
  /** The products that the configured database has, those taken out of service too. */
  storedProducts(): Promise<readonly ProductRow[]>
  /** What is wrong with a text of product specs, one line each, without a plugin's own checks. */
  productProblems(text: string): string[]
  /**
   * Runs `work` on a sandbox gateway of its own: in this process, on a free port of 127.0.0.1, with an
   * embedded database in a temporary folder and the defaults of every plugin's variables. It ends,
   * and its folder goes, with the work or at the first signal.
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
  /** As `coinop help` shows it, after 'coinop': 'trigger EVENT [--key ID]'. */
  usage: string
  summary: string
  options?: ParseArgsConfig['options']
  /** What it did is kept with what operators change by admin routes. */
  isChange?: boolean
  /** The exit code, one of EXIT. */
  run(context: PluginCommandContext): Promise<number>
}
