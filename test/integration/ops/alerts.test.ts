/**
 * What each shipped alert fires at, and what it lets pass, by Prometheus' own evaluation of the rules:
 * series of fifteen seconds as a gateway gives them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { skipPart } from '../../support/skips.ts'

interface Case {
  alert: string
  what: string
  /** Series and their values, in promtool's notation. */
  series: Record<string, string>
  after: string
  /** The labels of the alert that fires; null: none. */
  fires: Record<string, string> | null
}

const RULES = resolve(import.meta.dirname, '../../../deploy/prometheus-rules.yaml')
const HOUR = 240
const steady = (value: number, scrapes = HOUR): string => `${value}+0x${scrapes}`
const growing = (each: number, scrapes = HOUR): string => `0+${each}x${scrapes}`
const repeated = (values: string, times: number): string => Array(times).fill(values).join(' ')
const of = (name: string, labels: string, instance = 'a'): string =>
  `${name}{job="coinop",instance="${instance}"${labels && `,${labels}`}}`
const counted = (outcome: string, skill = 'a.b'): string =>
  of('gateway_calls_total', `skill="${skill}",rail="credits",outcome="${outcome}"`)
const answered = (status: string): string =>
  of('http_server_request_duration_seconds_count', `route="/x",method="POST",status="${status}"`)
const within = (le: string): string =>
  of(
    'http_server_request_duration_seconds_bucket',
    `route="/x",method="POST",status="200",le="${le}"`,
  )
const gauge = (name: string): string => of(name, '')
const check = (name: string, instance = 'a'): string =>
  of('gateway_check_state', `check="${name}"`, instance)
const breaker = of('gateway_breaker_state', 'upstream="w"')
const deliveries = (outcome: string): string =>
  of('gateway_deliveries_total', `outcome="${outcome}"`)
const events = (outcome: string): string =>
  of('gateway_events_total', `type="account.low_balance",outcome="${outcome}"`)
const mails = (outcome: string, instance = 'a'): string =>
  of('gateway_mails_total', `outcome="${outcome}"`, instance)
const skill = { skill: 'a.b' }

