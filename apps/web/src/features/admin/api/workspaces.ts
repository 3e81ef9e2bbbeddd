import {
  createAdminWorkspace,
  deleteAdminWorkspace,
  listAdminWorkspaces,
  listMembers,
  updateMembers,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { accept } from "./refusal.ts";

export type AdminWorkspace = Out<typeof listAdminWorkspaces>["workspaces"][number];
export const adminWorkspacesQuery = queryOptions({
  queryKey: ["admin", "workspaces"],
  queryFn: ({ signal }) => call(listAdminWorkspaces, {}, { signal }),
  select: (reply) => reply.workspaces,
});
/**
 * The members of one workspace; those who see all workspaces anyway are among them only where they
 * were made members.
 */
export const membersQuery = (id: number) =>
  queryOptions({
    queryKey: ["admin", "workspaces", id, "members"],
    queryFn: ({ signal }) => call(listMembers, { id }, { signal }),
    select: (reply) => reply.users,
  });
const again = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ["admin", "workspaces"] }),
    queryClient.invalidateQueries({ queryKey: ["workspaces"] }),
  ]);

export async function addWorkspace(name: string): Promise<WorkspaceWire> {
  const { workspace, error } = await call(createAdminWorkspace, { name });
  if (!workspace) throw new Error(error ?? "");
  await again();
  return workspace;
}

export async function deleteWorkspaceById(id: number): Promise<void> {
  accept(await call(deleteAdminWorkspace, { id }));
  await again();
}

/** These are the members from now on. */
export async function setMembers(id: number, userIds: number[]): Promise<void> {
  accept(await call(updateMembers, { id, userIds }));
  await again();
}
