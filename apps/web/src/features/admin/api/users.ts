import {
  createUser,
  deleteUser,
  listUsers,
  removeUserSecondFactor,
  updateUser,
  type Args,
  type UserWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";

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
