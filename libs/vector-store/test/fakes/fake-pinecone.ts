import { z } from "zod";
import { serveJson } from "./json-server.ts";
import { RowTable, type FakeRow } from "./row-table.ts";

/*
 * The parts of Pinecone's control and data plane that Carrel uses. Source: the API definitions of
 * version 2026-07, as in the client generated from them (@pinecone-database/pinecone 9.0.0,
 * pinecone-generated-ts-fetch: DescribeIndex, VectorOperationsApi, NamespaceOperationsApi). Unlike
 * the real one, it makes writes visible immediately.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const condition = z.record(
  z.string(),
  z.union([
    z.strictObject({ $eq: scalar }),
    z.strictObject({ $ne: scalar }),
    z.strictObject({ $in: z.array(scalar) }),
  ]),
);
const filter = z.union([z.strictObject({ $and: z.array(condition) }), condition]);
const requests = {
  upsert: z.strictObject({
    namespace: z.string(),
    vectors: z
      .array(
        z.strictObject({
          id: z.string().max(512),
          values: z.array(z.number()),
          metadata: z.record(z.string(), scalar),
        }),
      )
      .min(1)
      .max(1000),
  }),
  query: z.strictObject({
    namespace: z.string(),
    vector: z.array(z.number()),
    topK: z.number().int().min(1).max(10_000),
    filter: filter.optional(),
    includeValues: z.boolean().optional(),
    includeMetadata: z.boolean().optional(),
  }),
  delete: z.strictObject({ namespace: z.string(), filter }),
};

export async function startFakePinecone(
  key: string,
  index: { name: string; dimension: number; metric?: string },
): Promise<{ url: string; stop(): Promise<void> }> {
  const namespaces = new Map<string, RowTable>();
  let own = "";
  const server = await serveJson(({ method, path, query, headers, body }) => {
    if (headers["api-key"] !== key) return { status: 401, body: "Unauthorized" };
    if (headers["x-pinecone-api-version"] !== "2026-07")
      throw new Error("another version of the API");
    const notFound = {
      status: 404,
      body: { code: 5, message: "Namespace not found", details: [] },
    };
    if (method === "GET" && path.startsWith("/indexes/")) {
      if (path !== `/indexes/${index.name}`)
        return {
          status: 404,
          body: { error: { code: "NOT_FOUND", message: "Index not found" }, status: 404 },
        };
      return {
        body: {
          name: index.name,
          host: own,
          status: { ready: true, state: "Ready" },
          deletion_protection: "disabled",
          deployment: { deployment_type: "managed", cloud: "aws", region: "us-east-1" },
          schema: {
            fields: {
              _values: {
                type: "dense_vector",
                dimension: index.dimension,
                metric: index.metric ?? "cosine",
              },
            },
          },
        },
      };
    }
    if (method === "POST" && path === "/describe_index_stats")
      return {
        body: {
          namespaces: Object.fromEntries(
            [...namespaces].map(([name, table]) => [name, { vectorCount: table.rows.size }]),
          ),
          dimension: index.dimension,
          indexFullness: 0,
          totalVectorCount: 0,
        },
      };
    if (method === "POST" && path === "/vectors/upsert") {
      const { namespace, vectors } = requests.upsert.parse(body);
      const table = namespaces.get(namespace) ?? new RowTable(index.dimension);
      namespaces.set(namespace, table);
      for (const { id, values, metadata } of vectors) table.put(id, values, metadata);
      return { body: { upsertedCount: vectors.length } };
    }
    if (method === "POST" && path === "/query") {
      const asked = requests.query.parse(body);
      const matches =
        namespaces.get(asked.namespace)?.nearest(asked.vector, asked.topK, holds(asked.filter)) ??
        [];
      return { body: { matches, namespace: asked.namespace, usage: { readUnits: 1 } } };
    }
    if (method === "POST" && path === "/vectors/delete") {
      const asked = requests.delete.parse(body);
      const table = namespaces.get(asked.namespace);
      if (!table) return notFound;
      table.deleteWhere(holds(asked.filter));
      return { body: {} };
    }
    if (method === "GET" && path === "/namespaces") {
      const limit = Math.min(Number(query.get("limit") ?? 100), 2),
        from = Number(query.get("paginationToken") ?? 0);
      const names = [...namespaces.keys()].filter((name) =>
        name.startsWith(query.get("prefix") ?? ""),
      );
      const more = from + limit < names.length;
      return {
        body: {
          namespaces: names
            .slice(from, from + limit)
            .map((name) => ({ name, record_count: String(namespaces.get(name)!.rows.size) })),
          ...(more && { pagination: { next: String(from + limit) } }),
        },
      };
    }
    if (method === "DELETE" && path.startsWith("/namespaces/"))
      return namespaces.delete(path.slice("/namespaces/".length)) ? { body: {} } : notFound;
    return { status: 404, body: { message: `no such operation: ${method} ${path}` } };
  });
  own = server.url;
  return server;
}

type Condition = z.infer<typeof condition>;
function holds(asked: z.infer<typeof filter> | undefined): (row: FakeRow) => boolean {
  if (!asked) return () => true;
  const all =
    "$and" in asked && Array.isArray(asked.$and)
      ? (asked.$and as Condition[])
      : [asked as Condition];
  return ({ payload }) =>
    all.every((one) =>
      Object.entries(one).every(([name, test]) => {
        const value = payload[name] as string;
        return "$eq" in test
          ? value === test.$eq
          : "$ne" in test
            ? value !== test.$ne
            : test.$in.includes(value);
      }),
    );
}
