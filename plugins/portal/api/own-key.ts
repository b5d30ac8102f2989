/** Names the gateway's own key of an account, by which pages buy for it. Nobody has its credential. */
export const PORTAL_KEY = 'portal'
