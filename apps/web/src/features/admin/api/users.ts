import {
  createInvites,
  createUser,
  deleteUser,
  disableInvite,
  listInviteLimits,
  listInvites,
  listUsers,
  removeUserSecondFactor,
  updateUser,
  type Args,
  type InviteWire,
  type Out,
  type UserWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";

const inviteKeys = {
  list: ["admin", "invites"],
  limits: ["admin", "invites", "limits"],
} as const;

export const invitesQuery = queryOptions({
  queryKey: inviteKeys.list,
  queryFn: ({ signal }) => call(listInvites, {}, { signal }),
  select: (reply) => reply.invites,
});

export const linkOf = ({ code }: Pick<InviteWire, "code">): string =>
  `${location.origin}/accept-invite/${code}`;

/** Whom invites are for, their roles, uses and expiry dates. */
export const inviteLimitsQuery = queryOptions({
  queryKey: inviteKeys.limits,
  queryFn: ({ signal }) => call(listInviteLimits, {}, { signal }),
  select: (reply) => new Map(reply.limits.map((each) => [each.id, each])),
});

export type MadeInvite = Out<typeof createInvites>["invites"][number] & { link: string };

/** Returns the links, which managers see only once; so the cache drops them too. */
export const useCreateInvites = () =>
  useMutation({
    mutationFn: async (input: Args<typeof createInvites>): Promise<MadeInvite[]> => {
      const { invites } = await call(createInvites, input);
      return invites.map((invite) => ({ ...invite, link: linkOf(invite) }));
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

const userKeys = { list: ["admin", "users"] } as const;

export const usersQuery = queryOptions({
  queryKey: userKeys.list,
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
  select: (reply) => reply.users,
});

const saveFailed = (message: string): string => i18next.t("admin:users.saveFailed", { message });

export const useCreateUser = () =>
  useMutation({
    mutationFn: async (fields: Args<typeof createUser>): Promise<UserWire> => {
      const { user } = await call(createUser, fields);
      return user!;
    },
    meta: { invalidates: [userKeys.list], errorToast: false },
  });

/** Changes only the given fields. */
export const useUpdateUser = () =>
  useMutation({
    mutationFn: (fields: Args<typeof updateUser>) => call(updateUser, fields),
    meta: { invalidates: [userKeys.list], errorToast: false },
  });

export const useSuspendUser = () =>
  useMutation({
    mutationFn: (fields: { id: number; suspended: 0 | 1 }) => call(updateUser, fields),
    ...optimistic(
      usersQuery.queryKey,
      (reply, { id, suspended }: { id: number; suspended: 0 | 1 }) => ({
        ...reply,
        users: reply.users.map((user) => (user.id === id ? { ...user, suspended } : user)),
      }),
    ),
    meta: { invalidates: [userKeys.list], errorToast: saveFailed },
  });

export const useDeleteUser = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteUser, { id }),
    ...optimistic(usersQuery.queryKey, (reply, id: number) => ({
      ...reply,
      users: reply.users.filter((user) => user.id !== id),
    })),
    meta: {
      invalidates: [userKeys.list],
      errorToast: (message) => i18next.t("admin:users.deleteFailed", { message }),
    },
  });

export const useRemoveUserSecondFactor = () =>
  useMutation({
    mutationFn: (id: number) => call(removeUserSecondFactor, { id }),
    meta: { invalidates: [userKeys.list], errorToast: saveFailed },
  });
