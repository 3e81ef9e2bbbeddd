import { randomUUID } from "node:crypto";
import { updateUser, type Args, type Out, type Scope } from "@carrel/contracts";
import { asKey, asUser, startAuth, type RunningAuth } from "./running-auth.ts";

/** A running auth service with an admin and a manager. */
export interface UserAccounts {
  auth: RunningAuth;
  admin: Scope;
  manager: Scope;
  adminId: number;
  managerId: number;
  actor(role: "admin" | "manager" | "key"): Scope;
  row(id: number): Promise<Record<string, unknown> | undefined>;
  update(scope: Scope, input: Args<typeof updateUser>): Promise<Out<typeof updateUser>>;
}

export const untouchable = "Cannot perform that action on user.";
export const roleNotYours = "Invalid role selection for user.";
export const noAdminLeft = "No system admins will remain if you do this. Update failed.";
export const password = "correct horse";
export const key = asKey(1);

let numbered = 0;
export const freeName = (): string => `user-${(numbered += 1)}`;

export async function startWithAccounts(): Promise<UserAccounts> {
  const auth = await startAuth();
  const adminId = await auth.addUser("the-admin", "admin");
  const managerId = await auth.addUser("the-manager", "manager");
  const admin = asUser(adminId, "admin", randomUUID());
  const manager = asUser(managerId, "manager", randomUUID());
  return {
    auth,
    admin,
    manager,
    adminId,
    managerId,
    actor: (role) => ({ admin, manager, key })[role],
    row: async (id) =>
      (
        await auth.sql.query<Record<string, unknown>[]>('SELECT * FROM auth."user" WHERE id = $1', [
          id,
        ])
      )[0],
    update: (scope, input) => auth.request(updateUser, input, { scope }),
  };
}
