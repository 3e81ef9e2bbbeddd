import {
  clearDefaultThread,
  createThread,
  listMarkedThreads,
  listTurns,
  markThread,
  updateDefaultThread,
  updateThread,
  type Out,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";
import { threadWire } from "./fake-data.ts";
import type { GatewayState } from "./gateway-state.ts";

function mark(
  thread: { pinnedAt: string | null; archivedAt: string | null },
  body: FakeCall["body"],
): void {
  const now = new Date().toISOString();
  if ("pinned" in body) thread.pinnedAt = body.pinned ? now : null;
  if ("archived" in body) thread.archivedAt = body.archived ? now : null;
  if (body.archived) thread.pinnedAt = null;
}

/** Threads of the fake gateway and the turns in them. */
export class FakeThreads {
  constructor(private readonly state: GatewayState) {}

  /** Returns true if it answered the call. */
  async handle(call: FakeCall): Promise<boolean> {
    const { body, query, reply, text } = call;
    const { threads, turns } = this.state;
    const is = matcher(call);
    let match: RegExpExecArray | null;
    if ((match = is("GET", /^\/workspace\/([^/]+)\/marked-threads$/)))
      return answered(
        reply(listMarkedThreads, {
          threads: threads[match[1]!] ?? [],
          defaultThreadChatCount: 0,
          defaultThread: this.state.defaultThreads[match[1]!] ?? null,
        }),
      );
    if ((match = is("POST", /^\/workspace\/([^/]+)\/default-thread$/))) {
      const thread = this.state.defaultThreads[match[1]!]!;
      if ("name" in body) thread.name = String(body.name);
      mark(thread, body);
      return answered(reply(updateDefaultThread, { success: true }));
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/default-thread$/))) {
      delete this.state.defaultThreads[match[1]!];
      turns[`${match[1]}/`] = [];
      return answered(reply(clearDefaultThread, { success: true }));
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/new$/))) {
      const list = (threads[match[1]!] ??= []);
      const thread = threadWire(50 + list.length, "Thread", `thread-${list.length}`);
      list.unshift(thread);
      return answered(reply(createThread, { thread, message: null }));
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/([^/]+)\/update$/))) {
      const [, slug, threadSlug] = match;
      const thread = threads[slug!]!.find((each) => each.slug === threadSlug)!;
      thread.name = String(body.name);
      return answered(reply(updateThread, { thread, message: null }));
    }
    if ((match = is("POST", /^\/workspace\/([^/]+)\/thread\/([^/]+)\/mark$/))) {
      const [, slug, threadSlug] = match;
      mark(
        threads[slug!]!.find((each) => each.slug === threadSlug)!,
        body,
      );
      return answered(reply(markThread, { success: true }));
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/thread\/([^/]+)$/))) {
      const [, slug, threadSlug] = match;
      threads[slug!] = threads[slug!]!.filter((each) => each.slug !== threadSlug);
      return answered(text());
    }
    if ((match = is("DELETE", /^\/workspace\/([^/]+)\/thread-bulk-delete$/))) {
      const slugs = body.slugs as string[];
      threads[match[1]!] = threads[match[1]!]!.filter((each) => !slugs.includes(each.slug));
      return answered(text());
    }
    if ((match = is("GET", /^\/workspace\/([^/]+)\/turns$/))) {
      if (query.has("before")) await this.state.earlierHeld;
      return answered(reply(listTurns, this.page(match[1]!, query)));
    }
    if (is("DELETE", /^\/workspace\/([^/]+)\/delete-chats$/)) {
      const ids = body.chatIds as number[];
      for (const [key, list] of Object.entries(turns))
        turns[key] = list.filter((turn) => !ids.includes(turn.id));
      return answered(text());
    }
    return false;
  }

  private page(slug: string, query: URLSearchParams): Out<typeof listTurns> {
    const before = Number(query.get("before") ?? Infinity);
    const limit = Number(query.get("limit") ?? 50);
    const turns = (this.state.turns[`${slug}/${query.get("thread") ?? ""}`] ?? []).filter(
      (turn) => turn.id < before,
    );
    return {
      turns: turns.slice(-limit).map((turn) => ({
        ...turn,
        siblings: this.state.chat.siblings(turn.id),
        siblingQuestions: this.state.chat.siblingQuestions(turn.id),
      })),
      hasMore: turns.length > limit,
    };
  }
}
