import type { ApiKeyWire, ExtensionKeyWire, InviteWire, WorkspaceWire } from "@carrel/contracts";
import { userWire, type FakeAccounts, type FakeCall } from "./fake-accounts.ts";
import { workspaceWire } from "./fake-data.ts";

const minutes = (ago: number): string => new Date(Date.now() - ago * 60_000).toISOString();
const masked = (secret: string): string =>
  `${secret.startsWith("brx-") ? "brx-" : ""}*******-*******-*******-***${secret.slice(-4)}`;

/**
 * Users, invites, members, keys, events and branding of the fake gateway. `FakeAccounts` checks
 * access.
 */
export class FakeAdmin {
  invites: InviteWire[] = [];
  members: Record<number, number[]> = {};
  apiKeys: ApiKeyWire[] = [];
  extensionKeys: ExtensionKeyWire[] = [];
  events: {
    event: string;
    metadata: string | null;
    userId: number | null;
    occurredAt: string;
    user: { username: string };
  }[] = [];
  appName: string | null = null;
  /** Custom logos by theme, if set. */
  logos: Partial<Record<"light" | "default", string>> = {};
  footer: { icon: string; url: string }[] = [];
  /** While set, requests for name, logo and links wait for it. */
  brandingHeld: Promise<void> | null = null;
  /** Bodies of mutating requests, in order. */
  sent: { path: string; body: Record<string, unknown> }[] = [];
  private next = 100;
  private accounts: FakeAccounts;
  private accessChanged: () => void;
  constructor(accounts: FakeAccounts, accessChanged: () => void) {
    this.accounts = accounts;
    this.accessChanged = accessChanged;
  }

  /**
   * Adds three people besides the admin, an invite and a key of each kind, and a log of two pages.
   */
  fill(): void {
    this.accounts.add("mira_kowalska", "admin", {
      code: "123456",
      user: { email: "mira@harbour.example" },
    });
    this.accounts.add("olu", "manager", { user: { createdAt: "2026-11-04T08:00:00.000Z" } });
    this.accounts.add("jo-brandt", "default", {
      code: "123456",
      user: { createdAt: "2026-11-12T08:00:00.000Z", dailyMessageLimit: 50, bio: "Tenant council" },
    });
    this.accounts.add("sam", "default", {
      user: { createdAt: "2026-11-18T08:00:00.000Z", suspended: 1, email: "sam@harbour.example" },
    });
    this.members = { 1: [3, 4], 2: [3] };
    const by = { id: 1, username: "mira_kowalska" };
    const invite = (
      id: number,
      code: string,
      status: InviteWire["status"],
      ago: number,
      claimedBy: InviteWire["claimedBy"],
      workspaceIds: string,
    ): InviteWire => ({
      id,
      code: masked(code),
      status,
      claimedBy,
      workspaceIds,
      createdAt: minutes(ago),
      createdBy: by,
      lastUpdatedAt: minutes(ago),
    });
    this.invites = [
      invite(1, "PN7Q", "pending", 40, null, "[1,2]"),
      invite(2, "C4T8", "claimed", 4000, { id: 3, username: "jo-brandt" }, "[1]"),
      invite(3, "M9D3", "disabled", 9000, null, "[]"),
    ];
    const key = { createdAt: minutes(9000), lastUpdatedAt: minutes(9000) };
    this.apiKeys = [
      {
        id: 1,
        name: "Nightly import",
        secret: masked("GB4K"),
        createdBy: { ...by, role: "admin" },
        ...key,
        lastUsedAt: minutes(12),
      },
      { id: 2, name: null, secret: masked("RW6M"), createdBy: 9, ...key, lastUsedAt: null },
    ];
    this.extensionKeys = [
      {
        id: 1,
        key: masked("brx-7QKX"),
        user_id: 1,
        ...key,
        lastUsedAt: minutes(200),
        user: { ...by, role: "admin" },
      },
      {
        id: 2,
        key: masked("brx-M2DV"),
        user_id: 2,
        ...key,
        lastUsedAt: null,
        user: { id: 2, username: "olu", role: "manager" },
      },
    ];
    const event = (
      name: string,
      ago: number,
      userId: number | null,
      metadata: unknown,
    ): FakeAdmin["events"][number] => ({
      event: name,
      metadata: metadata === null ? null : JSON.stringify(metadata),
      userId,
      occurredAt: minutes(ago),
      user: {
        username:
          this.accounts.accounts.find((account) => account.user.id === userId)?.user.username ??
          "unknown user",
      },
    });
    this.events = [
      event("user_updated", 2, 1, {
        username: "olu",
        changes: { role: { from: "default", to: "manager" } },
        address: "10.0.4.17",
      }),
      event("api_key_created", 30, 1, { name: "Nightly import", address: "10.0.4.17" }),
      event("login_event", 33, 1, { username: "mira_kowalska", address: "10.0.4.17" }),
      event("failed_login_invalid_password", 34, null, {
        username: "mira_kowalska",
        address: "10.0.4.31",
      }),
      event("user_suspended", 90, 1, { username: "sam" }),
      event("invite_accepted", 4000, 3, { workspaceIds: [1] }),
      event("workspace_thread_created", 4100, 3, null),
      ...Array.from({ length: 7 }, (_, index) =>
        event("login_event", 5000 + index * 60, 3, {
          username: "jo-brandt",
          address: "2001:db8::7",
        }),
      ),
    ];
  }

