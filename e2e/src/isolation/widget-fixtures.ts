import { randomUUID } from "node:crypto";
import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";
import type { World } from "./world.ts";

const workspaces = new WeakMap<World, Promise<{ id: number; slug: string }>>();
/** Widgets answer from any workspace; one is enough. */
const workspaceOf = (world: World): Promise<{ id: number; slug: string }> => {
  const made = workspaces.get(world) ?? world.root.makeWorkspace("Widgets");
  workspaces.set(world, made);
  return made;
};
const freshWidget = async (world: World): Promise<{ id: number; uuid: string }> =>
  (
    await world.root.json<{ embed: { id: number; uuid: string } }>("POST", "/embeds/new", {
      workspace_id: (await workspaceOf(world)).id,
      allow_any_origin: true,
    })
  ).embed;
const on = (more: Record<string, string> = {}, body?: unknown): Fixture => ({
  ...plain,
  call: async (_things, world) => ({
    params: { id: (await freshWidget(world)).id, ...more },
    body,
  }),
});
const byUuid = (more: Record<string, string> = {}, body?: unknown): Fixture => ({
  ...plain,
  call: async (_things, world) => ({
    params: { uuid: (await freshWidget(world)).uuid, ...more },
    body,
  }),
});
/** A visitor of a page that anyone may use. */
const visiting = (more: Record<string, string> = {}, body?: unknown): Fixture => ({
  ...plain,
  call: async (_things, world) => ({
    params: { embedUuid: (await freshWidget(world)).uuid, ...more },
    body,
  }),
});
const sessionId = randomUUID();

/** Widgets belong to the instance: admins see all of them, and nobody else any. */
export const widgetFixtures: Entry[] = [
  [c.listWidgets, plain],
  ["gateway.developer.widgets", plain],
  [
    c.createWidget,
    {
      ...plain,
      call: async (_things, world) => ({ body: { workspace_id: (await workspaceOf(world)).id } }),
    },
  ],
  [
    "workspace.developer.create-widget",
    {
      ...plain,
      call: async (_things, world) => ({
        body: { workspace_slug: (await workspaceOf(world)).slug },
      }),
    },
  ],
  [c.updateWidget, on({}, { name: "Changed" })],
  ["workspace.developer.update-widget", byUuid({}, { name: "Changed" })],
  [c.deleteWidget, on()],
  ["workspace.developer.delete-widget", byUuid()],
  [c.createWidgetSecret, on()],
  [c.deleteWidgetSecret, on()],
  [c.listWidgetChats, { ...plain, call: () => ({ body: { offset: 0, limit: 5 } }) }],
  [c.listDeveloperWidgetChats, byUuid()],
  ["gateway.developer.widget-session", byUuid({ sessionUuid: sessionId })],
  [c.listWidgetSessions, on()],
  [
    c.getWidgetUsage,
    {
      ...plain,
      call: async (_things, world) => ({
        params: { id: (await freshWidget(world)).id },
        query: { from: "2026-11-01", to: "2026-11-30" },
      }),
    },
  ],
  [c.deleteWidgetChat, { ...plain, call: () => ({ params: { chatId: 2_000_000_000 } }) }],
  [c.deleteWidgetSession, on({ sessionId })],
  [c.startWidgetSession, visiting({}, { token: null })],
  [c.streamWidgetChat, visiting({}, { sessionId, message: "Hello?" })],
  [c.readWidgetHistory, visiting({ sessionId })],
  [c.resetWidgetHistory, visiting({ sessionId })],
  [c.stopWidgetChat, visiting({ sessionId })],
];
