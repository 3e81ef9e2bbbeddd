import * as c from "@carrel/contracts";
import { form, plain, type Entry, type Fixture } from "./fixture.ts";

const params = { hubId: "isolated" };
/** None of them exists: plugins are the instance's, so only their policy matters here. */
const gone = (body?: unknown, more: Partial<Fixture> = {}): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
  ...more,
});
const nothing = { hosts: [], storage: false, secrets: [] };
/** Existing clients read an empty reply. */
const empty = { allowed: [200] };

export const pluginFixtures: Entry[] = [
  [c.listPlugins, plain],
  [c.getPlugin, gone()],
  [c.readPluginFile, gone(undefined, { call: () => ({ params, query: { path: "handler.js" } }) })],
  [
    c.uploadPlugin,
    {
      ...plain,
      call: () => ({ body: form("file", "no archive", "plugin.zip", "application/zip") }),
      allowed: [400],
    },
  ],
  [c.confirmPlugin, gone({ hash: "x", permissions: nothing })],
  [c.setPluginArguments, gone({ values: {} })],
  [c.configureLegacyPlugin, gone({ updates: {} }, empty)],
  [c.togglePlugin, gone({ active: true }, empty)],
  [c.deletePlugin, gone(undefined, empty)],
  [c.tryPlugin, gone({})],
];
