import { ownServers } from "./src/server-owner.ts";

export default async function globalSetup() {
  // No test reaches for the network; one of downloads names a hub of its own.
  process.env.CARREL_MODEL_HUB ??= "off";
  globalThis.__closeTestServers = await ownServers();
}
