import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { format } from "prettier";
import { buildProviderDocs, renewReadme } from "./provider-docs.ts";

it("docs/providers.md is up to date (./carrel providers)", async () => {
  const committed = readFileSync(new URL("../docs/providers.md", import.meta.url), "utf8");
  expect(committed).toBe(
    await format(buildProviderDocs(), { parser: "markdown", printWidth: 100 }),
  );
});

it("README.md lists every language model (./carrel providers)", async () => {
  const committed = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(committed).toBe(
    await format(renewReadme(committed), { parser: "markdown", printWidth: 100 }),
  );
});
