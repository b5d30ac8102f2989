/** How long parts of the work take at most that several skills share, in calls of the usual length. */

/** Fetching what an address leads to. */
export const FETCH_MS = 15_000
/** Telling scans from slides: it decodes every image of a page. */
export const LOOKING_MS = 6_000
