import type { UserWire } from "@carrel/contracts";
import { sessionList, userWire } from "./account-data.ts";

export interface Account {
  user: UserWire;
  password: string;
  /** The currently valid one-time code; null: no second factor. */
  code: string | null;
  recoveryCodes: string[];
}

/** Accounts, sessions and invitations that tests set up and inspect. */
export class AccountState {
  multiUser = false;
  accounts: Account[] = [];
  sessions: Record<string, string> = {};
  invites: Record<string, "pending" | "claimed" | "disabled"> = {};
  ssoTokens: Record<string, string> = {};
  setup: Record<string, unknown> = {};
  supportEmail: string | null = null;
  picture: Buffer | null = null;
  /** Answers the next sign-in or recovery with 429. */
  tooMany = false;
  /** Number of requests by path. */
  counts: Record<string, number> = {};
  listed = sessionList();

  add(
    username: string,
    role: UserWire["role"],
    more: Partial<Omit<Account, "user">> & { user?: Partial<UserWire> } = {},
  ): Account {
    this.multiUser = true;
    const account: Account = {
      password: "longenough",
      code: null,
      recoveryCodes: [],
      ...more,
      user: userWire(this.accounts.length + 1, username, role, {
        secondFactor: (more.code ?? null) !== null,
        ...more.user,
      }),
    };
    this.accounts.push(account);
    return account;
  }
  /** Storage entries of a browser that is signed in as this user. */
  signedIn(username: string): Record<string, string> {
    this.sessions[`token-${username}`] = username;
    return {
      anythingllm_user: JSON.stringify(this.find(username)?.user),
      anythingllm_authToken: `token-${username}`,
      anythingllm_authTimestamp: String(Date.now()),
    };
  }
  find(username: unknown): Account | undefined {
    return this.accounts.find((account) => account.user.username === username);
  }
}
