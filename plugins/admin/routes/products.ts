/** /v1/admin/products: the operator's side of the registry. */
import {
  type Applied,
  fail,
  type Failure,
  formatSpecProblem,
  invalid,
  type Issue,
  KERNEL_REASONS,
  notFound,
  privateJson,
  type ProductDesk,
  type ProductProblem,
  type ProductRow,
  queryInteger,
  readInput,
  type Route,
  type RouteRequest,
  type SpecProblem,
} from '#kernel'
import { Type } from 'typebox'
import { stringify } from 'yaml'
import { withoutSecrets } from '../../shared/inline-secrets.ts'
import { textOf } from '../../shared/request-body.ts'
import { diffDocuments, type Difference } from './product-diff.ts'

const NO_PRODUCT = 'No product has this id'
const SPEC = 'a product as YAML or JSON'
/** The `limit` of the list of versions. */
const VERSIONS_PAGE = { min: 1, max: 1000, fallback: 200 }
const HIGHEST = 2_147_483_647

const Put = Type.Object({
  product_id: Type.String(),
  version: Type.Integer(),
  created: Type.Boolean(),
  warnings: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
})
const RollbackInput = Type.Object(
  { version: Type.Integer({ minimum: 1, maximum: HIGHEST }) },
  { additionalProperties: false },
)

const CHANGE_REFUSALS = [409, 412, 413, 503]
const VersionsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'Versions below this one' })),
})

const DiffQuery = Type.Object({
  from: Type.Integer({ minimum: 1, description: 'The version before' }),
  to: Type.Integer({ minimum: 1, description: 'The version after' }),
})

