import { describe } from "@jest/globals";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";

/**
 * Against a real Weaviate where WEAVIATE_URL (and WEAVIATE_API_KEY) say where one is. By hand: `go
 * install
 * github.com/weaviate/weaviate/cmd/weaviate-server@v1.34.0`, started with
 * AUTHENTICATION_APIKEY_ENABLED. In every run:
 * hosted-stores.int-spec.ts, at protocol level.
 */
const given = process.env["WEAVIATE_URL"];
const describeWeaviate = given ? describe : describe.skip;
const settings = () => ({
  VectorDB: "weaviate",
  WeaviateEndpoint: given ?? "",
  WeaviateApiKey: process.env["WEAVIATE_API_KEY"] ?? "",
});

describeWeaviate(`Weaviate vector index${given ? "" : " (skipped: WEAVIATE_URL is not set)"}`, () =>
  vectorIndexConformance(() => openForTest(settings())),
);
describeWeaviate(`Weaviate${given ? "" : " (skipped: WEAVIATE_URL is not set)"}`, () =>
  storeConformance({
    settings,
    away: () => ({ ...settings(), WeaviateEndpoint: "http://127.0.0.1:9" }),
    forgets: true,
    keyless: process.env["WEAVIATE_API_KEY"]
      ? () => ({ ...settings(), WeaviateApiKey: "wrong-secret" })
      : null,
  }),
);
