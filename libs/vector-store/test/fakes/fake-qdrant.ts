import type { Schemas } from "@qdrant/js-client-rest";
import { z } from "zod";
import { serveJson, type JsonCall, type JsonReply } from "./json-server.ts";

/*
 * The parts of Qdrant's REST API that Carrel uses. Source: Qdrant's OpenAPI definition in the
 * client generated from it (@qdrant/js-client-rest 1.19.0, openapi/generated_schema). Each request
 * is validated against a schema here and by its type there.
 */

const match = z.union([
  z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
  z.strictObject({ any: z.array(z.string()) }),
]);
const condition = z.strictObject({ key: z.string(), match });
const filter = z.strictObject({
  must: z.array(condition).optional(),
  must_not: z.array(condition).optional(),
});
const sparse = z.strictObject({
  indices: z.array(z.number().int().min(0).max(0xffff_ffff)),
  values: z.array(z.number()),
});
const queryRequest = z.strictObject({
  /** Omitted: the points in the order of their ids. */
  query: z.union([z.array(z.number()), sparse]).optional(),
  using: z.string().optional(),
  filter,
  limit: z.number().int().min(1),
  with_payload: z.union([z.boolean(), z.array(z.string())]),
});
const requests = {
  create: z.strictObject({
    vectors: z
      .union([
        z.strictObject({}),
        z.strictObject({
          size: z.number().int().min(1).max(65_536),
          distance: z.enum(["Cosine", "Dot", "Euclid", "Manhattan"]),
        }),
      ])
      .optional(),
    sparse_vectors: z
      .record(z.string(), z.strictObject({ modifier: z.literal("idf").optional() }))
      .optional(),
    hnsw_config: z
      .strictObject({ m: z.number().int().min(0), payload_m: z.number().int().min(0) })
      .optional(),
  }),
  index: z.strictObject({
    field_name: z.string(),
    field_schema: z.union([
      z.enum(["keyword", "integer"]),
      z.strictObject({ type: z.literal("keyword"), is_tenant: z.boolean() }),
    ]),
  }),
  upsert: z.strictObject({
    points: z
      .array(
        z.strictObject({
          id: z.uuid(),
          vector: z.union([z.array(z.number()), z.record(z.string(), sparse), z.strictObject({})]),
          payload: z.record(z.string(), z.unknown()),
        }),
      )
      .min(1),
  }),
  retrieve: z.strictObject({
    ids: z.array(z.uuid()),
    with_payload: z.boolean(),
    with_vector: z.boolean(),
  }),
  delete: z.strictObject({ filter }),
  query: queryRequest,
  batch: z.strictObject({ searches: z.array(queryRequest).min(1) }),
  count: z.strictObject({ filter, exact: z.boolean() }),
};

type Point = z.infer<typeof requests.upsert>["points"][number];
export interface FakeCollection {
  definition: Schemas["CreateCollection"];
  indexes: Map<string, Schemas["PayloadFieldSchema"]>;
  points: Map<string, Point>;
}

