import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { buildProviderDocs, renewReadme } from "./provider-docs.ts";

const markdown = { parser: "markdown", printWidth: 100 };
const readme = new URL("../README.md", import.meta.url);

/** `./carrel providers`: updates the committed page and the README's table. */
writeFileSync(
  new URL("../docs/providers.md", import.meta.url),
  await format(buildProviderDocs(), markdown),
);
writeFileSync(readme, await format(renewReadme(readFileSync(readme, "utf8")), markdown));
