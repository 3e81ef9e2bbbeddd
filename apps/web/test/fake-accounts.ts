import type { ServerResponse } from "node:http";
import type { UserWire } from "@carrel/contracts";

export interface FakeCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  raw: Buffer;
  bearer: string | null;
  response: ServerResponse;
  json: (value: unknown, status?: number) => void;
  text: (value?: string, status?: number) => void;
}

interface Account {
  user: UserWire;
  password: string;
  /** The currently valid one-time code; null: no second factor. */
  code: string | null;
  recoveryCodes: string[];
}

export const recoveryCodes = [
  "7f3a91c2-4e0d-4b86-9f01-1c2d3e4f5a6b",
  "c05e2d47-9a1b-483f-86aa-0b1c2d3e4f5a",
  "19d8f6b3-70ce-4a25-b1c4-9e8d7c6b5a4f",
  "e4b1083c-5d9f-4762-a7d3-2f1e0d9c8b7a",
];
const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

export const userWire = (
  id: number,
  username: string,
  role: UserWire["role"],
  more: Partial<UserWire> = {},
): UserWire => ({
  id,
  username,
  role,
  pfpFilename: null,
  suspended: 0,
  seen_recovery_codes: true,
  createdAt: "2026-11-01T08:00:00.000Z",
  lastUpdatedAt: "2026-11-01T08:00:00.000Z",
  dailyMessageLimit: null,
  bio: "",
  email: null,
  theme: null,
  userLang: null,
  secondFactor: false,
  ...more,
});

/**
 * Accounts, sessions and invitations of the fake gateway. `multiUser` false keeps it in single-user
 * mode.
 */
export class FakeAccounts {
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
  listed = [
    {
      id: "00000000-0000-4000-8000-000000000001",
      current: true,
      createdAt: "2026-11-20T08:00:00Z",
      lastSeenAt: new Date().toISOString(),
      address: "10.0.4.17",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
      method: "password",
    },
    {
      id: "00000000-0000-4000-8000-000000000002",
      current: false,
      createdAt: "2026-11-12T08:00:00Z",
      lastSeenAt: new Date(Date.now() - 3 * 3_600_000).toISOString(),
      address: "10.0.4.31",
      userAgent:
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      method: "password",
    },
    {
      id: "00000000-0000-4000-8000-000000000003",
      current: false,
      createdAt: "2026-11-02T08:00:00Z",
      lastSeenAt: new Date(Date.now() - 50 * 3_600_000).toISOString(),
      address: "2001:db8::7",
      userAgent: null as string | null,
      method: "sso",
    },
  ];

