import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { format } from "prettier";
import { buildProviderDocs } from "./provider-docs.ts";

it("docs/providers.md is up to date (./carrel providers)", async () => {
  const committed = readFileSync(new URL("../docs/providers.md", import.meta.url), "utf8");
  expect(committed).toBe(
    await format(buildProviderDocs(), { parser: "markdown", printWidth: 100 }),
  );
});
