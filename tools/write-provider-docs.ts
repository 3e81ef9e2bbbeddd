import { writeFileSync } from "node:fs";
import { buildProviderDocs } from "./provider-docs.ts";

/** `./carrel providers`: updates the committed page. */
writeFileSync(new URL("../docs/providers.md", import.meta.url), buildProviderDocs());
