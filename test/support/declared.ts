/** What the shipped plugins say of their environment variables. */
import { declaredVariables } from '../../kernel/config/declared.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'

export const DECLARED = declaredVariables(SHIPPED_PLUGINS)
