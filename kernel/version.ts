/** The version of this gateway, as documents, traces and its own requests name it. */
export const VERSION = '0.1.0'