  /** Resets to the initial state, for a test that draws many pages. */
  reset(): void {
    Object.assign(this, new FakeAccounts());
  }
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

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { path } = call;
    this.counts[path] = (this.counts[path] ?? 0) + 1;
    if (path === "/system/support-email") {
      call.json({ supportEmail: this.supportEmail });
      return true;
    }
    if (!this.multiUser) {
      if (path === "/system/refresh-user") {
        call.json({ success: true, user: null, message: null });
        return true;
      }
      if (path === "/system/sign-out") {
        call.json({ success: true });
        return true;
      }
      return path.startsWith("/invite/")
        ? (call.json({ invite: null, error: "Invite not found." }), true)
        : false;
    }
    if (this.open(call)) return true;
    const account = call.bearer === null ? undefined : this.find(this.sessions[call.bearer]);
    if (!account || account.user.suspended) {
      call.json(
        { error: call.bearer === null ? "No auth token found." : "Invalid auth token." },
        401,
      );
      return true;
    }
    if (this.refused(call, account.user.role)) {
      call.text("Unauthorized", 401);
      return true;
    }
    return this.own(call, account);
  }

  /** Calls without a session. */
  private open({ path, method, body, query, json }: FakeCall): boolean {
    const session = (account: Account): string => {
      const token = `token-${account.user.username}`;
      this.sessions[token] = account.user.username;
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
      json({
        results: {
          RequiresAuth: true,
          MultiUserMode: true,
          SimpleSSOEnabled: false,
          SimpleSSONoLogin: false,
          SimpleSSONoLoginRedirect: null,
          OpenIDName: null,
          DisableViewChatHistory: false,
          ...this.setup,
        },
      });
      return true;
    }
    if (path === "/request-token") {
      if (this.tooMany) return refuse("Too many attempts. Try again in 20 seconds.", 429);
      const account = this.find(body.username);
      if (!account) return refuse("[001] Invalid login credentials.");
      if (account.password !== body.password) return refuse("[002] Invalid login credentials.");
      if (account.user.suspended) return refuse("[004] Account suspended by admin.");
      if (account.code !== null && body.code === undefined)
        return refuse("[006] One-time code required.");
      if (
        account.code !== null &&
        body.code !== account.code &&
        !account.recoveryCodes.includes(String(body.code))
      )
        return refuse("[006] The one-time code is not right.");
      const fresh = account.user.seen_recovery_codes ? {} : { recoveryCodes };
      json({
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
      const account = this.find(this.ssoTokens[query.get("token") ?? ""]);
      delete this.ssoTokens[query.get("token") ?? ""];
      if (!account)
        return refuse("[001] An error occurred while validating the token: Invalid token.", 401);
      json({ valid: true, user: account.user, token: session(account), message: null });
      return true;
    }
    if (path === "/system/recover-account") {
      const codes = body.recoveryCodes as string[];
      const account = this.find(body.username);
      if (
        !account ||
        codes.length !== 2 ||
        !codes.every((code) => account.recoveryCodes.includes(code))
      )
        return refuse("Invalid recovery codes.", 400);
      json({ success: true, resetToken: `reset-${account.user.username}` });
      return true;
    }
    if (path === "/system/reset-password") {
      const account = this.find(String(body.token).replace("reset-", ""));
      if (!account) return refuse("Invalid reset token", 400);
      account.password = String(body.newPassword);
      account.user.seen_recovery_codes = false;
      json({ success: true, message: "Password reset successful" });
      return true;
    }
    if (path.startsWith("/invite/")) {
      const code = path.slice("/invite/".length);
      const status = this.invites[code];
      if (method === "GET") {
        json(
          status === "pending"
            ? { invite: { code, status }, error: null }
            : { invite: null, error: status ? "Invite is no longer valid." : "Invite not found." },
        );
        return true;
      }
      if (status !== "pending") return refuse("Invite not found or is invalid.");
      if (this.find(body.username)) return refuse("A user with that username already exists");
      this.invites[code] = "claimed";
      this.add(String(body.username), "default", {
        password: String(body.password),
        user: { seen_recovery_codes: false },
      });
      json({ success: true, error: null });
      return true;
    }
    return false;
  }

  /** What a role may not call is answered as the wire does: 401 as text, not JSON. */
  private refused({ path, method }: FakeCall, role: UserWire["role"]): boolean {
    if (role === "admin") return false;
    if (/^\/system\/(providers|custom-models|update-env|event-logs)/.test(path)) return true;
    return (
      role === "default" &&
      (/^\/(admin|browser-extension)\//.test(path) ||
        /\/(upload|upload-link|upload-and-embed|embed-progress|update-embeddings|update)$/.test(
          path,
        ) ||
        path === "/workspace/new" ||
        (method !== "GET" && /\/documents\//.test(path)) ||
        (method === "DELETE" && /^\/workspace\/[^/]+$/.test(path)))
    );
  }

  /** Calls with a session. */
  private own(
    { path, method, body, json, text, bearer, response, raw }: FakeCall,
    account: Account,
  ): boolean {
    const { user } = account;
    const done = (value: unknown, status = 200): true => {
      json(value, status);
      return true;
    };
    const wrong = (): boolean =>
      body.password !== account.password &&
      done({ success: false, error: "The password is incorrect." }, 400);
    if (path === "/system/check-token") {
      text();
      return true;
    }
    if (path === "/system/refresh-user") return done({ success: true, user, message: null });
    if (path === "/system/sign-out") {
      delete this.sessions[bearer ?? ""];
      return done({ success: true });
    }
    if (path === "/system/user") {
      if (
        body.username !== undefined &&
        this.accounts.some((each) => each !== account && each.user.username === body.username)
      )
        return done({ success: false, error: "A user with that username already exists" });
      const { password, theme, ...fields } = body;
      if (typeof body.username === "string" && bearer !== null)
        this.sessions[bearer] = body.username;
      Object.assign(
        user,
        fields,
        theme === undefined ? {} : { theme: theme === "system" ? null : theme },
      );
      if (typeof password === "string") account.password = password;
      return done({ success: true, error: null });
    }
    if (path === "/system/upload-pfp") {
      if (raw.includes("too-big"))
        return done({ message: "The picture is too large: at most 5 MB are allowed." }, 413);
      this.picture = onePixel;
      user.pfpFilename = `${user.id}-${raw.length}.webp`;
      return done({ message: "Profile picture uploaded successfully." });
    }
    if (path === "/system/remove-pfp") {
      this.picture = null;
      user.pfpFilename = null;
      return done({ message: "Profile picture removed successfully." });
    }
    if (path.startsWith("/system/pfp/")) {
      if (this.picture && path.endsWith(`/${user.id}`)) {
        response.writeHead(200, { "Content-Type": "image/png" });
        response.end(this.picture);
      } else {
        response.writeHead(204);
        response.end();
      }
      return true;
    }
    if (path === "/system/recovery-codes")
      return wrong() || done({ success: true, recoveryCodes, error: null });
    if (path === "/system/second-factor" && method === "POST")
      return (
        wrong() ||
        done({
          success: true,
          secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
          uri: `otpauth://totp/Carrel:${user.username}?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Carrel&algorithm=SHA1&digits=6&period=30`,
          error: null,
        })
      );
    if (path === "/system/second-factor/confirm") {
      if (body.code !== "123456")
        return done({ success: false, error: "The code is incorrect." }, 400);
      account.code = "123456";
      user.secondFactor = true;
      return done({ success: true, error: null, recoveryCodes });
    }
    if (path === "/system/second-factor" && method === "DELETE") {
      if (wrong()) return true;
      account.code = null;
      user.secondFactor = false;
      return done({ success: true, error: null });
    }
    if (path === "/system/sessions") return done({ sessions: this.listed });
    if (path.startsWith("/system/sessions/")) {
      const id = path.slice("/system/sessions/".length);
      this.listed = this.listed.filter(
        (each) => each.current || (id !== "others" && each.id !== id),
      );
      return done({ success: true });
    }
    return false;
  }
}
