import { writeFileSync } from "node:fs";
import { buildBrowserContracts } from "./browser-contracts.ts";

/** `./carrel contracts`: updates the web app's part of the contracts. */
writeFileSync(
  new URL("../libs/contracts/src/browser.gen.ts", import.meta.url),
  buildBrowserContracts(),
);
