import {
  createAdminWorkspace,
  deleteAdminWorkspace,
  listAdminWorkspaces,
  listMembers,
  updateMembers,
  type Args,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { workspaceKeys } from "../../../lib/query-keys.ts";

export type AdminWorkspace = Out<typeof listAdminWorkspaces>["workspaces"][number];

const adminWorkspaceKeys = {
  list: ["admin", "workspaces"],
  members: (id: number) => ["admin", "workspaces", id, "members"],
} as const;

export const adminWorkspacesQuery = queryOptions({
  queryKey: adminWorkspaceKeys.list,
  queryFn: ({ signal }) => call(listAdminWorkspaces, {}, { signal }),
  select: (reply) => reply.workspaces,
});

/** Managers and admins see every workspace; they are listed only if they are also members. */
export const membersQuery = (id: number) =>
  queryOptions({
    queryKey: adminWorkspaceKeys.members(id),
    queryFn: ({ signal }) => call(listMembers, { id }, { signal }),
    select: (reply) => reply.users,
  });

const invalidates = [adminWorkspaceKeys.list, workspaceKeys.list];

export const useCreateWorkspace = () =>
  useMutation({
    mutationFn: async (name: string): Promise<WorkspaceWire> => {
      const { workspace } = await call(createAdminWorkspace, { name });
      return workspace!;
    },
    meta: { invalidates, errorToast: false },
  });

export const useDeleteWorkspace = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteAdminWorkspace, { id }),
    ...optimistic(adminWorkspacesQuery.queryKey, (reply, id: number) => ({
      ...reply,
      workspaces: reply.workspaces.filter((workspace) => workspace.id !== id),
    })),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("admin:workspaces.deleteFailed", { message }),
    },
  });

/** Replaces all members. */
export const useUpdateMembers = () =>
  useMutation({
    mutationFn: (members: Args<typeof updateMembers>) => call(updateMembers, members),
    meta: { invalidates, errorToast: false },
  });
