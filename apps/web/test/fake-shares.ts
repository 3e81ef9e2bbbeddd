import {
  createShare,
  getShare,
  listShares,
  readShare,
  readShareAsUser,
  revokeShare,
  updatePreferences,
  updateShare,
  type listAllShares,
  type Out,
  type ShareAudience,
  type SharedTurn,
  type ShareWire,
  type SharingLimit,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

type Listed = Out<typeof listAllShares>["shares"][number];
const day = 86_400_000;
const gone = { error: "This link doesn't exist or no longer works." };

/** Share links of the fake gateway. The token of the n-th link is `token-n`. */
export class FakeShares {
  list: Listed[] = [];
  /** What a link shows, by token. */
  shared: Record<string, { name: string | null; turns: SharedTurn[]; audience: ShareAudience }> =
    {};
  /** Turns per page. */
  pageSize = 50;
  sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  private made = 0;

  constructor(private readonly settings: () => Record<string, unknown>) {}

  get sharing(): SharingLimit {
    return (this.settings().ThreadSharing as SharingLimit | undefined) ?? "anyone";
  }

  add(thread: string | null, name: string, more: Partial<Listed> = {}): Listed {
    const now = new Date().toISOString();
    const share: Listed = {
      id: (this.made += 1),
      audience: "team",
      expiresAt: null,
      isExpired: false,
      showReasoning: false,
      createdAt: now,
      sharedAt: now,
      isCurrent: true,
      thread: { slug: thread, name },
      workspace: { slug: "heat-pump-retrofit", name: "Heat-pump retrofit" },
      owner: null,
      ...more,
    };
    this.list = [share, ...this.list.filter((each) => each.thread.slug !== thread)];
    return share;
  }

  /** Calls that need no session. Returns true if it answered the call. */
  handlePublic({ method, path, query, json, reply, bearer }: FakeCall): boolean {
    const found = matcher({ method, path })("GET", /^\/share\/([^/]+)(\/team)?$/);
    if (!found) return false;
    const shared = this.shared[decodeURIComponent(found[1]!)];
    const asUser = found[2] !== undefined;
    if (asUser && bearer === "stale") {
      json({ error: "Invalid auth token." }, 401);
      return true;
    }
    if (!shared || (shared.audience === "team" && !asUser)) {
      json(gone, 404);
      return true;
    }
    const after = Number(query.get("after") ?? 0);
    const end = after + this.pageSize;
    reply(asUser ? readShareAsUser : readShare, {
      name: shared.name,
      sharedAt: "2026-11-21T08:00:00.000Z",
      turns: shared.turns.slice(after, end),
      next: end < shared.turns.length ? end : null,
    });
    return true;
  }

  handle({ method, path, query, body, json, reply }: FakeCall): boolean {
    const is = matcher({ method, path });
    const isSetting = path === "/admin/system-preferences" && "thread_sharing" in body;
    if (!isSetting && !/^\/(workspace\/[^/]+\/share|(admin\/)?shares(\/\d+)?)$/.test(path))
      return false;
    if (method !== "GET") this.sent.push({ method, path, body });
    if (isSetting) {
      this.settings().ThreadSharing = body.thread_sharing;
      return answered(reply(updatePreferences, { success: true, error: null }));
    }
    if (is("GET", /^(\/admin)?\/shares$/))
      return answered(reply(listShares, { shares: this.list }));
    if (is("GET", /share$/)) {
      const share = this.list.find(({ thread }) => thread.slug === query.get("thread"));
      return answered(
        reply(getShare, { share: share ? wireOf(share) : null, sharing: this.sharing }),
      );
    }
    if (is("POST", /share$/)) {
      const share = this.add((body.thread as string | null | undefined) ?? null, "Shared", {
        audience: body.audience as ShareAudience,
        expiresAt: expiryOf(body.expiresInDays),
        showReasoning: body.showReasoning === true,
      });
      return answered(reply(createShare, { share: wireOf(share), token: `token-${share.id}` }));
    }
    const share = this.list.find(({ id }) => path.endsWith(`/${id}`));
    if (!share) return answered(json(gone, 404));
    if (method === "DELETE") {
      this.list = this.list.filter((each) => each !== share);
      return answered(reply(revokeShare, { success: true }));
    }
    if (body.audience !== undefined) share.audience = body.audience as ShareAudience;
    if (body.expiresInDays !== undefined) share.expiresAt = expiryOf(body.expiresInDays);
    if (body.showReasoning !== undefined) share.showReasoning = body.showReasoning === true;
    if (body.refresh === true) share.isCurrent = true;
    return answered(reply(updateShare, { share: wireOf(share) }));
  }
}

const expiryOf = (days: unknown): string | null =>
  typeof days === "number" ? new Date(Date.now() + days * day).toISOString() : null;

const wireOf = ({
  thread: _thread,
  workspace: _workspace,
  owner: _owner,
  ...share
}: Listed): ShareWire => share;
