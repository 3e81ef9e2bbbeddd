import { readFileSync, writeFileSync } from "node:fs";
import { format } from "oxfmt";
import { buildProviderDocs, renewReadme } from "./provider-docs.ts";

const layout = { printWidth: 100 };
const page = new URL("../docs/providers.md", import.meta.url);
const readme = new URL("../README.md", import.meta.url);

/** `./carrel providers`: updates the committed page and the README's table. */
writeFileSync(page, (await format("providers.md", buildProviderDocs(), layout)).code);
writeFileSync(
  readme,
  (await format("README.md", renewReadme(readFileSync(readme, "utf8")), layout)).code,
);
