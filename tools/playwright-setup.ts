import { ensureBuilt } from "./build.ts";
import { ensureChromium } from "./chromium.ts";

/** Before the first browser test: installs Chromium and builds what it opens. */
export default async function setUp(): Promise<void> {
  // Tests must not use the network; those that test downloads set their own hub.
  process.env.CARREL_MODEL_HUB ??= "off";
  await ensureChromium();
  if (!process.env.CARREL_WEB_DIST) await ensureBuilt();
}
