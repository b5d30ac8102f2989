/**
 * Scores the fifth set of invoices by others (`test/support/docintel-fixtures/fifth/documents.ts` says
 * whose), as PDF or as photos of the first page. Prepare a folder once: `npm install --prefix F
 * --ignore-scripts --legacy-peer-deps @faker-js/faker@9.9.0 admin-lte@3.2.0 mailgen@2.0.36
 * bootstrap@4.6.2`, there `npm pack gentelella@4.2.0 stisla@2.3.0 @tabler/preview@1.2.0`, and unpack
 * each one's folder `package` as x_gentelella, x_stisla and x_tabler-preview. The open part needs
 * @faker-js/faker, x_gentelella and x_tabler-preview alone. `bun test/bench/fifth-invoices.ts
 * --folder F --part sealed|open [--photos]`; of the open part `--faults total [--text]` too.
 */
import {
  fifthDocuments,
  fifthDrawer,
  partOf,
} from '../support/docintel-fixtures/fifth/documents.ts'
import { scoreLayouts } from './lib/score-layouts.ts'

await scoreLayouts({
  name: 'fifth',
  make: fifthDocuments,
  frozenSha256: {
    open: 'e9aee88b6c231e4ef8e6429299c5fa1ad2e7d7ae6699db033310aa9f1dd043a7',
    sealed: '6b0e76f51a8be5c267c0b972af340a20eae049766ad8d464b5d36cc37b692f47',
  },
  partOf: ({ maker }) => partOf(maker),
  drawer: fifthDrawer,
})
