import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * Internal: the workspaces of `listWorkspaces` as the JSON that clients receive, built by
 * PostgreSQL and never parsed in between (docs/decisions/gateway.md). Paged, because replies
 * between services are limited; pass `next` as `after` of the next page.
 */
export const readWorkspacePage = defineOperation({
  // Not named read-page, because gateways that know the old operation would never reach the end of
  // this reply.
  name: "workspace.workspace.read-page-changes",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    after: z.number().int().nullable().default(null),
    /** Version of the page that the caller has cached. */
    knownVersion: z.string().nullable().default(null),
  }),
  output: z.object({
    /** Changes whenever anything on the page may have changed. */
    version: z.string(),
    /** null if the caller's version is current. */
    page: z
      .object({
        /** The elements of an array of `workspaceWire`, without its brackets. */
        items: z.string(),
        next: z.number().int().nullable(),
      })
      .nullable(),
  }),
});

/** Internal: ids of the workspaces that the caller may use, in pages like `readWorkspacePage`. */
export const listWorkspaceIds = defineOperation({
  name: "workspace.workspace.list-ids",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ after: z.number().int().nullable().default(null) }),
  output: z.object({ ids: z.array(z.number().int()), next: z.number().int().nullable() }),
});

/** Internal: the row of the workspace in scope as JSON for clients; part of `getWorkspace`. */
export const readWorkspace = defineOperation({
  name: "workspace.workspace.read",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({
    /** A `workspaceWire`, for role default with `workspace_users`. */
    workspace: z.string(),
  }),
});

export const workspaceReadContracts: Contracts = {
  operations: [readWorkspacePage, listWorkspaceIds, readWorkspace],
};
