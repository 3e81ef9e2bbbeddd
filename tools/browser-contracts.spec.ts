import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { buildBrowserContracts } from "./browser-contracts.ts";

it("libs/contracts/src/browser.gen.ts is up to date (./carrel contracts)", () => {
  const url = new URL("../libs/contracts/src/browser.gen.ts", import.meta.url);
  expect(readFileSync(url, "utf8")).toBe(buildBrowserContracts());
});