export async function startFakeQdrant(key: string): Promise<{
  url: string;
  collections: ReadonlyMap<string, FakeCollection>;
  /** Every request so far. */
  calls: readonly JsonCall[];
  stop(): Promise<void>;
}> {
  const collections = new Map<string, FakeCollection>();
  const done = (result: unknown): JsonReply => ({
    body: { result, status: "ok", time: 0.0001, usage: null },
  });
  const refused = (status: number, error: string): JsonReply => ({
    status,
    body: { status: { error }, time: 0.0001, result: null },
  });
  const server = await serveJson(({ method, path, headers, body }) => {
    if (headers["api-key"] !== key)
      return { status: 401, body: "Must provide an API key or an Authorization bearer token" };
    if (method === "GET" && path === "/collections")
      return done({ collections: [...collections.keys()].map((name) => ({ name })) });
    const [, name, rest] = /^\/collections\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (!name) return refused(404, `no such operation: ${method} ${path}`);
    const collection = collections.get(name);
    const verb = `${method} ${rest ?? ""}`;
    if (verb === "GET /exists") return done({ exists: collection !== undefined });
    if (verb === "PUT ") {
      if (collection) return refused(409, `Wrong input: Collection \`${name}\` already exists!`);
      collections.set(name, {
        definition: requests.create.parse(body) satisfies Schemas["CreateCollection"],
        indexes: new Map(),
        points: new Map(),
      });
      return done(true);
    }
    if (verb === "DELETE ") return done(collections.delete(name));
    if (!collection) return refused(404, `Not found: Collection \`${name}\` doesn't exist!`);
    const chosen = (asked: z.infer<typeof filter>): Point[] =>
      [...collection.points.values()].filter(holds(asked));
    const written = done({ operation_id: 1, status: "completed" });
    switch (verb) {
      case "PUT /index": {
        const asked = requests.index.parse(body) satisfies Schemas["CreateFieldIndex"];
        collection.indexes.set(asked.field_name, asked.field_schema);
        return written;
      }
      case "PUT /points": {
        const { points } = requests.upsert.parse(body) satisfies Schemas["PointInsertOperations"];
        for (const point of points) {
          const { vectors } = collection.definition;
          if (
            Array.isArray(point.vector) &&
            point.vector.length !== (vectors as { size?: number } | undefined)?.size
          )
            return refused(400, `Wrong input: Vector dimension error: got ${point.vector.length}`);
          collection.points.set(point.id, point);
        }
        return written;
      }
      case "POST /points": {
        const { ids } = requests.retrieve.parse(body);
        return done(
          ids.flatMap((id) => {
            const point = collection.points.get(id);
            return point ? [{ id, payload: point.payload }] : [];
          }),
        );
      }
      case "POST /points/delete": {
        for (const point of chosen(
          (requests.delete.parse(body) satisfies Schemas["FilterSelector"]).filter,
        ))
          collection.points.delete(point.id);
        return written;
      }
      case "POST /points/query":
        return done({
          points: query(collection, requests.query.parse(body) satisfies Schemas["QueryRequest"]),
        });
      case "POST /points/query/batch": {
        const { searches } = requests.batch.parse(body) satisfies Schemas["QueryRequestBatch"];
        return done(searches.map((asked) => ({ points: query(collection, asked) })));
      }
      case "POST /points/count":
        return done({
          count: chosen((requests.count.parse(body) satisfies Schemas["CountRequest"]).filter)
            .length,
        });
      default:
        return refused(404, `no such operation: ${method} ${path}`);
    }
  });
  return { ...server, collections };
}

function query(
  collection: FakeCollection,
  asked: z.infer<typeof queryRequest>,
): { id: string; version: number; score: number; payload?: unknown }[] {
  const points = [...collection.points.values()].filter(holds(asked.filter));
  const hits = points.flatMap((point) => {
    const score = scoreOf(collection, point, asked);
    // Sparse vectors only match if they share an index with the query.
    return score === null
      ? []
      : [
          {
            id: point.id,
            version: 1,
            score,
            ...(asked.with_payload && { payload: point.payload }),
          },
        ];
  });
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, asked.limit);
}

function scoreOf(
  collection: FakeCollection,
  point: Point,
  { query: wanted, using }: z.infer<typeof queryRequest>,
): number | null {
  if (wanted === undefined) return 0;
  return Array.isArray(wanted)
    ? cosine(point.vector as number[], wanted)
    : sparseScore(collection, point, wanted, using!);
}

function cosine(a: number[], b: number[]): number {
  let dot = 0,
    left = 0,
    right = 0;
  for (const [place, value] of a.entries()) {
    dot += value * b[place]!;
    left += value ** 2;
    right += b[place]! ** 2;
  }
  return left && right ? dot / Math.sqrt(left * right) : 0;
}

/** With the `idf` modifier: counted over all points of the collection, as Qdrant does. */
function sparseScore(
  collection: FakeCollection,
  point: Point,
  asked: z.infer<typeof sparse>,
  using: string,
): number | null {
  const own = (point.vector as Record<string, z.infer<typeof sparse>>)[using];
  let score: number | null = null;
  for (const [place, index] of asked.indices.entries()) {
    const found = own?.indices.indexOf(index) ?? -1;
    if (found >= 0)
      score =
        (score ?? 0) +
        own!.values[found]! * asked.values[place]! * Math.log(1 + collection.points.size);
  }
  return score;
}

function holds(asked: z.infer<typeof filter>): (point: Point) => boolean {
  const tests = [
    ...(asked.must ?? []).map((one) => test(one, true)),
    ...(asked.must_not ?? []).map((one) => test(one, false)),
  ];
  return (point) => tests.every((passes) => passes(point));
}

function test(
  { key, match: wanted }: z.infer<typeof condition>,
  isWanted: boolean,
): (point: Point) => boolean {
  return ({ payload }) => {
    const value = payload[key];
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    return (
      ("any" in wanted
        ? values.some((one) => wanted.any.includes(one as string))
        : values.includes(wanted.value)) === isWanted
    );
  };
}
