/** What the kernel is handed: how events of accounts reach the operator and other instances. */
export { openCreditNotifications } from './credit-notifications.ts'
export { startEventDelivery } from './event-delivery.ts'
