/** What `details.reason` of the utils skills' own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  http_status: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The site answered with the error status in `details.status`.',
    fix: 'Try again later where `retryable` is true; else take another address.',
  },
  // utils.extract
  content_type: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The document is of no type that is read.',
    fix: 'Send HTML, XML, JSON or text.',
  },
  model: {
    code: 'PROCESSING_FAILURE',
    meaning:
      '`require_llm` was set and the model failed (`retryable`), or this server has none configured.',
    fix: 'Leave `require_llm` out, or try again where `retryable` is true.',
  },
  answer_full: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The pages of a batch before this one filled its answer.',
    fix: 'Send the address in another call.',
  },
  // utils.diff
  document_kind: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'A document is neither an OpenAPI description nor a JSON Schema.',
    fix: 'Send two OpenAPI (2.0 to 3.2) or JSON Schema documents.',
  },
  // utils.pdf
  not_pdf: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The file is not a PDF.',
    fix: 'Send a PDF.',
  },
  too_large: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The PDF is larger than 10 MiB.',
    fix: 'Send a smaller one.',
  },
  encrypted: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The PDF is locked by a password.',
    fix: 'Send it without the password.',
  },
  broken: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The PDF cannot be read, or has no readable page.',
    fix: 'Send a repaired file.',
  },
  // utils.screenshot
  browser: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The browser is missing, did not start, or failed while it took the screenshot.',
    fix: 'Try again where `retryable` is true; else tell the operator.',
  },
  busy: {
    code: 'PROCESSING_FAILURE',
    retryable: true,
    meaning: 'The queue of the browser is full.',
    fix: 'Try again after `Retry-After`.',
  },
  page_memory: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The page takes more memory than a page may.',
    fix: 'Take another page.',
  },
  browser_memory: {
    code: 'PROCESSING_FAILURE',
    retryable: true,
    meaning: 'The browser takes more memory than it may, and is started anew.',
    fix: 'Try again after `Retry-After`.',
  },
  page_crashed: {
    code: 'PROCESSING_FAILURE',
    meaning: 'The page crashes the browser that shows it.',
    fix: 'Take another page.',
  },
  capture: {
    code: 'TIMEOUT',
    meaning: 'The page could not be captured in time.',
    fix: 'Try again, or ask for a smaller picture (`fullPage: false`).',
  },
  selector: {
    code: 'TIMEOUT',
    meaning: 'Nothing that `wait_for` or `selector` names was seen on the page in time.',
    fix: 'Check the selector, or wait for something that is there.',
  },
  download: {
    code: 'UNSUPPORTED_FORMAT',
    meaning: 'The address is a download and no page.',
    fix: 'Take the address of a page.',
  },
  unreachable: {
    code: 'UPSTREAM_FAILURE',
    meaning: "The page cannot be loaded; `details.error` is the browser's own code.",
    fix: 'Check the address, or try again later.',
  },
})
