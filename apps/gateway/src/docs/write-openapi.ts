import { writeFileSync } from "node:fs";
import { buildOpenApi } from "./build-openapi.ts";

/** `npm run openapi -w apps/gateway`: updates the committed copy. */
writeFileSync(
  new URL("../../../../docs/openapi.json", import.meta.url),
  `${JSON.stringify(buildOpenApi(), null, 2)}\n`,
);
