import { afterAll, beforeAll, describe } from "@jest/globals";
import { openForTest } from "../test/open-store.ts";
import { hasChroma, startChroma, type RealServer } from "../test/real-server.ts";
import { storeConformance } from "../test/store.conformance.ts";
import { vectorIndexConformance } from "../test/vector-index.conformance.ts";

/**
 * A real Chroma: at CHROMA_URL (with CHROMA_API_KEY), or the server bundled with the npm package.
 */
const configuredUrl = process.env["CHROMA_URL"];
// The package only bundles a server for Linux on x64.
const isHere = configuredUrl !== undefined || hasChroma();
const describeChroma = isHere ? describe : describe.skip;
const reason = isHere
  ? ""
  : " (skipped: no Chroma server here; npm test fetches one for Linux on x64, or set CHROMA_URL)";
let server: RealServer | null = null;
let ChromaEndpoint = configuredUrl ?? "";
beforeAll(async () => {
  if (configuredUrl || !isHere) return;
  server = await startChroma();
  if (!server) throw new Error("the Chroma server of the npm package did not start");
  ChromaEndpoint = server.url;
});
afterAll(async () => {
  await server?.stop();
});
const settings = () => ({
  VectorDB: "chroma",
  ChromaEndpoint,
  ChromaApiKey: process.env["CHROMA_API_KEY"] ?? "",
});

describeChroma(`Chroma vector index${reason}`, () =>
  vectorIndexConformance(() => openForTest(settings())),
);
// No wrong key to test: a self-hosted Chroma leaves key checks to a reverse proxy.
describeChroma(`Chroma${reason}`, () =>
  storeConformance({
    settings,
    unreachable: () => ({ ...settings(), ChromaEndpoint: "http://127.0.0.1:9" }),
    keyless: null,
    forgets: true,
  }),
);
// The same server standing in for Chroma Cloud: its settings, smaller requests and index type.
describeChroma(`Chroma Cloud vector index${reason}`, () =>
  vectorIndexConformance(
    () =>
      openForTest(
        {
          VectorDB: "chromacloud",
          ChromaCloudApiKey: "ck-test",
          ChromaCloudTenant: "default_tenant",
          ChromaCloudDatabase: "default_database",
        },
        ChromaEndpoint,
      ),
    2_000,
  ),
);
