import type { ApiKeyWire, ExtensionKeyWire, InviteWire } from "@carrel/contracts";
import type { FakeAccounts } from "./fake-accounts.ts";

export interface FakeEvent {
  event: string;
  metadata: string | null;
  userId: number | null;
  occurredAt: string;
  user: { username: string };
}

const minutes = (ago: number): string => new Date(Date.now() - ago * 60_000).toISOString();
export const masked = (secret: string): string =>
  `${/^(carrel|brx)-/.exec(secret)?.[0] ?? ""}*******-*******-*******-***${secret.slice(-4)}`;

/**
 * Adds three people in addition to the admin; returns an invite and a key of each kind, and a log
 * of two pages.
 */
export function sampleAdministration(accounts: FakeAccounts) {
  accounts.add("mira_kowalska", "admin", {
    code: "123456",
    user: { email: "mira@harbour.example" },
  });
  accounts.add("olu", "manager", { user: { createdAt: "2026-11-04T08:00:00.000Z" } });
  accounts.add("jo-brandt", "default", {
    code: "123456",
    user: { createdAt: "2026-11-12T08:00:00.000Z", dailyMessageLimit: 50, bio: "Tenant council" },
  });
  accounts.add("sam", "default", {
    user: { createdAt: "2026-11-18T08:00:00.000Z", suspended: 1, email: "sam@harbour.example" },
  });
  const members: Record<number, number[]> = { 1: [3, 4], 2: [3] };
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
  const invites = [
    invite(1, "PN7Q", "pending", 40, null, "[1,2]"),
    invite(2, "C4T8", "claimed", 4000, { id: 3, username: "jo-brandt" }, "[1]"),
    invite(3, "M9D3", "disabled", 9000, null, "[]"),
  ];
  const key = { createdAt: minutes(9000), lastUpdatedAt: minutes(9000) };
  const unlimited = {
    scopes: ["admin" as const],
    workspaceIds: null,
    expiresAt: null,
    requestsPerMinute: null,
  };
  const apiKeys: ApiKeyWire[] = [
    {
      id: 1,
      name: "Nightly import",
      secret: masked("carrel-GB4K"),
      createdBy: { ...by, role: "admin" },
      ...key,
      lastUsedAt: minutes(12),
      scopes: ["documents"],
      workspaceIds: [1],
      expiresAt: minutes(-60 * 24 * 20),
      requestsPerMinute: 60,
    },
    {
      id: 2,
      name: null,
      secret: masked("carrel-RW6M"),
      createdBy: 9,
      ...key,
      lastUsedAt: null,
      ...unlimited,
    },
    {
      id: 3,
      name: "Search on the intranet",
      secret: masked("carrel-4T9N"),
      createdBy: { ...by, role: "admin" },
      ...key,
      lastUsedAt: minutes(5000),
      ...unlimited,
      scopes: ["read", "chat"],
      expiresAt: minutes(3000),
    },
  ];
  const extensionKeys: ExtensionKeyWire[] = [
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
  ): FakeEvent => ({
    event: name,
    metadata: metadata === null ? null : JSON.stringify(metadata),
    userId,
    occurredAt: minutes(ago),
    user: {
      username:
        accounts.accounts.find((account) => account.user.id === userId)?.user.username ??
        "unknown user",
    },
  });
  const events = [
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
    event("live_sync_stopped", 4200, null, {
      title: "docs.example.com/guide",
      reason: "source.failing",
      by: "service",
    }),
    ...Array.from({ length: 6 }, (_, index) =>
      event("login_event", 5000 + index * 60, 3, {
        username: "jo-brandt",
        address: "2001:db8::7",
      }),
    ),
  ];
  return { members, invites, apiKeys, extensionKeys, events };
}
