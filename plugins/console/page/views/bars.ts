/** Bars over time with an axis that says how much and when; the same as a table below. */
import { h } from '../../../shared/pages/dom.ts'
import { table } from '../../../shared/pages/table.ts'
import { moment } from '../../../shared/pages/when.ts'
import { csvButton } from './csv.ts'

const SVG = 'http://www.w3.org/2000/svg'
const HEIGHT = 200
/** As wide as the page, within bounds, so that the text in it is as large as other text. */
const WIDTH = { min: 320, max: 1248, margin: 24 }
/** Beside the bars stand their numbers, however long. */
const LEFT = { min: 52, character: 7, margin: 12 }
const BOTTOM = 22
const TOP = 8

/** One part of each bar, the lowest first. */
export interface Part<T> {
  /** Also the class that gives it its colour. */
  kind: string
  title: string
  valueOf(step: T): number
}

/** An element of a drawing. */
export function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, String(value))
  }
  return element
}

export function bars<T extends { at: string }>(
  title: string,
  steps: readonly T[],
  parts: readonly Part<T>[],
  { format = String, stepSeconds }: { format?: (value: number) => string; stepSeconds: number },
): HTMLElement {
  const sumOf = (step: T): number => parts.reduce((sum, { valueOf }) => sum + valueOf(step), 0)
  const top = niceTop(Math.max(0, ...steps.map(sumOf)))
  const marks = [0, top / 2, top]
  const longest = Math.max(...marks.map((value) => format(value).length))
  const left = Math.max(LEFT.min, longest * LEFT.character + LEFT.margin)
  const whole = Math.max(WIDTH.min, Math.min(WIDTH.max, innerWidth - WIDTH.margin))
  const svg = shape('svg', {
    viewBox: `0 0 ${whole} ${HEIGHT}`,
    // Not larger than it was drawn when the window grows: its text would grow as well.
    width: whole,
    role: 'img',
    'aria-label': `${title}: ${parts.map((part) => `${part.title} ${format(totalOf(steps, part))}`).join(', ')}`,
  })
  const height = HEIGHT - TOP - BOTTOM
  const y = (value: number): number => TOP + height - (value / top) * height
  for (const value of marks) {
    svg.append(
      shape('line', { x1: left, x2: whole, y1: y(value), y2: y(value), class: 'grid' }),
      text(format(value), { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }),
    )
  }
  const width = (whole - left) / Math.max(1, steps.length)
  for (const [index, step] of steps.entries()) {
    const x = left + index * width
    const group = shape('g', {})
    const said = shape('title', {})
    said.textContent = `${new Date(step.at).toLocaleString()}: ${parts
      .map((part) => `${format(part.valueOf(step))} ${part.title}`)
      .join(', ')}`
    group.append(said, shape('rect', { x, y: TOP, width, height, class: 'hit' }))
    let below = 0
    for (const { kind, valueOf } of parts) {
      const value = Math.max(0, valueOf(step))
      if (value === 0) continue
      const upper = y(below + value)
      group.append(
        shape('rect', {
          x: x + width * 0.1,
          y: upper,
          width: width * 0.8,
          height: Math.max(0.5, y(below) - upper),
          class: kind,
        }),
      )
      below += value
    }
    svg.append(group)
  }
  for (const index of [0, Math.floor(steps.length / 2), steps.length - 1]) {
    const step = steps[index]
    if (!step) continue
    const anchor = index === 0 ? 'start' : index === steps.length - 1 ? 'end' : 'middle'
    const x = index === steps.length - 1 ? whole : left + index * width
    svg.append(text(timeText(step.at, stepSeconds), { x, y: HEIGHT - 5, 'text-anchor': anchor }))
  }
  const columns = [
    { name: 'From', show: ({ at }: T) => moment(at) },
    ...parts.map((part) => ({
      name: part.title,
      isNumber: true,
      show: (step: T) => format(part.valueOf(step)),
    })),
  ]
  return h(
    'figure',
    { class: 'chart bars' },
    svg,
    h(
      'figcaption',
      {},
      parts.map((part) =>
        h('span', { class: `key ${part.kind}` }, `${format(totalOf(steps, part))} ${part.title}`),
      ),
    ),
    h(
      'details',
      {},
      h('summary', {}, `${title} as a table`),
      csvButton(title, [
        ['from', ...parts.map((part) => part.title)],
        ...steps.map((step) => [step.at, ...parts.map(({ valueOf }) => valueOf(step))]),
      ]),
      table(columns, steps, 'Nothing yet.'),
    ),
  )
}

function totalOf<T>(steps: readonly T[], { valueOf }: Part<T>): number {
  return steps.reduce((sum, step) => sum + valueOf(step), 0)
}

function text(said: string, attributes: Record<string, string | number>): SVGElement {
  const element = shape('text', attributes)
  element.textContent = said
  return element
}

/** 1, 2 or 5 times a power of ten, not below `highest`: half of it is a round number too. */
function niceTop(highest: number): number {
  if (highest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return ([1, 2, 5, 10].find((factor) => factor * power >= highest) ?? 10) * power
}

function timeText(iso: string, stepSeconds: number): string {
  const at = new Date(iso)
  return stepSeconds >= 6 * 3600
    ? at.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
    : at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
