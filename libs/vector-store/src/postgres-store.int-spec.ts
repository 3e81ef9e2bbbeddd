import { testDatabase } from "@carrel/testing";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";
import { checkVectorStore } from "./registry.ts";

/** PGVECTOR_URL, or pgvector in PGlite (PostgreSQL as WebAssembly) behind a PostgreSQL socket. */
const configuredUrl = process.env["PGVECTOR_URL"];
let database: PGlite | undefined;
let server: PGLiteSocketServer | undefined;
let PGVectorConnectionString = configuredUrl ?? "";
beforeAll(async () => {
  if (configuredUrl) return;
  database = await PGlite.create({ extensions: { vector } });
  server = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port: 0, maxConnections: 20 });
  const listening = new Promise<number>((resolve) =>
    server!.addEventListener(
      "listening",
      (event) => resolve((event as CustomEvent<{ port: number }>).detail.port),
      { once: true },
    ),
  );
  await server.start();
  PGVectorConnectionString = `postgresql://postgres:postgres@127.0.0.1:${await listening}/postgres?sslmode=disable`;
});
afterAll(async () => {
  await server?.stop();
  await database?.close();
});
const settings = () => ({
  VectorDB: "pgvector",
  PGVectorConnectionString,
  PGVectorTableName: 'Carrel "test" vectors',
});

// The graph index is slow in WebAssembly.
describe("PGVector vector index", () =>
  vectorIndexConformance(() => openForTest(settings()), configuredUrl ? 10_000 : 2_000));
describe("PGVector", () =>
  storeConformance({
    settings,
    unreachable: () => ({
      ...settings(),
      PGVectorConnectionString: "postgresql://postgres:wrong-secret@127.0.0.1:9/postgres",
    }),
    // PGlite accepts any password.
    keyless: configuredUrl
      ? () => ({
          ...settings(),
          PGVectorConnectionString: configuredUrl.replace(/:[^:@/]+@/, ":wrong-secret@"),
        })
      : null,
    forgets: true,
  }));

describe("PostgreSQL without the extension", () => {
  it("reports a missing extension, a wrong password and a missing database", async () => {
    const plain = await testDatabase();
    const url = plain.url.replace(/^postgres:/, "postgresql:");
    const check = (PGVectorConnectionString: string) =>
      checkVectorStore({
        settings: { VectorDB: "pgvector", PGVectorConnectionString },
        folder: "",
      });
    await expect(check(url)).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringMatching(
        /^The PostgreSQL server at .* doesn't have the extension "vector"/,
      ),
    });
    await expect(check(url.replace(/:[^:@/]+@/, ":wrong-secret@"))).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringMatching(/^PGVector rejected the username or password at /),
    });
    await expect(check(`${url}_elsewhere`)).rejects.toMatchObject({
      isRetryable: false,
      message: expect.stringMatching(/^This database doesn't exist at /),
    });
    await plain.drop();
  });
});