/** Register, read, validate, list versions, roll back and delete; admin bearer only. */
export function productRoutes({ products: registry }: { products: ProductDesk }): Route[] {
  const { documents } = registry
  const idOf = ({ params }: RouteRequest): string => params['product_id']!

  async function list(request: RouteRequest): Promise<Response> {
    const rows = await registry.store.rows()
    const view = viewFor(request)
    return privateJson({
      products: rows.filter((row) => row.active !== null).map((row) => summaryOf(registry, row)),
      // Their versions stay, and a rollback brings them back.
      removed: rows
        .filter(({ active }) => active === null)
        .map(({ productId, fileName }) => ({ product_id: productId, file: fileName })),
      problems: registry.problems().map((problem) => problemView(problem, view)),
      plugins: [...registry.plugins.plugins.values()].map(({ plugin, origin }) => ({
        id: plugin.id,
        version: plugin.version,
        origin,
        requires: plugin.requires ?? [],
      })),
    })
  }

  async function read(request: RouteRequest): Promise<Response | Failure> {
    const row = await registry.store.row(idOf(request))
    const stored =
      row?.active == null ? null : await registry.store.revision(row.productId, row.active)
    if (!row || !stored) return notFound(NO_PRODUCT)
    const parsed = registry.parseOne(stored.body, row.productId)
    const spec = parsed.ok ? parsed.parsed.document : null
    const response = privateJson({
      ...summaryOf(registry, row),
      source: stored.source,
      hash: stored.hash,
      createdAt: stored.createdAt.toISOString(),
      ...(maySeeSecrets(request)
        ? { spec, text: stored.body, redacted: false }
        : redactedSpec(spec)),
      problems: registry
        .problems()
        .filter((problem) => problem.productId === row.productId)
        .map((problem) => problemView(problem, viewFor(request))),
    })
    response.headers.set('etag', `"${stored.revision}"`)
    return response
  }

  async function put(request: RouteRequest): Promise<Response | Failure> {
    const read = await textOf(request, SPEC)
    if (!read.ok) return read
    const ifActive = conditionOf(request)
    if (!ifActive.ok) return ifActive
    return appliedAnswer(await registry.put(idOf(request), read.text, ifActive.value))
  }

  async function rollback(request: RouteRequest): Promise<Response | Failure> {
    const input = await readInput(request, RollbackInput)
    if (!input.ok) return input
    const ifActive = conditionOf(request)
    if (!ifActive.ok) return ifActive
    return appliedAnswer(
      await registry.rollback(idOf(request), input.value.version, ifActive.value),
    )
  }

  async function remove(request: RouteRequest): Promise<Response | Failure> {
    const ifActive = conditionOf(request)
    if (!ifActive.ok) return ifActive
    const productId = idOf(request)
    const removed = await registry.remove(productId, ifActive.value)
    if (!removed.ok) return refusal(removed)
    return privateJson({ product_id: productId, version: removed.revision, deleted: true })
  }

  async function versions(request: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const { query } = request
    const limit = queryInteger(query, 'limit', VERSIONS_PAGE, issues)
    const below = { min: 1, max: HIGHEST, fallback: HIGHEST }
    const before = queryInteger(query, 'before', below, issues)
    if (issues.length > 0) return invalid(issues)
    const row = await registry.store.row(idOf(request))
    if (!row) return notFound(NO_PRODUCT)
    const found = await registry.store.revisions(row.productId, before, limit)
    return privateJson({
      product_id: row.productId,
      active: row.active,
      versions: found.map(({ revision, source, fileName, hash, createdAt }) => ({
        version: revision,
        active: revision === row.active,
        source,
        file: fileName,
        hash,
        createdAt: createdAt.toISOString(),
      })),
    })
  }

  async function difference(request: RouteRequest): Promise<Response | Failure> {
    const issues: Issue[] = []
    const bounds = { min: 1, max: HIGHEST, fallback: 0 }
    const versionOf = (name: 'from' | 'to'): number => {
      const version = queryInteger(request.query, name, bounds, issues)
      if (request.query.get(name) === null)
        issues.push({ path: `/${name}`, message: 'must be a version' })
      return version
    }
    const [from, to] = [versionOf('from'), versionOf('to')]
    if (issues.length > 0) return invalid(issues)
    const productId = idOf(request)
    const documents: unknown[] = []
    for (const [name, version] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const stored = await registry.store.revision(productId, version)
      if (!stored) return notFound(`No version ${version} is stored under this id`)
      const parsed = registry.parseOne(stored.body, productId)
      if (!parsed.ok) {
        const message = `version ${version} can no longer be read: ${formatSpecProblem(parsed.problems[0]!)}`
        return invalid([{ path: `/${name}`, message }])
      }
      documents.push(parsed.parsed.document)
    }
    return privateJson({
      product_id: productId,
      from,
      to,
      changes: shownTo(request, diffDocuments(documents[0], documents[1])),
    })
  }

  async function validate(request: RouteRequest): Promise<Response | Failure> {
    const read = await textOf(request, SPEC)
    if (!read.ok) return read
    const checked = await registry.validate(read.text)
    if (!checked.ok) {
      const { stage, problems } = checked
      return privateJson({ valid: false, stage, issues: problems.map(viewFor(request)) })
    }
    const { document, spec } = checked.parsed
    const live = registry.live(spec.productId)
    return privateJson({
      valid: true,
      product_id: spec.productId,
      serving: live?.parts.revision ?? null,
      changes: shownTo(request, diffDocuments(live?.parts.document, document)),
      warnings: checked.warnings.map(viewFor(request)),
    })
  }

  const admin = (
    method: Route['method'],
    path: string,
    summary: string,
    handler: Route['handler'],
    described: Pick<Route, 'input' | 'output' | 'query' | 'statuses' | 'role'> = {},
  ): Route => ({
    method,
    path: `/v1/admin/products${path}`,
    auth: 'admin',
    tag: 'Products',
    summary,
    bodyBytes: documents.maxBytes,
    handler,
    ...described,
  })
  const changing = { output: Put, statuses: CHANGE_REFUSALS }
  return [
    admin('GET', '', 'Registered products, and what is wrong with any', list),
    admin('POST', '/validate', 'Checks a spec and shows what it would change (dry run)', validate, {
      role: 'read',
      input: documents.schema,
    }),
    admin('PUT', '/{product_id}', 'Registers or replaces a product: YAML or JSON', put, {
      input: documents.schema,
      ...changing,
    }),
    admin('GET', '/{product_id}', 'One product as it was written', read),
    admin('DELETE', '/{product_id}', 'Takes a product out of service; its versions stay', remove, {
      statuses: [412],
    }),
    admin('GET', '/{product_id}/versions', 'Every version, newest first', versions, {
      query: VersionsQuery,
    }),
    admin('GET', '/{product_id}/diff', 'What two versions say differently', difference, {
      query: DiffQuery,
      statuses: [404],
    }),
    admin(
      'POST',
      '/{product_id}/rollback',
      'Puts an earlier version into service again',
      rollback,
      { input: RollbackInput, ...changing },
    ),
  ]
}

