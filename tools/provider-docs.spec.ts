import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { buildProviderDocs } from "./provider-docs.ts";

it("docs/providers.md is up to date (./carrel providers)", () => {
  const committed = readFileSync(new URL("../docs/providers.md", import.meta.url), "utf8");
  expect(committed).toBe(buildProviderDocs());
});
