import type { weaviateV2 } from "weaviate-client";
import { byWorkspace } from "./chroma-driver.ts";
import { StoreConnection } from "./store-connection.ts";
import type { DriverQuery, DriverRow, VectorDriver } from "./vector-driver.ts";
import { VectorStoreError, type ScoredId } from "./vector-store.ts";

type Client = ReturnType<typeof weaviateV2.client>;
type Where = Parameters<ReturnType<Client["batch"]["objectsBatchDeleter"]>["withWhere"]>[0];

/** Candidates per graph search; a server returns at most 10,000 hits. */
const searchedNeighbours = 256;
const maxHits = 10_000;

export function openWeaviate(o: {
  name: string;
  url: string;
  key: string | undefined;
}): VectorDriver {
  const url = new URL(o.url);
  return new WeaviateDriver(
    new StoreConnection(o.name, [url.origin], [o.key]),
    `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    o.key,
  );
}

/**
 * One class per model with one tenant per workspace, over REST and GraphQL: the newer half of the
 * client needs a separate gRPC address, which the settings don't have.
 */
class WeaviateDriver implements VectorDriver {
  readonly batchSize = 500;
  private client: Promise<Client> | null = null;

  constructor(
    private readonly connection: StoreConnection,
    private readonly address: string,
    private readonly key: string | undefined,
  ) {}

  ensure(table: string): Promise<boolean> {
    return this.run(async (client) => {
      const name = classOf(table);
      if (await has(client, name)) return false;
      const made = client.schema
        .classCreator()
        .withClass({
          class: name,
          vectorizer: "none",
          vectorIndexType: "hnsw",
          vectorIndexConfig: { distance: "cosine", ef: searchedNeighbours },
          multiTenancyConfig: {
            enabled: true,
            autoTenantCreation: true,
            autoTenantActivation: true,
          },
          properties: [
            {
              name: "document",
              dataType: ["text"],
              tokenization: "field",
              indexFilterable: true,
              indexSearchable: false,
            },
            { name: "version", dataType: ["int"], indexFilterable: true },
          ],
        })
        .do();
      // Another process may have created it in the meantime.
      return made.then(
        () => true,
        async (fault: unknown) => {
          if (await has(client, name)) return false;
          throw fault;
        },
      );
    });
  }

  async upsert(table: string, rows: DriverRow[]): Promise<void> {
    for (const [workspaceId, own] of byWorkspace(rows)) {
      await this.run(async (client) => {
        // On a write the server would recreate a missing class, but without tenants.
        if (!(await has(client, classOf(table))))
          throw new Error(`no such class: ${classOf(table)}`);
        const results = await client.batch
          .objectsBatcher()
          .withObjects(
            ...own.map((row) => ({
              class: classOf(table),
              id: row.id,
              vector: row.vector,
              tenant: tenantOf(workspaceId),
              properties: { document: row.documentId, version: row.version },
            })),
          )
          .do();
        const faults = results.flatMap(
          (result) => result.result?.errors?.error?.flatMap((one) => one.message ?? []) ?? [],
        );
        if (faults[0] !== undefined) throw new Error(faults[0]);
      });
    }
  }

  async search(
    table: string,
    { workspaceId, vector, limit, documentIds }: DriverQuery,
  ): Promise<ScoredId[]> {
    return this.inTenant([], async (client) => {
      const query = client.graphql
        .get()
        .withClassName(classOf(table))
        .withTenant(tenantOf(workspaceId))
        .withNearVector({ vector })
        .withLimit(Math.min(limit, maxHits))
        .withFields("_additional { id distance }");
      if (documentIds)
        query.withWhere({
          path: ["document"],
          operator: "ContainsAny",
          valueTextArray: [...documentIds],
        });
      const found = await query.do();
      const hits = (found.data?.Get?.[classOf(table)] ?? []) as {
        _additional: { id: string; distance: number };
      }[];
      return hits.map(({ _additional: { id, distance } }) => ({ id, score: 1 - distance }));
    });
  }

  async deleteByDocument(
    table: string,
    workspaceId: number,
    documentId: string,
    exceptVersion: number | undefined,
  ): Promise<void> {
    const document: Where = { path: ["document"], operator: "Equal", valueText: documentId };
    const where: Where =
      exceptVersion === undefined
        ? document
        : {
            operator: "And",
            operands: [
              document,
              { path: ["version"], operator: "NotEqual", valueInt: exceptVersion },
            ],
          };
    await this.inTenant(undefined, async (client) => {
      // Each call deletes at most as many rows as one response may hold.
      for (;;) {
        const { results } = await client.batch
          .objectsBatchDeleter()
          .withClassName(classOf(table))
          .withTenant(tenantOf(workspaceId))
          .withWhere(where)
          .withOutput("minimal")
          .do();
        if ((results?.failed ?? 0) > 0)
          throw new Error(`${results?.failed} rows could not be deleted`);
        if ((results?.matches ?? 0) <= (results?.successful ?? 0)) return;
      }
    });
  }

  async deleteWorkspace(table: string, workspaceId: number): Promise<void> {
    await this.inTenant(undefined, (client) =>
      client.schema.tenantsDeleter(classOf(table), [tenantOf(workspaceId)]).do(),
    );
  }

  async drop(table: string): Promise<void> {
    await this.run(async (client) => {
      if (await has(client, classOf(table)))
        await client.schema.classDeleter().withClassName(classOf(table)).do();
    });
  }

  isMissing(fault: unknown): boolean {
    // The server words this differently for a query on a missing class, a query without any class
    // and a write.
    return (
      fault instanceof VectorStoreError &&
      /class.*(not found|not present|does not exist)|could not find class|cannot query field .*GetObjects|no graphql provider|no such class/i.test(
        `${fault.message} ${fault.cause instanceof Error ? fault.cause.message : ""}`,
      )
    );
  }

  async check(): Promise<void> {
    await this.run(async (client) => {
      // Reading the schema tests the key; creating and deleting a class tests write access.
      const name = `CarrelCheck${Date.now().toString(36)}${Math.trunc(Math.random() * 1e6).toString(36)}`;
      await client.schema.classCreator().withClass({ class: name, vectorizer: "none" }).do();
      await client.schema.classDeleter().withClassName(name).do();
    });
  }

  async close(): Promise<void> {
    this.client = null;
  }

  private run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    // The client asks for the server's version as soon as it is created, so that has to run within
    // the connection too.
    return this.connection.run(async () => work(await (this.client ??= this.make())));
  }

  private async make(): Promise<Client> {
    const { weaviateV2 } = await import("weaviate-client");
    return weaviateV2.client({
      host: this.address,
      headers: this.key ? { Authorization: `Bearer ${this.key}` } : {},
    });
  }

  /** A workspace without vectors has no tenant yet. */
  private async inTenant<T>(none: T, work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await this.run(work);
    } catch (fault) {
      if (
        fault instanceof VectorStoreError &&
        /tenant.*not found|tenant not found/i.test(fault.message)
      )
        return none;
      throw fault;
    }
  }
}

/** Whether a class exists; the client's own check reads all classes on the server. */
async function has(client: Client, name: string): Promise<boolean> {
  try {
    await client.schema.classGetter().withClassName(name).do();
    return true;
  } catch (fault) {
    if (typeof fault === "object" && fault !== null && "code" in fault && fault.code === 404)
      return false;
    throw fault;
  }
}

/** Letters, digits and `_`, starting with a capital letter. */
const classOf = (table: string): string => `Carrel_${table.replaceAll("-", "_")}`;
const tenantOf = (workspaceId: number): string => `workspace-${workspaceId}`;
