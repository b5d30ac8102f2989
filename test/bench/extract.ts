/**
 * How well utils.extract reads: articles (token F1 of the text, hits of title, author and date),
 * embedded metadata (recall by syntax) and a caller's schema (exact and invented values). The
 * fixtures are own writing; the frozen ones were written after the code. Run: bun test/bench/extract.ts [--misses]
 */
import { BLOG_ARTICLES } from './extract/articles-blogs.ts'
import { FROZEN_ARTICLES } from './extract/articles-frozen.ts'
import { FIRST_ARTICLES } from './extract/articles-first.ts'
import { NEWS_ARTICLES } from './extract/articles-news.ts'
import { ODD_ARTICLES } from './extract/articles-odd.ts'
import { STYLE_ARTICLES } from './extract/articles-styles.ts'
import { SECOND_PAGES } from './extract/unseen-second.ts'
import { SITE_PAGES } from './extract/unseen-sites.ts'
import { TALK_PAGES } from './extract/unseen-talk.ts'
import { JUDGED_TITLES } from './extract/judged-titles.ts'
import { TITLE_PAGES } from './extract/unseen-titles.ts'
import { WORK_PAGES } from './extract/unseen-work.ts'
import { WORLD_ARTICLES } from './extract/articles-world.ts'
import { FROZEN_CASES } from './extract/fill-frozen.ts'
import { LIFE_CASES } from './extract/fill-life.ts'
import { SHOP_CASES } from './extract/fill-shop.ts'
import { METADATA_PAGES } from './extract/metadata-pages.ts'
import { scoreArticles } from './extract/score-articles.ts'
import { scoreFill } from './extract/score-fill.ts'
import { scoreMetadata } from './extract/score-metadata.ts'
import { formatTable } from './lib/table.ts'

const percent = (share: number): string =>
  Number.isNaN(share) ? '' : `${(100 * share).toFixed(1)} %`
const misses: string[] = []

const articleSets = [
  ['first layouts', FIRST_ARTICLES],
  ['news', NEWS_ARTICLES],
  ['blogs, docs, wikis, forums', BLOG_ARTICLES],
  ['other languages', WORLD_ARTICLES],
  ['odd places', ODD_ARTICLES],
  ['habits of large sites', STYLE_ARTICLES],
  ['threads, mail, issues', TALK_PAGES],
  ['blogs and papers II', SITE_PAGES],
  ['manuals, shops, offices', WORK_PAGES],
  ['second unseen set', SECOND_PAGES],
  ['headlines hard to tell', TITLE_PAGES],
  ['headlines: never tuned on', JUDGED_TITLES],
  ['frozen: never tuned on', FROZEN_ARTICLES],
] as const
console.log(
  formatTable(
    ['articles', 'pages', 'text F1', 'title', 'author', 'date', 'invented', 'median ms'],
    articleSets.map(([name, pages]) => {
      const score = scoreArticles(pages)
      misses.push(...score.misses)
      return [
        name,
        String(score.pages),
        score.f1.toFixed(3),
        percent(score.title),
        percent(score.author),
        percent(score.date),
        String(score.invented),
        score.medianMs.toFixed(1),
      ]
    }),
  ),
)

console.log(
  `\n${formatTable(
    ['metadata', 'leaves', 'recall'],
    [...scoreMetadata(METADATA_PAGES)].map(([syntax, score]) => {
      misses.push(...score.misses)
      return [syntax, String(score.leaves), percent(score.found / score.leaves)]
    }),
  )}`,
)

const fillSets = [
  ['shop', SHOP_CASES],
  ['life', LIFE_CASES],
  ['frozen: never tuned on', FROZEN_CASES],
] as const
console.log(
  `\n${formatTable(
    ['schema filling', 'cases', 'said', 'exact', 'missed', 'wrong', 'not said', 'invented'],
    fillSets.map(([name, cases]) => {
      const score = scoreFill(cases)
      misses.push(...score.misses)
      return [
        name,
        String(score.cases),
        String(score.said),
        percent(score.exact / score.said),
        percent(score.missed / score.said),
        percent(score.wrong / score.said),
        String(score.silent),
        percent(score.invented / score.silent),
      ]
    }),
  )}`,
)

if (process.argv.includes('--misses')) console.log(`\n${misses.join('\n')}`)
