import { z } from "zod";
import { serveJson, type JsonReply } from "./json-server.ts";
import { RowTable, type FakeRow } from "./row-table.ts";

/*
 * The parts of Astra DB's Data API that Carrel uses. Source: Astra DB Serverless, API reference of
 * the Data API v1 (document and collection methods, as of 2026-11) and the commands that
 * @datastax/astra-db-ts 2.3.0 sends. Each POST to /api/json/v1/<keyspace>[/<collection>] carries
 * one command.
 */

const scalar = z.union([z.string(), z.number()]);
const filter = z.record(
  z.string(),
  z.union([
    scalar,
    z.strictObject({ $in: z.array(scalar).max(100) }),
    z.strictObject({ $ne: scalar }),
  ]),
);
const row = z.strictObject({
  _id: z.string(),
  workspace: z.number(),
  document: z.string(),
  version: z.number(),
  $vector: z.union([z.array(z.number()), z.strictObject({ $binary: z.string() })]),
});
const commands = {
  findCollections: z.strictObject({
    options: z.strictObject({ explain: z.boolean().optional() }).optional(),
  }),
  createCollection: z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9_]{1,48}$/),
    options: z.strictObject({
      vector: z.strictObject({
        dimension: z.number().int().min(2).max(4096),
        metric: z.literal("cosine"),
      }),
      indexing: z.strictObject({ allow: z.array(z.string()) }),
    }),
  }),
  deleteCollection: z.strictObject({ name: z.string() }),
  insertMany: z.strictObject({
    documents: z.array(row).max(100),
    options: z.object({ ordered: z.boolean() }),
  }),
  findOneAndReplace: z.object({
    filter,
    replacement: row.partial({ _id: true }),
    options: z.object({ upsert: z.literal(true) }),
  }),
  find: z.strictObject({
    filter,
    sort: z.strictObject({
      $vector: z.union([z.array(z.number()), z.strictObject({ $binary: z.string() })]),
    }),
    projection: z.strictObject({ _id: z.number() }),
    options: z.strictObject({
      limit: z.number().int().max(1000),
      includeSimilarity: z.literal(true),
    }),
  }),
  deleteMany: z.strictObject({ filter }),
};
/** Rows deleted per deleteMany; the response then says there are more. */
const deletedAtOnce = 20;

export async function startFakeAstra(
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const collections = new Map<string, RowTable>();
  const done = (body: unknown): JsonReply => ({ body });
  const refused = (errorCode: string, message: string): JsonReply => ({
    body: {
      errors: [
        {
          errorCode,
          message,
          family: "REQUEST",
          scope: "COLLECTION",
          title: message,
          id: "00000000-0000-4000-8000-000000000000",
        },
      ],
    },
  });
  return serveJson(({ method, path, headers, body }) => {
    if (headers["token"] !== token)
      return {
        status: 401,
        body: {
          errors: [
            {
              message: "Role unauthorized for operation: Invalid token",
              errorCode: "UNAUTHENTICATED_REQUEST",
            },
          ],
        },
      };
    const [, name] = /^\/api\/json\/v1\/default_keyspace(?:\/(\w+))?$/.exec(path) ?? [];
    const [verb, given] = Object.entries(body as object)[0] ?? [];
    if (method !== "POST" || !verb || !(verb in commands))
      return {
        status: 404,
        body: { message: `no such command: ${method} ${path} ${String(verb)}` },
      };
    if (verb === "findCollections") {
      commands.findCollections.parse(given);
      return done({ status: { collections: [...collections.keys()] } });
    }
    if (verb === "createCollection") {
      const asked = commands.createCollection.parse(given);
      if (!collections.has(asked.name))
        collections.set(asked.name, new RowTable(asked.options.vector.dimension));
      return done({ status: { ok: 1 } });
    }
    if (verb === "deleteCollection") {
      collections.delete(commands.deleteCollection.parse(given).name);
      return done({ status: { ok: 1 } });
    }
    const table = collections.get(name ?? "");
    if (!table)
      return refused("COLLECTION_NOT_EXIST", `Collection does not exist, collection name: ${name}`);
    if (verb === "insertMany") {
      const { documents } = commands.insertMany.parse(given);
      if (documents.some((one) => table.rows.has(one._id)))
        return refused("DOCUMENT_ALREADY_EXISTS", "Document already exists with the given _id");
      for (const { _id, $vector, ...payload } of documents)
        table.put(_id, numbers($vector), payload);
      return done({ status: { insertedIds: documents.map((one) => one._id) } });
    }
    if (verb === "findOneAndReplace") {
      const {
        filter: { _id },
        replacement: { $vector, ...payload },
      } = commands.findOneAndReplace.parse(given);
      table.put(String(_id), numbers($vector), payload);
      return done({ data: { document: null }, status: { matchedCount: 1, modifiedCount: 1 } });
    }
    if (verb === "find") {
      const asked = commands.find.parse(given);
      const hits = table.nearest(
        numbers(asked.sort.$vector),
        asked.options.limit,
        holds(asked.filter),
      );
      return done({
        data: {
          documents: hits.map(({ id, score }) => ({ _id: id, $similarity: (1 + score) / 2 })),
          nextPageState: null,
        },
      });
    }
    const { filter: asked } = commands.deleteMany.parse(given);
    const gone = [...table.rows.values()].filter(holds(asked));
    for (const { id } of gone.slice(0, deletedAtOnce)) table.rows.delete(id);
    return done({
      status: {
        deletedCount: Math.min(gone.length, deletedAtOnce),
        ...(gone.length > deletedAtOnce && { moreData: true }),
      },
    });
  });
}

/** The client sends vectors as big-endian floats in base64. */
function numbers(vector: number[] | { $binary: string }): number[] {
  if (Array.isArray(vector)) return vector;
  const bytes = Buffer.from(vector.$binary, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatBE(place * 4));
}

function holds(asked: z.infer<typeof filter>): (row: FakeRow) => boolean {
  return ({ id, payload }) =>
    Object.entries(asked).every(([name, test]) => {
      const value = (name === "_id" ? id : payload[name]) as string;
      if (typeof test !== "object") return value === test;
      return "$in" in test ? test.$in.includes(value) : value !== test.$ne;
    });
}
