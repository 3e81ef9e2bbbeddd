import { z } from "zod";
import { memberRights, type MemberRight } from "../access.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Preference labels of what admins allow members ("true"; off by default). */
export const memberRightLabels = {
  createWorkspaces: "members_create_workspaces",
  uploadDocuments: "members_upload_documents",
} as const satisfies Record<MemberRight, string>;

/**
 * Carrel-specific: what the caller may do in addition to asking questions; managers may do all of
 * it.
 */
export const getMemberRights = defineOperation({
  name: "workspace.member-right.list",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/member-rights",
      summary: "Get what admins allow you to do",
    },
  ],
  input: z.object({}),
  output: z.object({
    rights: z.array(z.enum(memberRights)),
    /** Whether the caller may choose the model of a thread. */
    choosesModels: z.boolean(),
    /** Workspaces that the caller has created and may still manage. */
    ownWorkspaces: z.array(z.number().int()),
  }),
});

export const memberRightContracts: Contracts = { operations: [getMemberRights] };
