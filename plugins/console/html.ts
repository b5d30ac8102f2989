/** The HTML document: a frame for the script, and what to say without one. */

const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" fill="#b7791f"/><path d="M8 3.5v9" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>',
  )

/** `basePath` holds no character that means something in HTML. */
export function pageHtml(basePath: string): string {
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
<link rel="stylesheet" href="${basePath}/console.css">
<script type="module" src="${basePath}/console.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. The same is told by the command line: npx coinop help.</noscript>
</body>
</html>
`
}
