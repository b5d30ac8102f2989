/** What the kernel is handed: how events of accounts reach the operator. */
export { startEventDelivery } from './event-delivery.ts'