/** Whoever may only look sees no secret that stands in a spec itself. */
function maySeeSecrets({ operator }: RouteRequest): boolean {
  return operator !== undefined && operator.role !== 'read'
}

/** A spec without its secrets, and without comments, which may hold what once was one. */
function redactedSpec(spec: unknown): { spec: unknown; text: string; redacted: true } {
  const shown = spec === null ? null : withoutSecrets(spec)
  return { spec: shown, text: shown === null ? '' : stringify(shown), redacted: true }
}

function shownTo(request: RouteRequest, differences: Difference[]): Difference[] {
  if (maySeeSecrets(request)) return differences
  return differences.map(({ path, ...sides }) => ({
    path,
    ...Object.fromEntries(
      Object.entries(sides).map(([side, value]) => [side, withoutSecrets(value, path.split('.'))]),
    ),
  }))
}

function summaryOf(registry: ProductDesk, row: ProductRow): object {
  const live = registry.live(row.productId)?.parts
  return {
    product_id: row.productId,
    version: row.active,
    // What this instance serves: behind `version` when it could not follow.
    serving: live?.revision ?? null,
    source: live?.source ?? null,
    file: row.fileName,
    // The file says other than what is active: it was rolled back, or replaced over HTTP.
    drift: row.fileName !== null && row.active !== null && row.fileHash !== row.activeHash,
    title: live?.spec.title ?? row.productId,
    base_path: live?.spec.basePath ?? null,
    plugin: live?.spec.pluginId ?? null,
    metered: live?.spec.metered ?? null,
    skills: live?.skills.length ?? 0,
  }
}

/** If-Match: "3" (that version is active) and If-None-Match: * (no product of this id is). */
function conditionOf({
  request,
}: RouteRequest): { ok: true; value: { ifActive?: number | null } } | Failure {
  const match = request.headers.get('if-match')
  if (match !== null) {
    const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(match.trim())?.[1]
    if (version === undefined)
      return invalid([{ path: '/headers/if-match', message: 'must be one version, such as "3"' }])
    return { ok: true, value: { ifActive: Number(version) } }
  }
  const isNew = request.headers.get('if-none-match')?.trim() === '*'
  return { ok: true, value: isNew ? { ifActive: null } : {} }
}

function appliedAnswer(applied: Applied): Response | Failure {
  if (!applied.ok) return refusal(applied)
  const { productId, revision, created, warnings } = applied
  const response = privateJson({
    product_id: productId,
    version: revision,
    created,
    warnings: warnings.map(issueOf),
  })
  response.headers.set('etag', `"${revision}"`)
  return response
}

function refusal(applied: Extract<Applied, { ok: false }>): Failure {
  if (applied.reason === 'unknown') return notFound('No product or version is stored under this id')
  if (applied.reason === 'stale') {
    const active = applied.active === null ? 'no version is active' : `version ${applied.active} is`
    return fail('INVALID_INPUT', `The active version has changed: ${active}`, {
      status: 412,
      details: { reason: KERNEL_REASONS.stale, active: applied.active },
    })
  }
  const [first] = applied.problems
  const text = first ? formatSpecProblem(first) : 'it cannot be read'
  const details = { stage: applied.stage, issues: applied.problems.map(issueOf) }
  if (applied.stage === 'conflict')
    return fail('INVALID_INPUT', `The product conflicts: ${text}`, { status: 409, details })
  if (applied.stage === 'ready' || applied.stage === 'migrations')
    return fail('PROCESSING_FAILURE', `The product did not start: ${text}`, { details })
  return fail('INVALID_INPUT', `Invalid product spec: ${text}`, { details })
}

/** One problem of a spec as `details.issues` and `warnings` carry it. */
function issueOf({ pointer, message, line, column, got }: SpecProblem): object {
  return {
    path: pointer,
    message,
    ...(line !== null && { line, column }),
    ...(got !== undefined && { got }),
  }
}

/** How a problem is shown to who asks: the value that is wrong may be a secret. */
function viewFor(request: RouteRequest): typeof issueOf {
  if (maySeeSecrets(request)) return issueOf
  return (problem) => issueOf({ ...problem, got: undefined })
}

function problemView(problem: ProductProblem, view: typeof issueOf): object {
  const { productId, file, stage, problems, since, serving } = problem
  return {
    product_id: productId,
    file,
    stage,
    since: since.toISOString(),
    serving,
    issues: problems.map(view),
  }
}
