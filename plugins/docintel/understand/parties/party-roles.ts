/** Who sells and who buys, chosen together over a table of weights. */
import type { PartyCandidate } from './party-facts.ts'
import { EMPTY, MARGIN_MIN, PAIR_WEIGHTS, PARTY_WEIGHTS } from './party-weights.ts'
import { pointsOf, type Score } from '../marks/rules.ts'

export type Role = 'seller' | 'buyer'

export interface RatedParty {
  candidate: PartyCandidate
  seller: Score
  buyer: Score
}

export interface ChosenParty {
  candidate: PartyCandidate
  /** Points between the best answer and the best one with somebody else, or nobody, in the role. */
  margin: number
}

export interface PartyRoles {
  /** Null where nobody is likely, or two are about as likely as each other. */
  seller: ChosenParty | null
  buyer: ChosenParty | null
  rated: RatedParty[]
}

/** The points of a candidate in a role, with what they are made of. */
function rate({ facts }: PartyCandidate, role: Role): Score {
  const because = PARTY_WEIGHTS.flatMap((weight) => {
    const points = weight.holds(facts) * weight[role]
    return points === 0 ? [] : [{ rule: weight.name, points }]
  })
  return { points: pointsOf(because), confirmed: 0, because }
}

/** The points that two parties have only together. */
function together(seller: RatedParty | null, buyer: RatedParty | null): number {
  if (!seller || !buyer) return 0
  return pointsOf(PAIR_WEIGHTS.filter(({ holds }) => holds(seller.candidate, buyer.candidate)))
}

/** The pair of seller and buyer with the most points; nobody holds both roles. */
export function assignRoles(candidates: readonly PartyCandidate[]): PartyRoles {
  const rated = candidates.map((candidate) => ({
    candidate,
    seller: rate(candidate, 'seller'),
    buyer: rate(candidate, 'buyer'),
  }))
  const holders = [null, ...rated]
  const pairs = holders
    .flatMap((seller) =>
      holders
        .filter((buyer) => buyer === null || buyer !== seller)
        .map((buyer) => ({
          seller,
          buyer,
          points:
            (seller?.seller.points ?? EMPTY.seller) +
            (buyer?.buyer.points ?? EMPTY.buyer) +
            together(seller, buyer),
        })),
    )
    .toSorted((a, b) => b.points - a.points)
  const best = pairs[0]!
  const chosen = (role: Role): ChosenParty | null => {
    const holder = best[role]
    if (!holder) return null
    const rival = pairs.find((pair) => pair[role] !== holder)!
    const margin = best.points - rival.points
    return margin < MARGIN_MIN ? null : { candidate: holder.candidate, margin }
  }
  return { seller: chosen('seller'), buyer: chosen('buyer'), rated }
}
