import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { format } from "oxfmt";
import { buildProviderDocs, renewReadme } from "./provider-docs.ts";

it("docs/providers.md is up to date (./carrel providers)", async () => {
  const committed = readFileSync(new URL("../docs/providers.md", import.meta.url), "utf8");
  expect(committed).toBe(
    (await format("providers.md", buildProviderDocs(), { printWidth: 100 })).code,
  );
});

it("README.md lists every language model (./carrel providers)", async () => {
  const committed = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(committed).toBe(
    (await format("README.md", renewReadme(committed), { printWidth: 100 })).code,
  );
});