  /** Returns true if it answered the call. */
  async handle(call: FakeCall, workspaces: WorkspaceWire[]): Promise<boolean> {
    if (call.method !== "GET" && call.path.startsWith("/admin/"))
      this.sent.push({ path: call.path, body: call.body });
    return (
      (await this.branding(call)) ||
      this.users(call) ||
      this.invitesOf(call) ||
      this.workspacesOf(call, workspaces) ||
      this.keys(call) ||
      this.log(call)
    );
  }

  /** Name and logo, which need no session. */
  async branding({ path, query, json, response }: FakeCall): Promise<boolean> {
    if (!["/system/custom-app-name", "/system/logo", "/system/footer-data"].includes(path))
      return false;
    await this.brandingHeld;
    if (path === "/system/custom-app-name") json({ customAppName: this.appName });
    if (path === "/system/footer-data") json({ footerData: JSON.stringify(this.footer) });
    if (path === "/system/logo") {
      const logo = this.logos[query.get("theme") === "light" ? "light" : "default"];
      response.writeHead(200, {
        "Content-Type": "image/svg+xml",
        "X-Is-Custom-Logo": String(logo !== undefined),
      });
      response.end(logo ?? '<svg xmlns="http://www.w3.org/2000/svg"/>');
    }
    return true;
  }

  private actor(call: FakeCall) {
    return this.accounts.find(this.accounts.sessions[call.bearer ?? ""])?.user ?? null;
  }

