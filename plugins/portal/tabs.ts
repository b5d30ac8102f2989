/** Links of the portal, for the frame of server-made pages and of the script's. */
export const TABS = [
  { path: '', title: 'Overview' },
  { path: 'keys', title: 'Keys' },
  { path: 'apps', title: 'Apps' },
  { path: 'calls', title: 'Calls' },
  { path: 'usage', title: 'Usage' },
  { path: 'webhooks', title: 'Webhooks' },
  { path: 'plan', title: 'Plan' },
  { path: 'buy', title: 'Buy' },
  { path: 'receipts', title: 'Receipts' },
  { path: 'settings', title: 'Settings' },
] as const

export type TabPath = (typeof TABS)[number]['path']
