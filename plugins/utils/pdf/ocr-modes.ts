/** Which pages are recognised as they are drawn (OCR). */

/** 'auto': pages whose text cannot be read otherwise; 'force': all; 'off': none. */
export const OCR_MODES = ['auto', 'force', 'off'] as const
export type OcrMode = (typeof OCR_MODES)[number]
