import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  eventLogged,
  instancePrincipal,
  toImportId,
  updateHubSettings,
  type Args,
  type HubItemType,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { FakeHub } from "@carrel/testing";
import { HubRecord, hubDoubles } from "../../test/hub-doubles.ts";
import { startTestConnectors } from "../../test/test-connectors.ts";

export const scope: Scope = { principal: instancePrincipal, workspace: null };

/** The connectors service with a hub on loopback, and what it has told other services. */
export async function startHub() {
  const record = new HubRecord();
  const hub = await new FakeHub().start();
  const logged: { event: string; metadata: Record<string, unknown> }[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), "carrel-hub-"));
  const instance = await startTestConnectors(
    (_request, response) => response.writeHead(404).end(),
    { folders: [folder], doubles: hubDoubles(record) },
  );
  record.blobs = instance.blobs;
  instance.hear(eventLogged, ({ event, metadata }) =>
    logged.push({ event, metadata: metadata as Record<string, unknown> }),
  );
  const save = (
    input: Args<typeof updateHubSettings>,
    as = scope,
  ): Promise<Out<typeof updateHubSettings>> => instance.request(updateHubSettings, input, as);
  return {
    instance,
    hub,
    record,
    logged,
    folder,
    save,
    useServer: () => save({ source: { kind: "server", address: hub.address } }),
    async reset(): Promise<void> {
      await instance.sql("DELETE FROM connectors.hub_setting");
      hub.reset();
      logged.length = 0;
      record.reset();
    },
    async stop(): Promise<void> {
      await instance.stop();
      await hub.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type HubFixture = Awaited<ReturnType<typeof startHub>>;

const common = {
  name: "Weather",
  description: "Tells the weather",
  tags: ["nature"],
  visibility: "public",
  verified: false,
  creatorUsername: "anna",
};
export const prompt = {
  ...common,
  id: "p1",
  itemType: "system-prompt",
  prompt: "Answer in rhymes.",
};
export const publication = { type: "system-prompt", name: "Rhymes", prompt: "Answer in rhymes." };
export const command = {
  ...common,
  id: "c1",
  itemType: "slash-command",
  command: "/Sum Up",
  prompt: "Sum it up",
};
export const flow = {
  ...common,
  id: "f1",
  itemType: "agent-flow",
  flow: JSON.stringify({
    name: "Weather",
    steps: [
      { type: "start", config: { variables: [{ name: "city", value: "" }] } },
      {
        type: "apiCall",
        config: {
          url: "https://weather.example.com/v1?city=${city}",
          method: "GET",
          headers: [{ key: "Authorization", value: "Bearer {{credential.weather}}" }],
        },
      },
      { type: "llmInstruction", config: { instruction: "Say it", resultVariable: "said" } },
    ],
  }),
};
export const skill = { ...common, id: "s1", itemType: "agent-skill", verified: true };
export const idOf = ({ itemType, id }: { itemType: string; id: string }): string =>
  toImportId(itemType as HubItemType, id);
