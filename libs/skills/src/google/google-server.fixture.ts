import { createContentClient } from "@carrel/egress";
import { startAccountServer } from "../account/account-server.fixture.ts";
import { apiKey, deploymentId, type AppsScriptFixture } from "./apps-script.fixture.ts";
import type { AppsScript, AppsScriptPorts } from "./apps-script.ts";

/** Both servers of Google on loopback, and the real content client, which may use loopback. */
export async function startGoogle(google: () => AppsScriptFixture) {
  const script = await startAccountServer((...call) => google().script(...call));
  const reply = await startAccountServer((...call) => google().reply(...call));
  const settings: AppsScript = { deploymentId, apiKey };
  const ports: AppsScriptPorts = {
    content: createContentClient({ allow: ["127.0.0.1"], timeoutMs: 5_000 }),
    origins: { script: script.address, reply: reply.address },
  };
  return {
    settings,
    ports,
    replyOrigin: reply.address,
    stop: () => Promise.all([script.stop(), reply.stop()]),
  };
}
export type GoogleServer = Awaited<ReturnType<typeof startGoogle>>;
