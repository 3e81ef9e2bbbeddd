import { z } from "zod";
import { serveJson, type JsonReply } from "./json-server.ts";
import { RowTable, type FakeRow } from "./row-table.ts";

/*
 * The parts of Milvus's RESTful API v2 that Carrel uses. Source: milvus-io/milvus,
 * internal/distributed/proxy/httpserver/request_v2.go (names and types of the fields) and
 * handler_v2.go (responses) at commit 00cfc0b6f58c9726f8768d747c82bd2657055999; error codes from
 * pkg/util/merr at the same commit.
 */

const named = {
  collectionName: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/),
  dbName: z.literal("default").optional(),
};
const field = z.strictObject({
  fieldName: z.string(),
  dataType: z.enum(["VarChar", "Int64", "FloatVector"]),
  isPrimary: z.boolean().optional(),
  isPartitionKey: z.boolean().optional(),
  elementTypeParams: z
    .strictObject({
      max_length: z.number().int().max(65_535).optional(),
      dim: z.number().int().min(2).max(32_768).optional(),
    })
    .optional(),
});
const requests = {
  list: z.strictObject({ dbName: named.dbName }),
  has: z.strictObject(named),
  drop: z.strictObject(named),
  create: z.strictObject({
    ...named,
    // The client adds these to every request; the server ignores them when a schema is given.
    metricType: z.string().optional(),
    primaryFieldName: z.string().optional(),
    vectorFieldName: z.string().optional(),
    schema: z.object({ autoID: z.literal(false), fields: z.array(field) }),
    indexParams: z
      .array(
        z.strictObject({
          fieldName: z.string(),
          indexName: z.string(),
          metricType: z.literal("COSINE"),
          params: z.strictObject({ index_type: z.string() }),
        }),
      )
      .min(1),
    params: z
      .strictObject({ consistencyLevel: z.enum(["Strong", "Session", "Bounded", "Eventually"]) })
      .optional(),
  }),
  upsert: z.strictObject({
    ...named,
    data: z.array(
      z.strictObject({
        id: z.string().max(64),
        workspace: z.number().int(),
        document: z.string().max(512),
        version: z.number().int(),
        vector: z.array(z.number()),
      }),
    ),
  }),
  search: z.strictObject({
    ...named,
    data: z.array(z.array(z.number())).length(1),
    annsField: z.literal("vector"),
    filter: z.string(),
    limit: z.number().int().min(1).max(16_384),
    outputFields: z.array(z.string()),
  }),
  delete: z.strictObject({ ...named, filter: z.string().min(1) }),
};

export async function startFakeMilvus(
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const collections = new Map<string, RowTable>();
  const done = (data: unknown): JsonReply => ({ body: { code: 0, data } });
  const refused = (code: number, message: string): JsonReply => ({ body: { code, message } });
  return serveJson(({ method, path, headers, body }) => {
    if (headers["authorization"] !== `Bearer ${token}`)
      return { status: 401, body: { code: 1800, message: "user hasn't authenticated" } };
    const [, area, verb] = /^\/v2\/vectordb\/(collections|entities)\/(\w+)$/.exec(path) ?? [];
    if (method !== "POST" || !area || !verb || !(verb in requests))
      return { status: 404, body: "not found" };
    if (verb === "list") {
      requests.list.parse(body);
      return done([...collections.keys()]);
    }
    const { collectionName } = z.object(named).parse(body);
    const table = collections.get(collectionName);
    if (verb === "has") {
      requests.has.parse(body);
      return done({ has: table !== undefined });
    }
    if (verb === "drop") {
      requests.drop.parse(body);
      collections.delete(collectionName);
      return done({});
    }
    if (verb === "create") {
      const { schema } = requests.create.parse(body);
      collections.set(
        collectionName,
        table ??
          new RowTable(
            schema.fields.find((one) => one.dataType === "FloatVector")!.elementTypeParams!.dim!,
          ),
      );
      return done({});
    }
    if (!table)
      return refused(100, `can't find collection[database=default][collection=${collectionName}]`);
    if (verb === "upsert") {
      const { data } = requests.upsert.parse(body);
      for (const { id, vector, ...payload } of data) table.put(id, vector, payload);
      return done({ upsertCount: data.length, upsertIds: data.map((row) => row.id) });
    }
    if (verb === "search") {
      const { data, filter, limit } = requests.search.parse(body);
      return done(
        table
          .nearest(data[0]!, limit, parseFilter(filter))
          .map(({ id, score }) => ({ id, distance: score })),
      );
    }
    table.deleteWhere(parseFilter(requests.delete.parse(body).filter));
    return done({});
  });
}

/** The subset of Milvus's expressions in use: comparisons joined by `and`. */
function parseFilter(filter: string): (row: FakeRow) => boolean {
  const conditions: ((row: FakeRow) => boolean)[] = [];
  let rest = filter;
  for (;;) {
    const found = /^(\w+) (==|!=|in) (-?\d+|"(?:[^"\\]|\\.)*"|\[[^\]]*\])/.exec(rest);
    if (!found) throw new Error(`cannot parse expression: ${filter}`);
    const [whole, name, sign, literal] = found as unknown as [string, string, string, string];
    const value: unknown = JSON.parse(literal);
    conditions.push(({ payload }) =>
      sign === "=="
        ? payload[name] === value
        : sign === "!="
          ? payload[name] !== value
          : (value as unknown[]).includes(payload[name]),
    );
    rest = rest.slice(whole.length);
    if (rest === "") return (row) => conditions.every((holds) => holds(row));
    if (!rest.startsWith(" and ")) throw new Error(`cannot parse expression: ${filter}`);
    rest = rest.slice(5);
  }
}
