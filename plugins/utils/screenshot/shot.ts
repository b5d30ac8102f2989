/** What is asked of the browser for one page, and what it gives. */
import type { Outbound } from '#kernel'
import type { View } from './view.ts'

export type Format = 'png' | 'jpeg' | 'webp' | 'pdf'
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

export interface Shot extends View {
  url: string
  fullPage: boolean
  format: Format
  /** Of jpeg and webp, 1..100. */
  quality?: number
  /** What is waited for beyond the page's own loading: a selector that is seen, or milliseconds. */
  waitFor?: string | number
  /** The one element that is shown. */
  selector?: string
  /** The part of the page that is shown, in CSS pixels. */
  clip?: Area
  hidesBanners?: boolean
}
/** Asks for the document as it stands once it is drawn, and for no picture. */
export type Drawing = Omit<Shot, 'format'> & { format: 'html' }
export interface Picture {
  ok: true
  /** The address that is shown, after redirects. */
  url: string
  /** Device pixels; of a PDF the paper in CSS pixels. */
  width: number
  height: number
  base64: string
  /** Height of the whole page in CSS pixels, where it is more than could be captured. */
  cutFrom?: number
  /** Every pixel is the same. */
  isBlank: boolean
  /** Consent banners that were hidden, where that was asked for. */
  bannersHidden?: number
}
/** The document of a page as its scripts left it. */
export interface DrawnPage {
  ok: true
  url: string
  html: string
}
/** What a picture has from start to end as a rule. */
export const SHOT_MS = 45_000

export interface CaptureOptions {
  outbound: Outbound
  signal: AbortSignal
  /** From start to picture; the last quarter of it is kept for the capture itself. */
  timeoutMs: number
  /**
   * The page is being closed, after the answer: true when that was done, and false when it could not
   * be and the browser should not be used any more.
   */
  onClosing(closing: Promise<boolean>): void
}
