import {
  createAdminWorkspace,
  createApiKey,
  createExtensionKey,
  createInstanceApiKey,
  createInvites,
  deleteAdminWorkspace,
  deleteExtensionKey,
  disableInvite,
  enableMultiUser,
  listAdminWorkspaces,
  listApiKeys,
  listExtensionKeys,
  listInstanceApiKeys,
  listInviteLimits,
  listInvites,
  listMembers,
  updateApiKey,
  updateInstanceApiKey,
  updateMembers,
  type ApiKeyWire,
  type Args,
  type ExtensionKeyWire,
  type InviteWire,
  type KeyScope,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { userWire } from "./account-data.ts";
import { masked, sampleAdministration } from "./administration-data.ts";
import type { FakeAccounts } from "./fake-accounts.ts";
import { FakeBranding } from "./fake-branding.ts";
import type { FakeCall } from "./fake-call.ts";
import { workspaceWire } from "./fake-data.ts";
import { FakeEventLog } from "./fake-event-log.ts";
import { answerUsers } from "./fake-users.ts";

/**
 * Users, invites, members, keys, events and branding of the fake gateway. `FakeAccounts` checks
 * access.
 */
export class FakeAdmin {
  readonly branding: FakeBranding;
  invites: InviteWire[] = [];
  inviteLimits: Out<typeof listInviteLimits>["limits"] = [];
  members: Record<number, number[]> = {};
  apiKeys: ApiKeyWire[] = [];
  extensionKeys: ExtensionKeyWire[] = [];
  readonly log = new FakeEventLog();
  /** Bodies of mutating requests, in order. */
  sent: { path: string; body: Record<string, unknown> }[] = [];
  private next = 100;
  constructor(
    private accounts: FakeAccounts,
    private accessChanged: () => void,
    brandingChanged: () => void,
  ) {
    this.branding = new FakeBranding(brandingChanged);
  }

  /**
   * Adds three people in addition to the admin, an invite and a key of each kind, and a log of two
   * pages.
   */
  fill(): void {
    const { events, ...rest } = sampleAdministration(this.accounts);
    Object.assign(this, rest);
    this.log.events = events;
  }

  /** Returns true if it answered the call. */
  async handle(call: FakeCall, workspaces: WorkspaceWire[]): Promise<boolean> {
    if (call.method !== "GET" && call.path.startsWith("/admin/"))
      this.sent.push({ path: call.path, body: call.body });
    return (
      this.branding.handle(call) ||
      answerUsers(call, this.accounts, this.actor(call)) ||
      this.invitesOf(call) ||
      this.workspacesOf(call, workspaces) ||
      this.keys(call) ||
      this.log.handle(call)
    );
  }

  private actor(call: FakeCall) {
    return this.accounts.find(this.accounts.sessions[call.bearer ?? ""])?.user ?? null;
  }

  private invitesOf(call: FakeCall): boolean {
    const { path, method, body, reply } = call;
    if (path === "/admin/invites") {
      reply(listInvites, { invites: this.invites });
      return true;
    }
    if (path === "/admin/invites/limits") {
      reply(listInviteLimits, { limits: this.inviteLimits });
      return true;
    }
    if (path === "/admin/invites/batch") {
      const { invites, workspaceIds, expiresAt = null } = body as Args<typeof createInvites>;
      reply(createInvites, {
        invites: invites.map(({ label = null, role = "default", maxUses = 1 }) => {
          const code = `K7P2WXM-${++this.next}AQZR-T4N8VBC-E6D3HJY`;
          const limits = { id: this.next, label, role, maxUses, expiresAt };
          this.invites.push({
            id: this.next,
            code,
            status: "pending",
            claimedBy: null,
            workspaceIds: JSON.stringify(workspaceIds ?? []),
            createdAt: new Date().toISOString(),
            createdBy: this.actor(call),
            lastUpdatedAt: new Date().toISOString(),
          });
          this.inviteLimits.push({ ...limits, uses: 0 });
          this.accounts.invites[code] = "pending";
          return { ...limits, code };
        }),
      });
      return true;
    }
    const invite = this.invites.find((each) => path === `/admin/invite/${each.id}`);
    if (!invite || method !== "DELETE") return false;
    invite.status = "disabled";
    reply(disableInvite, { success: true, error: null });
    return true;
  }

  private workspacesOf(
    { path, method, body, json, reply }: FakeCall,
    workspaces: WorkspaceWire[],
  ): boolean {
    if (path === "/admin/workspaces") {
      reply(listAdminWorkspaces, {
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
      reply(createAdminWorkspace, { workspace, error: null });
      return true;
    }
    const listed = /^\/admin\/workspaces\/(\d+)\/users$/.exec(path);
    if (listed) {
      reply(listMembers, {
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
      const place = workspaces.findIndex((workspace) => workspace.id === id);
      if (place !== -1) workspaces.splice(place, 1);
    }
    reply(method === "DELETE" ? deleteAdminWorkspace : updateMembers, {
      success: true,
      error: null,
    });
    return true;
  }

  private keys(call: FakeCall): boolean {
    const { path, method, body, reply, text } = call;
    const base = this.accounts.multiUser ? "/admin" : "/system";
    const created = {
      createdAt: new Date().toISOString(),
      lastUpdatedAt: new Date().toISOString(),
      lastUsedAt: null,
    };
    const maker = this.actor(call);
    if (path === `${base}/api-keys`) {
      reply(this.accounts.multiUser ? listApiKeys : listInstanceApiKeys, {
        apiKeys: this.apiKeys,
        error: null,
      });
      return true;
    }
    if (path === `${base}/generate-api-key`) {
      const secret = "carrel-T5W9QKD-1ZN4RXM-B7V2HCA-P8J6EYG";
      const apiKey: ApiKeyWire = {
        id: ++this.next,
        name: (body.name as string) ?? null,
        secret,
        createdBy: maker,
        ...created,
        scopes: (body.scopes as KeyScope[] | undefined) ?? ["admin"],
        workspaceIds: (body.workspaceIds as number[] | null) ?? null,
        expiresAt: (body.expiresAt as string | null) ?? null,
        requestsPerMinute: (body.requestsPerMinute as number | null) ?? null,
      };
      this.apiKeys.push({ ...apiKey, secret: masked(secret) });
      reply(this.accounts.multiUser ? createApiKey : createInstanceApiKey, { apiKey, error: null });
      return true;
    }
    const apiKey = this.apiKeys.findIndex(
      (each) =>
        path ===
        (this.accounts.multiUser
          ? `/admin/delete-api-key/${each.id}`
          : `/system/api-key/${each.id}`),
    );
    const changed = this.apiKeys.find(
      ({ id }) =>
        path === (this.accounts.multiUser ? `/admin/api-keys/${id}` : `/system/api-key/${id}`),
    );
    if (changed && method === "PUT") {
      Object.assign(changed, body);
      reply(this.accounts.multiUser ? updateApiKey : updateInstanceApiKey, {
        apiKey: changed,
        error: null,
      });
      return true;
    }
    if (apiKey >= 0 && method === "DELETE") {
      this.apiKeys.splice(apiKey, 1);
      text("");
      return true;
    }
    if (path === "/browser-extension/api-keys") {
      reply(listExtensionKeys, {
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
      reply(createExtensionKey, { apiKey: key });
      return true;
    }
    const extensionKey = this.extensionKeys.findIndex(
      (each) => path === `/browser-extension/api-keys/${each.id}`,
    );
    if (extensionKey >= 0) {
      this.extensionKeys.splice(extensionKey, 1);
      reply(deleteExtensionKey, { success: true });
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
      setTimeout(() => reply(enableMultiUser, { success: true, error: null }), 300);
      return true;
    }
    return false;
  }
}
