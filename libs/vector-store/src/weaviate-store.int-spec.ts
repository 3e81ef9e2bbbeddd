import { describe } from "@jest/globals";
import { openForTest } from "../test/open-store.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";

/**
 * Runs against a real Weaviate at WEAVIATE_URL (with WEAVIATE_API_KEY). To start one: `go install
 * github.com/weaviate/weaviate/cmd/weaviate-server@v1.34.0`, with AUTHENTICATION_APIKEY_ENABLED.
 * Every run also covers Weaviate at protocol level in hosted-stores.int-spec.ts.
 */
const configuredUrl = process.env["WEAVIATE_URL"];
const describeWeaviate = configuredUrl ? describe : describe.skip;
const settings = () => ({
  VectorDB: "weaviate",
  WeaviateEndpoint: configuredUrl ?? "",
  WeaviateApiKey: process.env["WEAVIATE_API_KEY"] ?? "",
});

describeWeaviate(
  `Weaviate vector index${configuredUrl ? "" : " (skipped: WEAVIATE_URL is not set)"}`,
  () => vectorIndexConformance(() => openForTest(settings())),
);
describeWeaviate(`Weaviate${configuredUrl ? "" : " (skipped: WEAVIATE_URL is not set)"}`, () =>
  storeConformance({
    settings,
    unreachable: () => ({ ...settings(), WeaviateEndpoint: "http://127.0.0.1:9" }),
    forgets: true,
    keyless: process.env["WEAVIATE_API_KEY"]
      ? () => ({ ...settings(), WeaviateApiKey: "wrong-secret" })
      : null,
  }),
);
