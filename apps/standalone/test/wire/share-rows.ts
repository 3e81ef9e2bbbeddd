import {
  createShare,
  getShare,
  listAllShares,
  listShares,
  readShare,
  readShareAsUser,
  revokeShare,
  updateShare,
  type Out,
  type ShareWire,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const date = "2026-11-21T00:00:00.000Z";
const share: ShareWire = {
  id: 3,
  audience: "anyone",
  expiresAt: null,
  isExpired: false,
  showReasoning: true,
  createdAt: date,
  sharedAt: date,
  isCurrent: true,
};
const listed = {
  ...share,
  thread: { slug: "a-thread", name: "Thread" },
  workspace: { slug: "w", name: "W" },
};
const shared: Out<typeof readShare> = {
  name: "Thread",
  sharedAt: date,
  turns: [
    {
      question: "Hi",
      answer: "Hello [1]",
      sentAt: date,
      model: null,
      sources: [{ number: 1, title: "a.txt", page: 2, text: "Hello" }],
    },
  ],
  next: null,
};

export function answerShareRows({ chat }: TestInstance): void {
  chat
    .answer(getShare, { share, sharing: "anyone" })
    .answer(createShare, { share, token: "a-token" })
    .answer(updateShare, { share })
    .answer(revokeShare, { success: true })
    .answer(listShares, { shares: [listed] })
    .answer(listAllShares, { shares: [{ ...listed, owner: null }] })
    .answer(readShare, shared)
    .answer(readShareAsUser, shared);
}

/** Carrel-specific (docs/decisions/share-links.md). */
export const shareRows: Row[] = [
  row("chat.share.get", ["GET", "/workspace/w/share?thread=a-thread"], 200, json, {
    body: { share, sharing: "anyone" },
  }),
  row(
    "chat.share.create",
    ["POST", "/workspace/w/share", { thread: "a-thread", audience: "anyone", expiresInDays: 7 }],
    200,
    json,
    { body: { share, token: "a-token" } },
  ),
  row("chat.share.update", ["PUT", "/shares/3", { refresh: true }], 200, json, {
    body: { share },
  }),
  row("chat.share.revoke", ["DELETE", "/shares/3"], 200, json, { body: { success: true } }),
  row("chat.share.list", ["GET", "/shares"], 200, json, { body: { shares: [listed] } }),
  row("chat.share.list-all", ["GET", "/admin/shares"], 200, json, {
    body: { shares: [{ ...listed, owner: null }] },
  }),
  row("chat.share.read", ["GET", "/share/a-token"], 200, json, { body: shared }),
  row("chat.share.read-as-user", ["GET", "/share/a-token/team?after=0"], 200, json, {
    body: shared,
  }),
];
