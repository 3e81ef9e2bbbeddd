import { z } from "zod";
import { serveJson, type JsonReply } from "./json-server.ts";
import { RowTable, type FakeRow } from "./row-table.ts";

/*
 * The parts of Weaviate's REST and GraphQL API that Carrel uses. Source: Weaviate 1.34.0,
 * openapi-specs/schema.json, and a real server's messages for anything missing in that version. The
 * same tests run against a real server if WEAVIATE_URL is set.
 */

const leaf = z.strictObject({
  path: z.tuple([z.string()]),
  operator: z.enum(["Equal", "NotEqual"]),
  valueText: z.string().optional(),
  valueInt: z.number().int().optional(),
});
const where = z.union([
  leaf,
  z.strictObject({ operator: z.literal("And"), operands: z.array(leaf) }),
]);
const requests = {
  class: z.strictObject({
    class: z.string().regex(/^[A-Z][_0-9A-Za-z]*$/),
    vectorizer: z.literal("none"),
    vectorIndexType: z.enum(["hnsw", "flat", "dynamic"]).optional(),
    vectorIndexConfig: z
      .strictObject({ distance: z.enum(["cosine", "dot"]), ef: z.number().int() })
      .optional(),
    multiTenancyConfig: z
      .strictObject({
        enabled: z.boolean(),
        autoTenantCreation: z.boolean(),
        autoTenantActivation: z.boolean(),
      })
      .optional(),
    properties: z
      .array(
        z.strictObject({
          name: z.string(),
          dataType: z.tuple([z.enum(["text", "int"])]),
          tokenization: z.literal("field").optional(),
          indexFilterable: z.boolean(),
          indexSearchable: z.boolean().optional(),
        }),
      )
      .optional(),
  }),
  objects: z.strictObject({
    objects: z.array(
      z.strictObject({
        class: z.string(),
        id: z.uuid(),
        vector: z.array(z.number()),
        tenant: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
        properties: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
  delete: z.strictObject({
    match: z.strictObject({ class: z.string(), where }),
    output: z.literal("minimal"),
  }),
  graphql: z.strictObject({ query: z.string(), variables: z.unknown().optional() }),
};
/** Rows deleted per request (QUERY_MAXIMUM_RESULTS, 10,000 on a real server). */
const deletedAtOnce = 20;

export async function startFakeWeaviate(
  key: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const classes = new Map<string, Map<string, RowTable>>();
  const fault = (status: number, message: string): JsonReply => ({
    status,
    body: { error: [{ message }] },
  });
  return serveJson(({ method, path, query, headers, body }) => {
    if (headers["authorization"] !== `Bearer ${key}`)
      return { status: 401, body: { code: 401, message: "unauthorized: invalid api key" } };
    if (method === "GET" && path === "/v1/meta")
      return { body: { hostname: "fake", version: "1.34.0", modules: {} } };
    if (method === "POST" && path === "/v1/schema") {
      const asked = requests.class.parse(body);
      if (classes.has(asked.class)) return fault(422, `class name ${asked.class} already exists`);
      classes.set(asked.class, new Map());
      return { body: asked };
    }
    const [, name, rest] = /^\/v1\/schema\/(\w+)(\/tenants)?$/.exec(path) ?? [];
    if (name) {
      const tenants = classes.get(name);
      if (rest && method === "DELETE") {
        if (!tenants) return fault(422, "updating schema: TYPE_DELETE_TENANT: class not found");
        for (const tenant of z.array(z.string()).parse(body)) tenants.delete(tenant);
        return { body: undefined };
      }
      if (method === "GET")
        return tenants ? { body: { class: name } } : { status: 404, body: undefined };
      if (method === "DELETE") {
        classes.delete(name);
        return { body: undefined };
      }
    }
    if (path === "/v1/batch/objects" && method === "POST") {
      return {
        body: requests.objects.parse(body).objects.map((one) => {
          const tenants = classes.get(one.class);
          if (!tenants)
            return {
              ...one,
              result: {
                status: "FAILED",
                errors: { error: [{ message: `class "${one.class}" not found in schema` }] },
              },
            };
          const rows = tenants.get(one.tenant) ?? new RowTable(one.vector.length);
          tenants.set(one.tenant, rows);
          rows.put(one.id, one.vector, one.properties);
          return { ...one, result: { status: "SUCCESS" } };
        }),
      };
    }
    if (path === "/v1/batch/objects" && method === "DELETE") {
      const { match } = requests.delete.parse(body);
      const tenants = classes.get(match.class);
      if (!tenants)
        return fault(
          422,
          `class: ${match.class} doesn't exist, could not find class ${match.class} in schema`,
        );
      const rows = tenants.get(query.get("tenant") ?? "");
      if (!rows) return fault(422, `tenant not found: "${query.get("tenant")}"`);
      const all = [...rows.rows.values()].filter(holds(match.where));
      for (const { id } of all.slice(0, deletedAtOnce)) rows.rows.delete(id);
      return {
        body: {
          match,
          output: "minimal",
          results: {
            matches: all.length,
            limit: deletedAtOnce,
            successful: Math.min(all.length, deletedAtOnce),
            failed: 0,
          },
        },
      };
    }
    if (path === "/v1/graphql" && method === "POST")
      return { body: get(classes, requests.graphql.parse(body).query) };
    return { status: 404, body: { message: `no such operation: ${method} ${path}` } };
  });
}

/** The only query in use: a tenant's nearest vectors, optionally of some documents. */
function get(classes: Map<string, Map<string, RowTable>>, text: string): unknown {
  const asked =
    /^\{Get\{(\w+)\((?:where:\{operator:ContainsAny,valueText:(\[.*?\]),path:\["document"\]\},)?nearVector:\{vector:(\[[^\]]*\])\},(?:where:\{operator:ContainsAny,valueText:(\[.*?\]),path:\["document"\]\},)?limit:(\d+),tenant:"([\w-]+)"\)\{_additional \{ id distance \}\}\}\}$/.exec(
      text,
    );
  if (!asked)
    return { errors: [{ message: `Syntax Error GraphQL request: ${text.slice(0, 200)}` }] };
  const [, name, before, vector, after, limit, tenant] = asked;
  const tenants = classes.get(name!);
  if (!tenants)
    return { errors: [{ message: `Cannot query field "${name}" on type "GetObjectsObj".` }] };
  const rows = tenants.get(tenant!);
  if (!rows)
    return {
      data: { Get: { [name!]: null } },
      errors: [
        {
          message: `explorer: get class: vector search: object vector search at index ${name}: tenant not found: "${tenant}"`,
        },
      ],
    };
  const documents = (before ?? after) ? (JSON.parse((before ?? after)!) as string[]) : null;
  const hits = rows.nearest(
    JSON.parse(vector!) as number[],
    Number(limit),
    (row) => !documents || documents.includes(row.payload["document"] as string),
  );
  return {
    data: {
      Get: { [name!]: hits.map(({ id, score }) => ({ _additional: { id, distance: 1 - score } })) },
    },
  };
}

function holds(asked: z.infer<typeof where>): (row: FakeRow) => boolean {
  const leaves = asked.operator === "And" ? asked.operands : [asked];
  return ({ payload }) =>
    leaves.every(
      ({ path: [name], operator, valueText, valueInt }) =>
        (payload[name] === (valueText ?? valueInt)) === (operator === "Equal"),
    );
}