const CASES: readonly Case[] = [
  {
    alert: 'CoinopDown',
    what: 'one instance of two',
    series: { [gauge('up')]: steady(0), [of('up', '', 'b')]: steady(1) },
    after: '2m',
    fires: { job: 'coinop', instance: 'a' },
  },
  {
    alert: 'CoinopDatabaseLost',
    what: 'seen by one instance of two',
    series: { [check('database')]: steady(2), [check('database', 'b')]: steady(0) },
    after: '2m',
    fires: { check: 'database' },
  },
  {
    alert: 'CoinopDatabaseLost',
    what: 'a failover of twenty seconds',
    series: { [check('database')]: `0 0 2 2 ${steady(0, 20)}` },
    after: '2m',
    fires: null,
  },
  {
    alert: 'CoinopCheckFails',
    what: 'a degraded facilitator',
    series: { [check('x402')]: steady(1) },
    after: '20m',
    fires: { check: 'x402' },
  },
  {
    alert: 'CoinopCheckFails',
    what: 'checks with alerts of their own',
    series: {
      [check('database')]: steady(2),
      [check('mail')]: steady(1),
      [check('upstream:w')]: steady(2),
      [check('x402')]: steady(0),
    },
    after: '20m',
    fires: null,
  },
  {
    alert: 'CoinopSettlementStuck',
    what: 'a payment that waits',
    series: { [gauge('gateway_settlements_oldest_seconds')]: '0+15x40' },
    after: '10m',
    fires: {},
  },
  {
    alert: 'CoinopSettlementStuck',
    what: 'payments that take ten seconds each',
    series: { [gauge('gateway_settlements_oldest_seconds')]: steady(10) },
    after: '10m',
    fires: null,
  },
  {
    alert: 'CoinopProductRefused',
    what: 'one problem',
    series: { [gauge('gateway_product_problems')]: steady(1) },
    after: '6m',
    fires: {},
  },
  {
    alert: 'CoinopCallsFail',
    what: 'a fifth of the calls of one skill of two',
    series: {
      [counted('charged')]: growing(4),
      [counted('UPSTREAM_FAILURE')]: growing(1),
      [counted('charged', 'c.d')]: growing(4),
    },
    after: '25m',
    fires: skill,
  },
  {
    alert: 'CoinopCallsFail',
    what: 'calls that were refused',
    series: {
      [counted('charged')]: growing(1),
      [counted('INVALID_REQUEST')]: growing(9),
      [counted('INSUFFICIENT_CREDITS')]: growing(9),
    },
    after: '25m',
    fires: null,
  },
  {
    alert: 'CoinopSlow',
    what: 'a tenth of the answers after more than ten seconds',
    series: {
      [within('10')]: growing(9),
      [within('30')]: growing(10),
      [within('60')]: growing(10),
      [within('+Inf')]: growing(10),
    },
    after: '25m',
    fires: { route: '/x' },
  },
  {
    alert: 'CoinopSlow',
    what: 'answers within ten seconds',
    series: {
      [within('7.5')]: growing(9),
      [within('10')]: growing(10),
      [within('30')]: growing(10),
      [within('+Inf')]: growing(10),
    },
    after: '25m',
    fires: null,
  },
  {
    alert: 'CoinopHoldsGrow',
    what: 'holds that nobody ends',
    series: { [gauge('gateway_holds_open')]: '0+50x300' },
    after: '60m',
    fires: {},
  },
  {
    alert: 'CoinopBreakerOpen',
    what: 'a dead upstream under many calls',
    series: { [breaker]: `0 0 ${steady(2)}` },
    after: '7m',
    fires: { upstream: 'w' },
  },
  {
    alert: 'CoinopBreakerOpen',
    what: 'one that hangs: each probe waits for its timeout',
    series: { [breaker]: `0 0 ${repeated('2 2 1', 40)}` },
    after: '20m',
    fires: { upstream: 'w' },
  },
  {
    alert: 'CoinopBreakerOpen',
    what: 'a dead one that nobody calls',
    series: { [breaker]: `0 0 2 2 ${steady(1)}` },
    after: '20m',
    fires: { upstream: 'w' },
  },
  {
    alert: 'CoinopBreakerOpen',
    what: 'one that failed for a minute, now and then',
    series: { [breaker]: repeated('2 2 1 2 0 0', 20) },
    after: '20m',
    fires: null,
  },
  {
    alert: 'CoinopServerErrors',
    what: 'a tenth of all answers',
    series: { [answered('200')]: growing(9), [answered('503')]: growing(1) },
    after: '25m',
    fires: {},
  },
  {
    alert: 'CoinopServerErrors',
    what: 'refusals',
    series: { [answered('200')]: growing(1), [answered('402')]: growing(9) },
    after: '25m',
    fires: null,
  },
  {
    alert: 'CoinopEventsWait',
    what: 'events that nobody takes',
    series: { [gauge('gateway_events_pending')]: steady(200) },
    after: '16m',
    fires: {},
  },
  {
    alert: 'CoinopEventsWait',
    what: 'the attempts of one event',
    series: {
      [gauge('gateway_events_pending')]: steady(1),
      [events('failed')]: `_x4 1 1 ${steady(2, 8)} ${steady(3, 40)} ${steady(4, 120)}`,
    },
    after: '40m',
    fires: {},
  },
  {
    alert: 'CoinopEventsWait',
    what: 'a receiver that refuses now and then',
    series: {
      [gauge('gateway_events_pending')]: steady(3),
      [events('failed')]: growing(1),
      [events('delivered')]: growing(1),
    },
    after: '40m',
    fires: null,
  },
  {
    alert: 'CoinopWebhooksFail',
    what: 'attempts that all fail',
    series: { [deliveries('retrying')]: growing(1) },
    after: '35m',
    fires: {},
  },
  {
    alert: 'CoinopWebhooksFail',
    what: 'one dead destination beside others',
    series: { [deliveries('retrying')]: growing(1), [deliveries('succeeded')]: growing(1) },
    after: '35m',
    fires: null,
  },
  {
    alert: 'CoinopJobsWait',
    what: 'too many documents',
    series: { [gauge('gateway_jobs_queued')]: steady(9) },
    after: '11m',
    fires: {},
  },
  {
    alert: 'CoinopChargesCapped',
    what: 'a max that is too low',
    series: { [of('gateway_charges_capped_total', 'skill="a.b"')]: growing(1) },
    after: '60m',
    fires: skill,
  },
  {
    alert: 'CoinopMeasuresMissing',
    what: 'an upstream without units',
    series: { [of('gateway_measures_missing_total', 'skill="a.b"')]: growing(1) },
    after: '60m',
    fires: skill,
  },
  {
    alert: 'CoinopLogLinesLost',
    what: 'a full disk of one instance of two',
    series: {
      [gauge('gateway_log_lines_lost_total')]: growing(1),
      [of('gateway_log_lines_lost_total', '', 'b')]: steady(3),
    },
    after: '10m',
    fires: { instance: 'a' },
  },
  {
    alert: 'CoinopMailFails',
    what: 'the only mail of one instance of two',
    series: {
      [mails('failed')]: `0 0 ${steady(1)}`,
      [mails('sent')]: steady(0),
      [mails('failed', 'b')]: steady(0),
      [mails('sent', 'b')]: growing(1),
    },
    after: '10m',
    fires: { instance: 'a' },
  },
  {
    alert: 'CoinopMailFails',
    what: 'one mail among others that leave',
    series: { [mails('failed')]: `0 0 ${steady(1)}`, [mails('sent')]: growing(1) },
    after: '10m',
    fires: null,
  },
]

