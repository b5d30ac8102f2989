/** Pages that take memory without end, each in another part of the browser. */

/** Runs `step` again and again and leaves the page alive in between. */
const FOREVER = (step: string): string => `<script>
const hoard = []
const go = () => { const until = performance.now() + 50; while (performance.now() < until) { ${step} } setTimeout(go) }
go()
</script>`
const ARRAY = 'hoard.push(new Uint8Array(8 << 20).fill(7))'
const WORKER = `<script>new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`const hoard = []; for (;;) ${ARRAY}`)}])))</script>`
/** Draws so much that a canvas really has its memory. */
const PAINTED = (place: string): string =>
  `const canvas = document.createElement('canvas'); canvas.width = canvas.height = 4096; ${place}; const painter = canvas.getContext('2d'); painter.fillStyle = 'red'; painter.fillRect(0, 0, 4096, 4096); painter.getImageData(0, 0, 1, 1)`

/** HTML by name; none of them needs the network. */
export const HOSTILE_PAGES: Readonly<Record<string, () => string>> = {
  arrays: () => `<script>const hoard = []; for (;;) ${ARRAY}</script>`,
  heap: () =>
    '<script>const hoard = []; for (let i = 0; ; i++) hoard.push({ i, list: [i, i], text: `text ${i}` })</script>',
  strings: () =>
    FOREVER('hoard.push("x".repeat(1 << 20).split("").map(() => Math.random()).join())'),
  workers: () => WORKER.repeat(4),
  wasm: () =>
    FOREVER(
      'const memory = new WebAssembly.Memory({ initial: 256, maximum: 65536 }); hoard.push(memory); for (let k = 0; k < 16; k++) { memory.grow(64); new Uint8Array(memory.buffer).fill(9) }',
    ),
  canvases: () => FOREVER(PAINTED('hoard.push(canvas)')),
  shownCanvases: () => `<body>${FOREVER(PAINTED('document.body.append(canvas)'))}`,
  bitmaps: () =>
    '<script>const hoard = []; (async () => { const data = new ImageData(4096, 4096); data.data.fill(9); for (;;) hoard.push(await createImageBitmap(data)) })()</script>',
  webgl: () =>
    `<script>const gl = document.createElement('canvas').getContext('webgl'); const data = new Uint8Array(4096 * 4096 * 4).fill(5)</script>${FOREVER(`if (gl) { const texture = gl.createTexture(); hoard.push(texture); gl.bindTexture(gl.TEXTURE_2D, texture); gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4096, 4096, 0, gl.RGBA, gl.UNSIGNED_BYTE, data); gl.finish() } else ${ARRAY}`)}`,
  blobs: () => FOREVER('hoard.push(new Blob([new Uint8Array(8 << 20).fill(hoard.length)]))'),
  nodes: () =>
    `<body>${FOREVER('const part = document.createElement("div"); part.innerHTML = "<p style=\'color:red\'>x<b>y</b></p>".repeat(2000); document.body.append(part)')}`,
  frames: () =>
    `<body>${FOREVER(`if (hoard.length < 40) { const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts'; frame.srcdoc = ${JSON.stringify(`<script>const hoard = []; setInterval(() => hoard.length < 30 && ${ARRAY}, 20)<\\/script>`)}; document.body.append(frame); hoard.push(frame) }`)}`,
}
