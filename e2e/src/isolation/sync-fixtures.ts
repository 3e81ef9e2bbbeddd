import * as c from "@carrel/contracts";
import { inWorkspace, plain, type Entry, type Fixture } from "./fixture.ts";

const ofWatch = (body?: unknown): Fixture => ({
  names: ["workspace", "watch"],
  call: ({ slug, watchId }) => ({
    params: { slug, watchId },
    ...(body !== undefined && { body }),
  }),
});

const ofConnection = (): Fixture => ({
  names: ["workspace", "connection"],
  call: ({ slug, connectionId }) => ({ params: { slug, connectionId } }),
});

export const syncFixtures: Entry[] = [
  // It stays on, because the others need it.
  [c.toggleLiveSync, { ...plain, call: () => ({ body: { updatedStatus: true } }) }],
  [c.listSyncQueues, plain],
  [c.listAllWatches, plain],
  [c.listWatches, inWorkspace()],
  [c.updateWatch, ofWatch({ intervalSeconds: 86_400 })],
  [c.syncNow, ofWatch({})],
  [c.listSyncRuns, ofWatch()],
  [
    c.watchSource,
    {
      names: ["workspace", "connection"],
      call: ({ slug, connectionId }) => ({
        params: { slug, connectionId },
        body: { watched: true },
      }),
    },
  ],
  [c.createHook, ofConnection()],
  [c.removeHook, ofConnection()],
  // Nothing signs it.
  [
    c.receiveHook,
    {
      ...plain,
      call: ({ connectionId }) => ({ params: { connectionId }, body: {} }),
      allowed: [404],
    },
  ],
];
