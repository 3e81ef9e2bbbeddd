import { createInvite, disableInvite, listInvites, type InviteWire } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";

const inviteKeys = { list: ["admin", "invites"] } as const;

export const invitesQuery = queryOptions({
  queryKey: inviteKeys.list,
  queryFn: ({ signal }) => call(listInvites, {}, { signal }),
  select: (reply) => reply.invites,
});

export const linkOf = ({ code }: Pick<InviteWire, "code">): string =>
  `${location.origin}/accept-invite/${code}`;

/** Returns the invite's link, which managers are shown only once; so the cache drops it too. */
export const useCreateInvite = () =>
  useMutation({
    mutationFn: async (workspaceIds: number[]): Promise<string> => {
      const { invite } = await call(createInvite, { workspaceIds });
      return linkOf(invite!);
    },
    gcTime: 0,
    meta: { invalidates: [inviteKeys.list], errorToast: false },
  });

export const useDisableInvite = () =>
  useMutation({
    mutationFn: (id: number) => call(disableInvite, { id }),
    ...optimistic(invitesQuery.queryKey, (reply, id: number) => ({
      ...reply,
      invites: reply.invites.map((invite) =>
        invite.id === id ? { ...invite, status: "disabled" as const } : invite,
      ),
    })),
    meta: {
      invalidates: [inviteKeys.list],
      errorToast: (message) => i18next.t("admin:invites.disableFailed", { message }),
    },
  });

/** The workspaces that an invite gives access to; the wire carries their ids as JSON text. */
export function workspaceIdsOf(invite: InviteWire): number[] {
  try {
    const ids: unknown = JSON.parse(invite.workspaceIds);
    return Array.isArray(ids) ? ids.map(Number).filter(Number.isInteger) : [];
  } catch {
    return []; // the wire sends an empty string for none
  }
}
