import { writeFileSync } from "node:fs";
import { format } from "prettier";
import { buildProviderDocs } from "./provider-docs.ts";

/** `./carrel providers`: updates the committed page. */
writeFileSync(
  new URL("../docs/providers.md", import.meta.url),
  await format(buildProviderDocs(), { parser: "markdown", printWidth: 100 }),
);
