import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  metadataHosts,
  setMetadataTrap,
  startRedirectingServer,
  type MetadataTrap,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { serveJson } from "../test/fakes/json-server.ts";

/** Settings of each store with its server at this address, which hosted stores get as base URL. */
const stores: Record<string, (address: string) => Record<string, string>> = {
  chroma: (address) => ({ ChromaEndpoint: address }),
  chromacloud: () => ({
    ChromaCloudApiKey: "ck-0",
    ChromaCloudTenant: "tenant",
    ChromaCloudDatabase: "database",
  }),
  pgvector: (address) => ({
    PGVectorConnectionString: `${address.replace(/^https?/, "postgresql")}/database`,
  }),
  weaviate: (address) => ({ WeaviateEndpoint: address }),
  milvus: (address) => ({
    MilvusAddress: address,
    MilvusUsername: "root",
    MilvusPassword: "secret",
  }),
  zilliz: (address) => ({ ZillizEndpoint: address, ZillizApiToken: "token" }),
  pinecone: () => ({ PineConeKey: "key", PineConeIndex: "index" }),
  astra: (address) => ({ AstraDBEndpoint: address, AstraDBApplicationToken: "AstraCS:0" }),
  qdrant: (address) => ({ QdrantEndpoint: address }),
};
const model = { model: "test", dimensions: 3 };
const refused = {
  name: "VectorStoreError",
  isRetryable: false,
  message: expect.stringContaining("belongs to the cloud's metadata service"),
};

let trap: MetadataTrap;
let folder: string;
let client: typeof import("./index.ts");
beforeAll(async () => {
  trap = await setMetadataTrap();
  folder = mkdtempSync(join(tmpdir(), "carrel-metadata-"));
  client = await import("./index.ts");
});
afterAll(async () => {
  await trap.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything Carrel asks of a store that has an address. */
async function useStore(id: string, address: string): Promise<unknown[]> {
  const options = {
    settings: { VectorDB: id, ...stores[id]!(address) },
    folder,
    baseUrl: address,
  };
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  await client.checkVectorStore({ ...options, model }).catch(note);
  const store = await client.openVectorStore(options);
  const vectors = store.vectors(model);
  await vectors
    .search({ workspaceId: 1, vector: new Float32Array([1, 0, 0]), limit: 1 })
    .catch(note);
  await store.close();
  return faults;
}

describe("without protection", () => {
  it.each(metadataHosts)("a client reaches the credentials at %s", async (host) => {
    const reply = await fetch(`http://${host}/latest/meta-data`);
    expect(await reply.text()).toBe("credentials");
  });

  it("a database client connects to them, and a redirect leads to them", async () => {
    const before = trap.connections;
    const { default: pg } = await import("pg");
    const database = new pg.Client("postgresql://user@innocent.test/database");
    await expect(database.connect()).rejects.toThrow();
    expect(trap.connections).toBe(before + 1);
    const server = await startRedirectingServer(307);
    const reply = await fetch(server.url, { method: "POST", body: "{}" });
    expect(await reply.text()).toBe("credentials");
    await server.stop();
  });
});

describe.each(Object.keys(stores))("%s", (id) => {
  it("never connects to an address that serves credentials, however it is spelled", async () => {
    const before = trap.connections;
    for (const host of metadataHosts) {
      const faults = await useStore(id, `http://${host}`);
      expect({ host, faults }).toMatchObject({ host, faults: [refused, refused] });
    }
    expect(trap.connections).toBe(before);
  });

  it("follows no redirect to one", async () => {
    const before = trap.connections;
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startRedirectingServer(status);
      const faults = await useStore(id, server.url);
      expect(faults.length).toBeGreaterThan(0);
      if (id !== "pgvector") expect(server.requests).toBeGreaterThan(0);
      await server.stop();
    }
    expect(trap.connections).toBe(before);
  });
});

it("a hosted store can't name one as an index's host", async () => {
  const before = trap.connections;
  for (const host of ["http://169.254.169.254", "http://innocent.test"]) {
    const control = await serveJson(() => ({
      body: {
        name: "index",
        host,
        status: { ready: true, state: "Ready" },
        deletion_protection: "disabled",
        deployment: { deployment_type: "managed", cloud: "aws", region: "us-east-1" },
        schema: {
          fields: { _values: { type: "dense_vector", dimension: 3, metric: "cosine" } },
        },
      },
    }));
    const faults = await useStore("pinecone", control.url);
    await control.stop();
    expect(faults).toContainEqual(expect.objectContaining(refused));
  }
  expect(trap.connections).toBe(before);
});

it("a connection string can't name another host in its parameters", async () => {
  const before = trap.connections;
  for (const parameters of ["host=169.254.169.254", "host=innocent.test", "host=/var/run"])
    await expect(
      client.checkVectorStore({
        settings: {
          VectorDB: "pgvector",
          PGVectorConnectionString: `postgresql://user@127.0.0.1:9/database?${parameters}`,
        },
        folder,
      }),
    ).rejects.toMatchObject({ name: "VectorStoreError", isRetryable: false });
  expect(trap.connections).toBe(before);
});
