import { createInvite, disableInvite, listInvites, type InviteWire } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { accept } from "./refusal.ts";

export const invitesQuery = queryOptions({
  queryKey: ["admin", "invites"],
  queryFn: ({ signal }) => call(listInvites, {}, { signal }),
  select: (reply) => reply.invites,
});
const again = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["admin", "invites"] });

/** Makes an invite and gives its link: the whole code is in this one reply only. */
export async function makeInvite(workspaceIds: number[]): Promise<string> {
  const { invite, error } = await call(createInvite, { workspaceIds });
  if (!invite) throw new Error(error ?? "");
  await again();
  return `${location.origin}/accept-invite/${invite.code}`;
}

export async function withdrawInvite(id: number): Promise<void> {
  accept(await call(disableInvite, { id }));
  await again();
}

/** Ids of the workspaces that an invite opens; the wire has them as JSON text. */
export function workspaceIdsOf(invite: InviteWire): number[] {
  try {
    const ids: unknown = JSON.parse(invite.workspaceIds);
    return Array.isArray(ids) ? ids.map(Number).filter(Number.isInteger) : [];
  } catch {
    return []; // an empty text is what the wire has for none
  }
}
