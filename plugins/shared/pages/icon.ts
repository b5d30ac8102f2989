/** The mark of the pages as a data URI. */
export const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" fill="#b7791f"/><path d="M8 3.5v9" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>',
  )
