import {
  getSupportEmail,
  getSystemConditions,
  refreshUser,
  signOut,
  type Out,
  type UserWire,
} from "@carrel/contracts";
import { AccountState } from "./account-state.ts";
import type { FakeCall } from "./fake-call.ts";
import { answerOwnAccount } from "./fake-own-account.ts";
import { answerSignIn } from "./fake-sign-in.ts";

/**
 * Accounts, sessions and invitations of the fake gateway. `multiUser` false keeps it in single-user
 * mode.
 */
export class FakeAccounts extends AccountState {
  conditions: Out<typeof getSystemConditions>["conditions"] = [];

  /** Resets to the initial state, for a test that draws many pages. */
  reset(): void {
    Object.assign(this, new FakeAccounts());
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { path } = call;
    this.counts[path] = (this.counts[path] ?? 0) + 1;
    if (path === "/system/support-email") {
      call.reply(getSupportEmail, { supportEmail: this.supportEmail });
      return true;
    }
    if (path === "/system/conditions") {
      call.reply(getSystemConditions, { conditions: this.conditions });
      return true;
    }
    if (!this.multiUser) {
      if (path === "/system/refresh-user") {
        call.reply(refreshUser, { success: true, user: null, message: null });
        return true;
      }
      if (path === "/system/sign-out") {
        call.reply(signOut, { success: true });
        return true;
      }
      return path.startsWith("/invite/")
        ? (call.json({ invite: null, error: "Invite not found." }), true)
        : false;
    }
    if (answerSignIn(this, call)) return true;
    const account = call.bearer === null ? undefined : this.find(this.sessions[call.bearer]);
    if (!account || account.user.suspended) {
      call.json(
        { error: call.bearer === null ? "No auth token found." : "Invalid auth token." },
        401,
      );
      return true;
    }
    if (refuses(call, account.user.role)) {
      call.text("Unauthorized", 401);
      return true;
    }
    return answerOwnAccount(this, call, account);
  }
}

/** Calls that a role may not make get the wire's reply: 401 as text, not JSON. */
function refuses({ path, method }: FakeCall, role: UserWire["role"]): boolean {
  if (role === "admin") return false;
  if (/^\/system\/(providers|custom-models|update-env|event-logs)/.test(path)) return true;
  return (
    role === "default" &&
    (/^\/(admin|browser-extension)\//.test(path) ||
      /\/(upload|upload-link|upload-and-embed|embed-progress|update-embeddings|update)$/.test(
        path,
      ) ||
      path === "/workspace/new" ||
      (method !== "GET" && path !== "/documents/search" && /\/documents\//.test(path)) ||
      (method === "DELETE" && /^\/workspace\/[^/]+$/.test(path)))
  );
}
