import { ensureBuilt } from "./build.ts";
import { ensureChromium } from "./chromium.ts";

/** Before the first browser test: Chromium is installed, and what it opens is built. */
export default async function setUp(): Promise<void> {
  // No test may use the network; one that downloads names a hub of its own.
  process.env.CARREL_MODEL_HUB ??= "off";
  await ensureChromium();
  if (!process.env.CARREL_WEB_DIST) await ensureBuilt();
}
