/** The utils product: extract, schema, screenshot, pdf/extract and diff. */
import { Type } from 'typebox'
import { definePlugin, type ProductSpec, type Skill } from '#kernel'
import { MODEL_VARIABLES, modelSettings } from '#skillkit'
import { freeRoutes } from './catalog.ts'
import { diffSkill } from './diff/skill.ts'
import { batchSkill } from './extract/batch.ts'
import { extractSkill } from './extract/skill.ts'
import { pdfSkill } from './pdf/skill.ts'
import { schemaSkill } from './schema/skill.ts'
import { BrowserKeeper } from './screenshot/browser/keeper.ts'
import { DEFAULT_MEMORY } from './screenshot/browser/memory-watch.ts'
import { browserHealth } from './screenshot/health.ts'
import { screenshotSkill } from './screenshot/skill.ts'
import { CHROMIUM_PATH, VARIABLES } from './variables.ts'

const Config = Type.Object(
  {
    pageMemoryMib: Type.Integer({
      minimum: 128,
      maximum: 8192,
      default: DEFAULT_MEMORY.pageMib,
      description: 'Memory of one page, beyond 256 MiB for the browser that shows it',
    }),
    browserMemoryMib: Type.Integer({
      minimum: 512,
      maximum: 65_536,
      default: DEFAULT_MEMORY.totalMib,
      description: 'Memory of all browsers together',
    }),
  },
  { additionalProperties: false },
)

export default definePlugin({
  id: 'utils',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Config,
  variables: [...VARIABLES, ...MODEL_VARIABLES],
  requires: ['outbound'],
  setup(env) {
    const { pageMemoryMib, browserMemoryMib } = env.config
    const keeper = new BrowserKeeper({
      chromiumPath: env.variable(CHROMIUM_PATH) ?? undefined,
      log: env.log,
      memory: { pageMib: pageMemoryMib, totalMib: browserMemoryMib },
    })
    const health = browserHealth(keeper)
    const browsing = { keeper, outbound: env.service('outbound') }
    const model = modelSettings(env)
    const skills = [
      extractSkill(model, browsing),
      batchSkill(model, browsing),
      schemaSkill(),
      screenshotSkill(browsing),
      pdfSkill(),
      diffSkill(),
    ]
    const toolsOf = (id: string): readonly string[] =>
      skills
        .find((skill: Pick<Skill, 'id' | 'tools'>) => skill.id === id)
        ?.tools.map(({ name }) => name) ?? []
    return {
      skills,
      routes: freeRoutes(env.product.spec as unknown as ProductSpec, toolsOf, [health]),
      health: [health],
      // Unpacking the packaged browser takes seconds: it goes on beside the start.
      ready: async () => void keeper.locate(),
      stop: () => keeper.stop(),
    }
  },
})
