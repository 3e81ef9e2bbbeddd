import { ownServers } from "./src/server-owner.ts";

export default async function globalSetup() {
  // Tests must not use the network; tests of downloads set their own hub.
  process.env.CARREL_MODEL_HUB ??= "off";
  globalThis.__closeTestServers = await ownServers();
}
