/** The HTML document: a frame for the script, and what to say without one. */
import { ICON } from '../shared/pages/icon.ts'
import { LATE } from '../shared/pages/late.ts'

/**
 * The page at `basePath` of the site at `siteUrl`, whose path a proxy puts before it. Neither holds a
 * character that means something in HTML.
 */
export function pageHtml(basePath: string, siteUrl: string): string {
  const folder = new URL(siteUrl).pathname.replace(/\/+$/, '') + basePath
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="coinop-base-path" content="${basePath}">
<title>Coinop console</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${folder}/console.css">
<script type="module" src="${folder}/console.js"></script>
</head>
<body>
<div id="app"><p class="late">${LATE}</p></div>
<noscript><main><h1>Coinop console</h1><p class="note warn">The console needs JavaScript. The same is told by the command line: npx coinop help.</p></main></noscript>
</body>
</html>
`
}
