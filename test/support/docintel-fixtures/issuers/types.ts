/** A PDF invoice fixture: a scene or HTML source, how its software draws, and what is true of it. */
import type { Truth } from '../types.ts'
import type { SceneStyle } from './scene.ts'

export interface IssuerFixture {
  name: string
  truth: Truth
  style?: SceneStyle
  /** Scene source (see scene.ts). */
  scene?: string
  /** HTML source, printed by Chromium. */
  html?: string
}

/** A fixture drawn from a scene. */
export const drawn = (
  name: string,
  truth: Truth,
  style: SceneStyle,
  scene: string,
): IssuerFixture => ({ name, truth, style, scene })

/** A fixture printed from HTML. */
export const printed = (name: string, truth: Truth, html: string): IssuerFixture => ({
  name,
  truth,
  html,
})

/** A page of A4 as billing software prints it; `more` are rules of its own. */
export const sheet =
  (look: { marginMm: number; font: string; cellPadding: string; more?: string }) =>
  (body: string): string =>
    `<!doctype html><meta charset="utf-8"><style>@page{size:A4;margin:${look.marginMm}mm}body{font:${look.font},sans-serif;margin:0}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:${look.cellPadding};vertical-align:top}.r{text-align:right}.f{display:flex;justify-content:space-between}${look.more ?? ''}</style>${body}`
