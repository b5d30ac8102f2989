/**
 * Grey pixels made fit for OCR: shadows taken out and the table around a sheet painted white, tile by
 * tile, because the engine knows one threshold for the whole picture.
 */

/** One byte per pixel, 0 black to 255 white. */
export interface Grey {
  data: Uint8Array
  width: number
  height: number
}

/** Luminance (ITU-R BT.601) of RGBA pixels. */
export function greyOf(rgba: Uint8ClampedArray, width: number, height: number): Grey {
  const data = new Uint8Array(width * height)
  for (let i = 0, at = 0; i < data.length; i++, at += 4)
    data[i] = (rgba[at]! * 77 + rgba[at + 1]! * 150 + rgba[at + 2]! * 29) >> 8
  return { data, width, height }
}

interface Tiles {
  size: number
  columns: number
  rows: number
  /** The paper's brightness in each tile: its 90th percentile. */
  paper: Float32Array
  /** Between the 5th and the 90th percentile: ink or noise. */
  contrast: Float32Array
}

/** Every second pixel of every second row tells enough. */
const SAMPLE = 2

function tilesOf({ data, width, height }: Grey): Tiles {
  const size = Math.max(24, Math.round(Math.max(width, height) / 80))
  const columns = Math.ceil(width / size)
  const rows = Math.ceil(height / size)
  const paper = new Float32Array(columns * rows)
  const contrast = new Float32Array(columns * rows)
  const counts = new Uint32Array(256)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      counts.fill(0)
      let all = 0
      for (let y = row * size; y < Math.min(height, (row + 1) * size); y += SAMPLE)
        for (let x = column * size; x < Math.min(width, (column + 1) * size); x += SAMPLE) {
          counts[data[y * width + x]!]!++
          all++
        }
      const high = percentile(counts, all * 0.9)
      paper[row * columns + column] = high
      contrast[row * columns + column] = high - percentile(counts, all * 0.05)
    }
  return { size, columns, rows, paper, contrast }
}

function percentile(counts: Uint32Array, wanted: number): number {
  let seen = 0
  for (let value = 0; value < 256; value++) {
    seen += counts[value]!
    if (seen >= wanted) return value
  }
  return 255
}

/** Darker than this share of the sheet, with no ink: the table. */
const TABLE_SHARE = 0.72
const BLANK_CONTRAST = 55

/** Tiles of the table: dark and blank ones that connect to the picture's edge. */
function tableTiles(tiles: Tiles, white: number): Uint8Array {
  const { columns, rows, paper, contrast } = tiles
  const table = new Uint8Array(paper.length)
  const open: number[] = []
  const visit = (column: number, row: number): void => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return
    const at = row * columns + column
    if (table[at] || paper[at]! > white * TABLE_SHARE || contrast[at]! > BLANK_CONTRAST) return
    table[at] = 1
    open.push(at)
  }
  for (let column = 0; column < columns; column++) {
    visit(column, 0)
    visit(column, rows - 1)
  }
  for (let row = 0; row < rows; row++) {
    visit(0, row)
    visit(columns - 1, row)
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const column = at % columns
    const row = (at - column) / columns
    visit(column - 1, row)
    visit(column + 1, row)
    visit(column, row - 1)
    visit(column, row + 1)
  }
  return table
}

/** Light differs less than this over the picture: nothing to even out. */
const EVEN_SHARE = 0.86
/** Paper in shadow is taken for paper down to this share of the brightest. */
const SHADOW_FLOOR = 0.45

/** Evens the light of `grey` in place. */
export function evenLight(grey: Grey): void {
  const tiles = tilesOf(grey)
  const { columns, rows, paper, size } = tiles
  const white = paper.toSorted()[Math.floor(paper.length * 0.95)]!
  const table = tableTiles(tiles, white)
  const darkest = paper.reduce((min, p, i) => (table[i] ? min : Math.min(min, p)), 255)
  const hasTable = table.includes(1)
  if (!hasTable && darkest > white * EVEN_SHARE) return
  const level = smoothed(paper, table, columns, rows, white)
  const { data, width, height } = grey
  for (let y = 0; y < height; y++) {
    const v = Math.max(0, Math.min(rows - 1.001, (y + 0.5) / size - 0.5))
    const row = Math.floor(v)
    const below = Math.min(rows - 1, row + 1)
    const fy = v - row
    const tileRow = Math.floor(y / size) * columns
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (table[tileRow + Math.floor(x / size)]) {
        data[at] = 255
        continue
      }
      const u = Math.max(0, Math.min(columns - 1.001, (x + 0.5) / size - 0.5))
      const column = Math.floor(u)
      const right = Math.min(columns - 1, column + 1)
      const fx = u - column
      const here =
        (level[row * columns + column]! * (1 - fx) + level[row * columns + right]! * fx) *
          (1 - fy) +
        (level[below * columns + column]! * (1 - fx) + level[below * columns + right]! * fx) * fy
      data[at] = Math.min(255, (data[at]! * 255) / here)
    }
  }
}

/** The paper's brightness blurred over neighbouring tiles; the table counts as its neighbours. */
function smoothed(
  paper: Float32Array,
  table: Uint8Array,
  columns: number,
  rows: number,
  white: number,
): Float32Array {
  const out = new Float32Array(paper.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let sum = 0
      let weight = 0
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const [r, c] = [row + dy, column + dx]
          if (r < 0 || c < 0 || r >= rows || c >= columns || table[r * columns + c]) continue
          sum += paper[r * columns + c]!
          weight++
        }
      const mean = weight === 0 ? white : sum / weight
      out[row * columns + column] = Math.max(mean, white * SHADOW_FLOOR)
    }
  return out
}

/** Whether lines of text seem to run up and down: columns differ more than rows do. */
export function seemsSideways({ data, width, height }: Grey): boolean {
  const rows = new Float64Array(height)
  const columns = new Float64Array(width)
  for (let y = 0; y < height; y += SAMPLE)
    for (let x = 0; x < width; x += SAMPLE) {
      const ink = 255 - data[y * width + x]!
      rows[y] = rows[y]! + ink
      columns[x] = columns[x]! + ink
    }
  return roughness(columns) / height ** 2 > (1.5 * roughness(rows)) / width ** 2
}

/** Mean square of the steps between neighbours four apart. */
function roughness(profile: Float64Array): number {
  let sum = 0
  let count = 0
  for (let i = 4; i < profile.length; i += SAMPLE) {
    sum += (profile[i]! - profile[i - 4]!) ** 2
    count++
  }
  return sum / Math.max(count, 1)
}

/** Portable grey map (PGM): what the engine reads without unpacking. */
export function pgmOf({ data, width, height }: Grey): Uint8Array {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1')
  const bytes = new Uint8Array(head.length + data.length)
  bytes.set(head)
  bytes.set(data, head.length)
  return bytes
}
