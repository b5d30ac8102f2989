/** The skill kit, `@coinop/gateway/skillkit`: what several skills need and the kernel itself does not. */
export { groundOf, type Ground } from './ground.ts'
export { jobFailure, shareFull } from './job-failure.ts'
export {
  askModel,
  MODEL_TIMEOUT_MS,
  MODEL_VARIABLES,
  modelSettings,
  type ModelOutcome,
  type ModelQuestion,
  type ModelSettings,
} from './model.ts'
