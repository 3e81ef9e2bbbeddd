import type { UserWire } from "@carrel/contracts";

export const recoveryCodes = [
  "7f3a91c2-4e0d-4b86-9f01-1c2d3e4f5a6b",
  "c05e2d47-9a1b-483f-86aa-0b1c2d3e4f5a",
  "19d8f6b3-70ce-4a25-b1c4-9e8d7c6b5a4f",
  "e4b1083c-5d9f-4762-a7d3-2f1e0d9c8b7a",
];

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

/** The signed-in user's sessions, as the settings list them. */
export const sessionList = () => [
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
