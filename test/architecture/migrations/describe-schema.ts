/**
 * Describes the whole content of a schema, one line for each fact, so that two schemas can be compared: tables, columns,
 * constraints, indexes, functions, triggers, sequences, types, views, policies, statistics, privileges, and the rows that
 * migrations inserted.
 *
 * Each test has a schema name of its own, which is also the name of the service's role. The description therefore shows
 * `<schema>` in its place.
 */

import pg from 'pg'

const relation = `pg_class c WHERE c.relnamespace = n.oid AND c.relname NOT LIKE 'kysely\\_%'`
const acl = (column: string) =>
  `coalesce((SELECT string_agg(item::text, ', ' ORDER BY item::text) FROM unnest(${column}) AS item), 'default')`

/** `n` is the schema. */
const queries = {
  schema: `SELECT pg_get_userbyid(n.nspowner) AS owner, ${acl('n.nspacl')} AS privileges`,
  relations: `SELECT c.relname, c.relkind, c.relpersistence, c.relreplident, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      pg_get_userbyid(c.relowner) AS owner, ${acl('c.relacl')} AS privileges, (SELECT amname FROM pg_am WHERE oid = c.relam) AS method,
      pg_get_viewdef(c.oid) AS view, obj_description(c.oid) AS comment
    FROM ${relation} AND c.relkind NOT IN ('i', 'I')`,
  columns: `SELECT c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull, a.attidentity,
      a.attgenerated, a.attstorage, a.attcompression, a.attoptions, ${acl('a.attacl')} AS privileges,
      (SELECT collname FROM pg_collation WHERE oid = a.attcollation) AS collation,
      (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE d.adrelid = c.oid AND d.adnum = a.attnum) AS value
    FROM pg_attribute a, ${relation} AND a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
  constraints: `SELECT c.relname, o.conname, o.convalidated, o.condeferrable, o.condeferred, pg_get_constraintdef(o.oid) AS definition
    FROM pg_constraint o, ${relation} AND o.conrelid = c.oid`,
  indexes: `SELECT pg_get_indexdef(i.indexrelid) AS definition, i.indisprimary, i.indisunique, i.indisvalid, i.indisreplident,
      i.indisclustered
    FROM pg_index i, ${relation} AND i.indrelid = c.oid`,
  functions: `SELECT pg_get_functiondef(p.oid) AS definition, pg_get_userbyid(p.proowner) AS owner, ${acl('p.proacl')} AS privileges
    FROM pg_proc p WHERE p.pronamespace = n.oid AND p.prokind <> 'a'`,
  triggers: `SELECT pg_get_triggerdef(t.oid) AS definition, t.tgenabled
    FROM pg_trigger t, ${relation} AND t.tgrelid = c.oid AND NOT t.tgisinternal`,
  sequences: `SELECT to_jsonb(s) - 'last_value' AS sequence FROM pg_sequences s WHERE s.schemaname = n.nspname`,
  types: `SELECT t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod) AS base, t.typnotnull, t.typdefault,
      (SELECT array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid) AS labels,
      (SELECT array_agg(pg_get_constraintdef(o.oid) ORDER BY o.conname) FROM pg_constraint o WHERE o.contypid = t.oid) AS checks,
      ${acl('t.typacl')} AS privileges
    FROM pg_type t WHERE t.typnamespace = n.oid AND t.typtype IN ('e', 'd', 'r')`,
  policies: 'SELECT p.* FROM pg_policies p WHERE p.schemaname = n.nspname',
  rules: 'SELECT r.definition FROM pg_rules r WHERE r.schemaname = n.nspname',
  statistics:
    'SELECT pg_get_statisticsobjdef(s.oid) AS definition FROM pg_statistic_ext s WHERE s.stxnamespace = n.oid',
  'default privileges': `SELECT pg_get_userbyid(d.defaclrole) AS role, d.defaclobjtype, ${acl('d.defaclacl')} AS privileges
    FROM pg_default_acl d WHERE d.defaclnamespace = n.oid`,
} as const

const tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT LIKE 'kysely\\_%'"

/** Describes the schema's content in a fixed order. */
export async function describeSchema(connectionString: string, schema: string): Promise<string[]> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    const facts: string[] = []
    const collect = async (topic: string, text: string, values: readonly unknown[]) => {
      const { rows } = await client.query<{ fact: string }>(text, [...values])
      facts.push(...rows.map(({ fact }) => `${topic}: ${fact}`.replaceAll(schema, '<schema>')))
    }
    for (const [topic, query] of Object.entries(queries)) {
      const text = `SELECT to_jsonb(q)::text AS fact FROM pg_namespace n CROSS JOIN LATERAL (${query}) q WHERE n.nspname = $1`
      await collect(topic, text, [schema])
    }
    const named = await client.query<{ name: string }>(tables, [schema])
    for (const { name } of named.rows)
      await collect(`rows of ${name}`, `SELECT to_jsonb(r)::text AS fact FROM "${name}" r`, [])
    return facts.toSorted()
  } finally {
    await client.end()
  }
}