const scratch = mkdtempSync(join(tmpdir(), 'coinop-alerts-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const rules = (
  parse(readFileSync(RULES, 'utf8')) as {
    groups: { rules: { alert: string; annotations: { summary: string } }[] }[]
  }
).groups.flatMap((group) => group.rules)

/** The tests of promtool: one file for all, as a start of it costs more than what it evaluates. */
function testsOf(cases: readonly Case[]): string {
  return stringify({
    rule_files: [RULES],
    evaluation_interval: '15s',
    tests: cases.map(({ alert, what, series, after, fires }) => ({
      name: `${alert}: ${what}`,
      interval: '15s',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [
        {
          eval_time: after,
          alertname: alert,
          exp_alerts:
            fires === null
              ? []
              : [{ exp_labels: fires, exp_annotations: { summary: summaryOf(alert, fires) } }],
        },
      ],
    })),
  })
}

const summaryOf = (alert: string, labels: Record<string, string>): string =>
  rules
    .find((rule) => rule.alert === alert)!
    .annotations.summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label]!)

it('every alert has a fault that it fires at', () => {
  const seen = new Set(CASES.filter(({ fires }) => fires !== null).map(({ alert }) => alert))
  expect(rules.map(({ alert }) => alert).filter((alert) => !seen.has(alert))).toEqual([])
})

const isSkipped =
  Bun.which('promtool') === null && skipPart('alerts', "needs Debian's prometheus (promtool)")
it.skipIf(isSkipped)('alerts fire at their fault and at nothing else', () => {
  const file = join(scratch, 'tests.yaml')
  writeFileSync(file, testsOf(CASES))
  const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', 'test', 'rules', file])
  expect([exitCode, stdout.toString() + stderr.toString()]).toEqual([
    0,
    expect.stringContaining('SUCCESS'),
  ])
})
