import { findUsers, servicePrincipal } from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";

type Owner = { id: number; username: string } | null;

/** Returns who an owner is; null: the one person of an instance without accounts. */
export async function nameOwners(
  requests: RequestClient,
  owners: readonly (number | null)[],
): Promise<(ownerId: number | null) => Owner> {
  const ids = [...new Set(owners.filter((id): id is number => id !== null))];
  const { users } =
    ids.length === 0
      ? { users: [] }
      : await requests.request(
          findUsers,
          { ids },
          { scope: { principal: servicePrincipal, workspace: null } },
        );
  const names = new Map(users.map(({ id, username }) => [id, username]));
  return (id) => (id === null ? null : { id, username: names.get(id) ?? "" });
}
