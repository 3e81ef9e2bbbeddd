import { createUser, deleteUser, listUsers, updateUser, type UserWire } from "@carrel/contracts";
import type { FakeAccounts } from "./fake-accounts.ts";
import type { FakeCall } from "./fake-call.ts";

/** User administration of the fake gateway. Returns true if it answered the call. */
export function answerUsers(
  call: FakeCall,
  accounts: FakeAccounts,
  actor: Pick<UserWire, "role"> | null,
): boolean {
  const { path, method, body, reply } = call;
  const done = (error: string | null): true => {
    reply(method === "DELETE" ? deleteUser : updateUser, { success: error === null, error });
    return true;
  };
  if (path === "/admin/users") {
    reply(listUsers, { users: accounts.accounts.map((account) => account.user) });
    return true;
  }
  if (path === "/admin/users/new") {
    if (accounts.find(body.username)) {
      reply(createUser, { user: null, error: "A user with that username already exists" });
      return true;
    }
    const { user } = accounts.add(String(body.username), (body.role as "default") ?? "default", {
      password: String(body.password),
      user: {
        createdAt: new Date().toISOString(),
        email: (body.email as string) ?? null,
        bio: (body.bio as string) ?? "",
        dailyMessageLimit: (body.dailyMessageLimit as number) ?? null,
      },
    });
    reply(createUser, { user, error: null });
    return true;
  }
  const match = /^\/admin\/user\/(\d+)(\/second-factor)?$/.exec(path);
  const account = accounts.accounts.find((each) => each.user.id === Number(match?.[1]));
  if (!match || !account) return false;
  if (account.user.role === "admin" && actor?.role !== "admin")
    return done("Cannot perform that action on user.");
  const admins = accounts.accounts.filter(
    (each) => each.user.role === "admin" && each.user.suspended === 0,
  );
  if (method === "DELETE" && match[2]) {
    account.code = null;
    account.user.secondFactor = false;
    return done(null);
  }
  if (method === "DELETE") {
    accounts.accounts = accounts.accounts.filter((each) => each !== account);
    return done(null);
  }
  if (
    account.user.role === "admin" &&
    admins.length === 1 &&
    (body.suspended === 1 || (body.role !== undefined && body.role !== "admin"))
  )
    return done("No system admins will remain if you do this. Update failed.");
  const { password, ...fields } = body;
  Object.assign(account.user, fields);
  if (typeof password === "string") account.password = password;
  return done(null);
}
