import { afterAll, beforeAll, describe } from "@jest/globals";
import { bridgeMilvus } from "../test/milvus-bridge.ts";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";

/**
 * A real server: MILVUS_URL (RESTful API; MILVUS_TOKEN as user:password), or MILVUS_LITE, the host
 * and port of a `milvus-lite server`, which speaks only gRPC and is reached through a bridge. Every
 * run also covers Milvus at protocol level in hosted-stores.int-spec.ts.
 */
const { MILVUS_URL: url, MILVUS_LITE: lite, MILVUS_TOKEN: token = "" } = process.env;
const describeMilvus = url || lite ? describe : describe.skip;
const reason = url || lite ? "" : " (skipped: neither MILVUS_URL nor MILVUS_LITE is set)";
let bridge: Awaited<ReturnType<typeof bridgeMilvus>> | undefined;
beforeAll(async () => {
  if (lite) bridge = await bridgeMilvus(lite);
});
afterAll(async () => {
  await bridge?.stop();
});
const [MilvusUsername = "", MilvusPassword = ""] = token.split(":");
const settings = () => ({
  VectorDB: "milvus",
  MilvusAddress: url ?? bridge?.url ?? "",
  MilvusUsername,
  MilvusPassword,
});

describeMilvus(`Milvus vector index${reason}`, () =>
  vectorIndexConformance(() => openForTest(settings())),
);
describeMilvus(`Milvus${reason}`, () =>
  storeConformance({
    settings,
    unreachable: () => ({ ...settings(), MilvusAddress: "http://127.0.0.1:9" }),
    keyless: url && token ? () => ({ ...settings(), MilvusPassword: "wrong-secret" }) : null,
    forgets: true,
  }),
);
