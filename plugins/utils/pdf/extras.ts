/** What comes beside text and rows, where it is asked for. */
export const EXTRAS = ['markdown', 'csv', 'boxes', 'outline', 'metadata', 'links'] as const
export type Extra = (typeof EXTRAS)[number]