  private users(call: FakeCall): boolean {
    const { path, method, body, json } = call;
    const done = (error: string | null): true => {
      json({ success: error === null, error });
      return true;
    };
    if (path === "/admin/users") {
      json({ users: this.accounts.accounts.map((account) => account.user) });
      return true;
    }
    const actor = this.actor(call);
    if (path === "/admin/users/new") {
      if (this.accounts.find(body.username)) {
        json({ user: null, error: "A user with that username already exists" });
        return true;
      }
      const { user } = this.accounts.add(
        String(body.username),
        (body.role as "default") ?? "default",
        {
          password: String(body.password),
          user: {
            createdAt: new Date().toISOString(),
            email: (body.email as string) ?? null,
            bio: (body.bio as string) ?? "",
            dailyMessageLimit: (body.dailyMessageLimit as number) ?? null,
          },
        },
      );
      json({ user, error: null });
      return true;
    }
    const match = /^\/admin\/user\/(\d+)(\/second-factor)?$/.exec(path);
    const account = this.accounts.accounts.find((each) => each.user.id === Number(match?.[1]));
    if (!match || !account) return false;
    if (account.user.role === "admin" && actor?.role !== "admin")
      return done("Cannot perform that action on user.");
    const admins = this.accounts.accounts.filter(
      (each) => each.user.role === "admin" && each.user.suspended === 0,
    );
    if (method === "DELETE" && match[2]) {
      account.code = null;
      account.user.secondFactor = false;
      return done(null);
    }
    if (method === "DELETE") {
      this.accounts.accounts = this.accounts.accounts.filter((each) => each !== account);
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

  private invitesOf(call: FakeCall): boolean {
    const { path, method, body, json } = call;
    if (path === "/admin/invites") {
      json({ invites: this.invites });
      return true;
    }
    if (path === "/admin/invite/new") {
      const code = `K7P2WXM-${++this.next}AQZR-T4N8VBC-E6D3HJY`;
      const invite: InviteWire = {
        id: this.next,
        code,
        status: "pending",
        claimedBy: null,
        workspaceIds: JSON.stringify(body.workspaceIds ?? []),
        createdAt: new Date().toISOString(),
        createdBy: this.actor(call),
        lastUpdatedAt: new Date().toISOString(),
      };
      this.invites.push({ ...invite, code: masked(code) });
      this.accounts.invites[code] = "pending";
      json({ invite, error: null });
      return true;
    }
    const invite = this.invites.find((each) => path === `/admin/invite/${each.id}`);
    if (!invite || method !== "DELETE") return false;
    invite.status = "disabled";
    json({ success: true, error: null });
    return true;
  }

  private workspacesOf(
    { path, method, body, json }: FakeCall,
    workspaces: WorkspaceWire[],
  ): boolean {
    if (path === "/admin/workspaces") {
      json({
        workspaces: workspaces.map((workspace) => ({
          ...workspace,
          userIds: this.members[workspace.id] ?? [],
        })),
      });
      return true;
    }
    if (path === "/admin/workspaces/new") {
      const workspace = workspaceWire(
        ++this.next,
        String(body.name),
        String(body.name).toLowerCase().replace(/\W+/g, "-"),
      );
      workspaces.push(workspace);
      json({ workspace, error: null });
      return true;
    }
    const listed = /^\/admin\/workspaces\/(\d+)\/users$/.exec(path);
    if (listed) {
      json({
        users: this.accounts.accounts
          .filter(({ user }) => (this.members[Number(listed[1])] ?? []).includes(user.id))
          .map(({ user }) => ({
            userId: user.id,
            username: user.username,
            role: user.role,
            lastUpdatedAt: user.lastUpdatedAt,
          })),
      });
      return true;
    }
    const match = /^\/admin\/workspaces\/(\d+)(\/update-users)?$/.exec(path);
    if (!match) return false;
    const id = Number(match[1]);
    if (match[2]) this.members[id] = body.userIds as number[];
    else if (method === "DELETE") {
      if (workspaces.find((workspace) => workspace.id === id)?.name === "Protected") {
        json(
          { success: false, error: "Workspace deletion is blocked by the system administrator." },
          403,
        );
        return true;
      }
      workspaces.splice(
        workspaces.findIndex((workspace) => workspace.id === id),
        1,
      );
    }
    json({ success: true, error: null });
    return true;
  }

  private keys(call: FakeCall): boolean {
    const { path, method, body, json, text } = call;
    const base = this.accounts.multiUser ? "/admin" : "/system";
    const created = {
      createdAt: new Date().toISOString(),
      lastUpdatedAt: new Date().toISOString(),
      lastUsedAt: null,
    };
    const maker = this.actor(call);
    if (path === `${base}/api-keys`) {
      json({ apiKeys: this.apiKeys, error: null });
      return true;
    }
    if (path === `${base}/generate-api-key`) {
      const secret = "T5W9QKD-1ZN4RXM-B7V2HCA-P8J6EYG";
      const apiKey: ApiKeyWire = {
        id: ++this.next,
        name: (body.name as string) ?? null,
        secret,
        createdBy: maker,
        ...created,
      };
      this.apiKeys.push({ ...apiKey, secret: masked(secret) });
      json({ apiKey, error: null });
      return true;
    }
    const apiKey = this.apiKeys.findIndex(
      (each) =>
        path ===
        (this.accounts.multiUser
          ? `/admin/delete-api-key/${each.id}`
          : `/system/api-key/${each.id}`),
    );
    if (apiKey >= 0 && method === "DELETE") {
      this.apiKeys.splice(apiKey, 1);
      text("");
      return true;
    }
    if (path === "/browser-extension/api-keys") {
      json({
        success: true,
        apiKeys: this.extensionKeys.filter(
          (key) => maker === null || maker.role === "admin" || key.user_id === maker.id,
        ),
      });
      return true;
    }
    if (path === "/browser-extension/api-keys/new") {
      const key = "brx-X3M8TNW-5QD2KZR-V9B7CPH-A4E6JGY";
      this.extensionKeys.push({
        id: ++this.next,
        key: masked(key),
        user_id: maker?.id ?? null,
        user: maker,
        ...created,
      });
      json({ apiKey: key });
      return true;
    }
    const extensionKey = this.extensionKeys.findIndex(
      (each) => path === `/browser-extension/api-keys/${each.id}`,
    );
    if (extensionKey >= 0) {
      this.extensionKeys.splice(extensionKey, 1);
      json({ success: true });
      return true;
    }
    if (path === "/system/enable-multi-user" && !this.accounts.multiUser) {
      this.accounts.accounts.push({
        user: userWire(1, String(body.username), "admin", { seen_recovery_codes: false }),
        password: String(body.password),
        code: null,
        recoveryCodes: [],
      });
      this.accounts.multiUser = true;
      // The page may receive the event before its answer, and refetch without a session.
      this.accessChanged();
      setTimeout(() => json({ success: true, error: null }), 300);
      return true;
    }
    return false;
  }

  private log({ path, method, body, json }: FakeCall): boolean {
    if (path !== "/system/event-logs") return false;
    if (method === "DELETE") {
      this.events = [
        {
          event: "event_logs_cleared",
          metadata: null,
          userId: 1,
          occurredAt: new Date().toISOString(),
          user: { username: "mira_kowalska" },
        },
      ];
      json({ success: true });
      return true;
    }
    const offset = Number(body.offset ?? 0);
    const limit = Number(body.limit ?? 10);
    json({
      logs: this.events
        .slice(offset * limit, (offset + 1) * limit)
        .map((event, index) => ({ id: 1000 - offset * limit - index, ...event })),
      hasPages: this.events.length > (offset + 1) * limit,
      totalLogs: this.events.length,
    });
    return true;
  }
}
