import {
  createUser,
  deleteUser,
  listUsers,
  removeUserSecondFactor,
  updateUser,
  type Args,
  type UserWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { accept } from "./refusal.ts";

export const usersQuery = queryOptions({
  queryKey: ["admin", "users"],
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
  select: (reply) => reply.users,
});
const again = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["admin", "users"] });

/** Makes a user; throws with the server's words. */
export async function addUser(fields: Args<typeof createUser>): Promise<UserWire> {
  const { user, error } = await call(createUser, fields);
  if (!user) throw new Error(error ?? "");
  await again();
  return user;
}

/** Changes the fields given and no others. */
export async function changeUser(
  id: number,
  fields: Omit<Args<typeof updateUser>, "id">,
): Promise<void> {
  accept(await call(updateUser, { ...fields, id }));
  await again();
}

export async function removeUser(id: number): Promise<void> {
  accept(await call(deleteUser, { id }));
  await again();
}

export async function removeSecondFactor(id: number): Promise<void> {
  accept(await call(removeUserSecondFactor, { id }));
  await again();
}
