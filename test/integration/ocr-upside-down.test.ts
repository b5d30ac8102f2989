/** A page stands upright also where its letters are too blurred for the classifier of the networks. */
import { expect, it } from 'vitest'
import { judgeMadePhoto } from '../bench/lib/made-verdicts.ts'

// Blurred type of a typewriter, on its side and on its head: of each the classifier's votes are nearly
// even, and for the other side.
it.each([290, 308])('blurred photo %i is read upright', async (at) => {
  const { verdicts } = await judgeMadePhoto(at)
  expect(verdicts.find(({ field }) => field === 'total')).toMatchObject({ isRight: true })
})
