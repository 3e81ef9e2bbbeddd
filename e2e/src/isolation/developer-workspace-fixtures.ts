import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";
import type { Things } from "./world.ts";

/** A key has access to every workspace and thread, so the call refers to nobody's in particular. */
const inAny = (body?: unknown): Fixture => ({
  ...plain,
  call: ({ slug }) => ({ params: { slug }, body }),
});
const inAnyThread = (body?: unknown): Fixture => ({
  ...plain,
  call: ({ slug, threadSlug }) => ({ params: { slug, threadSlug }, body }),
});
const inNoThread: Fixture = {
  ...plain,
  call: ({ slug }: Things) => ({ params: { slug, threadSlug: "no-such-thread" } }),
};

export const developerWorkspaceFixtures: Entry[] = [
  ["gateway.developer-system.settings", plain],
  [
    "gateway.developer-system.update-env",
    { ...plain, call: () => ({ body: { LLMProvider: "extractive" } }) },
  ],
  [c.dumpSettings, { ...plain, allowed: [403] }],
  ["gateway.developer-workspace.create", { ...plain, call: () => ({ body: { name: "By key" } }) }],
  [c.listKeyWorkspaces, plain],
  [c.getKeyWorkspace, inAny()],
  ["gateway.developer-workspace.update", inAny({ topN: 4 })],
  [
    "gateway.developer-workspace.delete",
    {
      ...plain,
      call: async (_things, world) => ({
        params: { slug: (await world.root.makeWorkspace("To delete by key")).slug },
      }),
    },
  ],
  [c.listKeyChats, inAny()],
  [c.chatByKey, inAny({ message: "What is isolated?", sessionId: "isolation" })],
  [c.streamChatByKey, inAny({ message: "What is isolated?", sessionId: "isolation" })],
  [c.createKeyThread, inAny({ name: "By key" })],
  [c.updateKeyThread, inAnyThread({ name: "Renamed by key" })],
  [c.deleteKeyThread, inNoThread],
  [c.listKeyThreadChats, inAnyThread()],
  [c.chatInThreadByKey, inAnyThread({ message: "What is isolated?" })],
  [c.streamChatInThreadByKey, inAnyThread({ message: "What is isolated?" })],
];
