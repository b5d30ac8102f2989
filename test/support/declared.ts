/** What the shipped plugins say of their environment variables. */
import { declaredVariables, type Declaring } from '../../kernel/config/declared.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'
import * as x402 from '../../plugins/x402/variables.ts'

export const DECLARING: readonly Declaring[] = [
  ...SHIPPED_PLUGINS,
  { id: 'x402', variables: x402.VARIABLES, contradictions: x402.contradictions },
]
export const DECLARED = declaredVariables(DECLARING)
