import {
  acceptInvite,
  getInvite,
  getSetup,
  recoverAccount,
  requestToken,
  requestTokenBySignInToken,
  resetPassword,
} from "@carrel/contracts";
import { recoveryCodes } from "./account-data.ts";
import type { Account, AccountState } from "./account-state.ts";
import type { FakeCall } from "./fake-call.ts";

/** Calls without a session. */
export function answerSignIn(
  accounts: AccountState,
  { path, method, body, query, json, reply }: FakeCall,
): boolean {
  const session = (account: Account): string => {
    const token = `token-${account.user.username}`;
    accounts.sessions[token] = account.user.username;
    return token;
  };
  const refuse = (message: string, status = 200): true => {
    json(
      { user: null, valid: false, token: null, success: false, message, error: message },
      status,
    );
    return true;
  };
  if (path === "/setup-complete") {
    reply(getSetup, {
      results: {
        RequiresAuth: true,
        MultiUserMode: true,
        SimpleSSOEnabled: false,
        SimpleSSONoLogin: false,
        SimpleSSONoLoginRedirect: null,
        OpenIDName: null,
        DisableViewChatHistory: false,
        ...accounts.setup,
      },
    });
    return true;
  }
  if (path === "/request-token") {
    if (accounts.tooMany) return refuse("Too many attempts. Try again in 20 seconds.", 429);
    const account = accounts.find(body.username);
    if (!account || account.password !== body.password)
      return refuse("[001] Invalid login credentials.");
    if (account.user.suspended) return refuse("[004] Account suspended by admin.");
    if (account.code !== null && body.code === undefined)
      return refuse("[006] One-time code required.");
    if (
      account.code !== null &&
      body.code !== account.code &&
      !account.recoveryCodes.includes(String(body.code))
    )
      return refuse("[006] The one-time code is incorrect.");
    const fresh = account.user.seen_recovery_codes ? {} : { recoveryCodes };
    reply(requestToken, {
      valid: true,
      user: { ...account.user, seen_recovery_codes: true },
      token: session(account),
      message: null,
      ...fresh,
    });
    account.user.seen_recovery_codes = true;
    return true;
  }
  if (path === "/request-token/sso/simple") {
    const account = accounts.find(accounts.ssoTokens[query.get("token") ?? ""]);
    delete accounts.ssoTokens[query.get("token") ?? ""];
    if (!account)
      return refuse("[001] An error occurred while validating the token: Invalid token.", 401);
    reply(requestTokenBySignInToken, {
      valid: true,
      user: account.user,
      token: session(account),
      message: null,
    });
    return true;
  }
  if (path === "/system/recover-account") {
    const codes = body.recoveryCodes as string[];
    const account = accounts.find(body.username);
    if (
      !account ||
      codes.length !== 2 ||
      !codes.every((code) => account.recoveryCodes.includes(code))
    )
      return refuse("Invalid recovery codes.", 400);
    reply(recoverAccount, { success: true, resetToken: `reset-${account.user.username}` });
    return true;
  }
  if (path === "/system/reset-password") {
    const account = accounts.find(String(body.token).replace("reset-", ""));
    if (!account) return refuse("Invalid reset token", 400);
    account.password = String(body.newPassword);
    account.user.seen_recovery_codes = false;
    reply(resetPassword, { success: true, message: "Password reset successful" });
    return true;
  }
  if (path.startsWith("/invite/")) {
    const code = path.slice("/invite/".length);
    const status = accounts.invites[code];
    if (method === "GET") {
      reply(
        getInvite,
        status === "pending"
          ? { invite: { code, status }, error: null }
          : { invite: null, error: status ? "Invite is no longer valid." : "Invite not found." },
      );
      return true;
    }
    if (status !== "pending") return refuse("Invite not found or is invalid.");
    if (accounts.find(body.username)) return refuse("A user with that username already exists");
    accounts.invites[code] = "claimed";
    accounts.add(String(body.username), "default", {
      password: String(body.password),
      user: { seen_recovery_codes: false },
    });
    reply(acceptInvite, { success: true, error: null });
    return true;
  }
  return false;
}
