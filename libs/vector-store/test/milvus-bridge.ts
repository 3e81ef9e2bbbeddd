import { DataType, MilvusClient, type FieldType } from "@zilliz/milvus2-sdk-node";
import { z } from "zod";
import { serveJson, type JsonCall, type JsonReply } from "./fakes/json-server.ts";

/**
 * Milvus's RESTful API v2 in front of a server that speaks only gRPC (`milvus-lite server`, PyPI):
 * each request becomes the call of Milvus's own client that the REST handlers make. So schema,
 * expressions and hits come from a real engine; only the REST framing is ours.
 */
export async function bridgeMilvus(
  address: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const client = new MilvusClient({ address, logLevel: "error" });
  await client.connectPromise;
  const server = await serveJson((call) => answer(client, call));
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await client.closeConnection();
    },
  };
}

const shape = z.looseObject({
  collectionName: z.string().default(""),
  filter: z.string().default(""),
  limit: z.number().optional(),
  data: z.array(z.unknown()).default([]),
  schema: z
    .looseObject({
      fields: z.array(
        z.looseObject({
          fieldName: z.string(),
          dataType: z.enum(["VarChar", "Int64", "FloatVector"]),
          isPrimary: z.boolean().optional(),
          isPartitionKey: z.boolean().optional(),
          elementTypeParams: z
            .looseObject({ max_length: z.number().optional(), dim: z.number().optional() })
            .optional(),
        }),
      ),
    })
    .optional(),
});

async function answer(client: MilvusClient, { path, body }: JsonCall): Promise<JsonReply> {
  const { collectionName: collection_name, filter, limit, data, schema } = shape.parse(body);
  const done = (given: unknown): JsonReply => ({ body: { code: 0, data: given } });
  const settled = (
    { code, error_code, reason }: { code?: number; error_code?: unknown; reason?: string },
    given: unknown,
  ): JsonReply =>
    code || (error_code !== undefined && error_code !== "Success" && error_code !== 0)
      ? { body: { code: code || 65_535, message: reason } }
      : done(given);
  // Milvus's client fails oddly on a missing collection; the REST handlers report it.
  if (
    path.startsWith("/v2/vectordb/entities/") &&
    !(await client.hasCollection({ collection_name })).value
  )
    return {
      body: {
        code: 100,
        message: `can't find collection[database=default][collection=${collection_name}]`,
      },
    };
  switch (path.replace("/v2/vectordb/", "")) {
    case "collections/list":
      return done((await client.listCollections()).data.map((one) => one.name));
    case "collections/has":
      return done({ has: (await client.hasCollection({ collection_name })).value });
    case "collections/drop":
      return settled(await client.dropCollection({ collection_name }), {});
    case "collections/create": {
      const fields = schema!.fields.map((one): FieldType => ({
        name: one.fieldName,
        data_type: DataType[one.dataType],
        is_primary_key: one.isPrimary ?? false,
        is_partition_key: one.isPartitionKey ?? false,
        autoID: false,
        ...(one.elementTypeParams?.max_length && { max_length: one.elementTypeParams.max_length }),
        ...(one.elementTypeParams?.dim && { dim: one.elementTypeParams.dim }),
      }));
      const made = await client.createCollection({
        collection_name,
        fields,
        consistency_level: "Strong",
      });
      if (made.error_code !== "Success") return settled(made, {});
      await client.createIndex({
        collection_name,
        field_name: "vector",
        index_name: "vector",
        index_type: "AUTOINDEX",
        metric_type: "COSINE",
      });
      return settled(await client.loadCollectionSync({ collection_name }), {});
    }
    case "entities/upsert":
      return settled(
        (await client.upsert({ collection_name, data: data as Record<string, never>[] })).status,
        {},
      );
    case "entities/delete":
      return settled((await client.delete({ collection_name, filter })).status, {});
    case "entities/search": {
      const found = await client.search({
        collection_name,
        data: data[0] as number[],
        anns_field: "vector",
        filter,
        limit: limit ?? 10,
        output_fields: ["id"],
      });
      return settled(
        found.status,
        (found.results as { id: string; score: number }[]).map(({ id, score }) => ({
          id,
          distance: score,
        })),
      );
    }
    default:
      return { status: 404, body: "not found" };
  }
}
