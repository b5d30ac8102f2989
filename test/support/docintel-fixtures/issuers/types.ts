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
