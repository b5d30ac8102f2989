/** What the kernel is handed: where orders to give charges back outlive the process. */
export { openGiveBackJournal } from './journal.ts'
