import { z } from "zod";
import { defineEvent } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const workspaceCreated = defineEvent({
  name: "workspace.created",
  service: "workspace",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});

export const workspaceUpdated = defineEvent({
  name: "workspace.updated",
  service: "workspace",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});

/**
 * chat and ingest delete their data of the workspace and call `confirmWorkspaceDeleted`; the
 * tombstone stays until both have.
 */
export const workspaceDeleted = defineEvent({
  name: "workspace.deleted",
  service: "workspace",
  consumers: ["chat", "ingest"],
  payload: z.object({ workspaceId: z.number().int() }),
});

export const workspaceEventContracts: Contracts = {
  events: [workspaceCreated, workspaceUpdated, workspaceDeleted],
};
