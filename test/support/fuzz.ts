/**
 * Property tests draw the same cases in every run, so that a red run can be repeated.
 * FUZZ_SEED draws others: a number, or `random`.
 */
import fc from 'fast-check'

const FIXED_SEED = 20_261_121

const asked = process.env['FUZZ_SEED']
if (asked !== 'random') fc.configureGlobal({ seed: asked ? Number(asked) : FIXED_SEED })
