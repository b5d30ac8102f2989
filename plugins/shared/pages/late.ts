/** What a page says whose script is long in coming or never comes; style/frame.css shows it late. */
export const LATE = 'Still loading. If nothing comes, load the page again.'
