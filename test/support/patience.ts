/**
 * How long tests wait (`vi.waitFor`, `vi.waitUntil`) for what comes by itself: far longer than it
 * takes, because on a busy machine anything may stand still for seconds.
 */
export const PATIENT = { timeout: 150_000, interval: 25 } as const
