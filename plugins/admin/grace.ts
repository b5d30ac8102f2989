/** How long the credentials of a key stay valid after it got a new one. */
export const GRACE_MAX_S = 7 * 86_400
export const GRACE_DEFAULT_S = 86_400
