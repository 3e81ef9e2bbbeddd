import { listNotices, readNotices, type NoticeWire } from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";

const id = (index: number) => `0b7d2c7e-3c52-4b6a-9a53-0000000000${10 + index}`;

/** The notices of the fake gateway's only user. */
export class FakeNotices {
  list: NoticeWire[] = [];
  sent: unknown[] = [];

  add(more: Partial<NoticeWire> = {}): void {
    this.list.unshift({
      id: id(this.list.length),
      kind: "sync.stopped",
      title: "b.example.html",
      fault: { code: "source.missing", params: { host: "b.example" } },
      workspaceSlug: "heat-pump-retrofit",
      documentId: id(50),
      connectionId: null,
      scheduleId: null,
      flowRunId: null,
      threadSlug: null,
      createdAt: new Date(Date.now() - 3_600_000).toISOString(),
      readAt: null,
      ...more,
    });
  }

  /** Returns true if it answered the call. */
  handle({ method, path, body, reply }: FakeCall): boolean {
    if (method === "GET" && path === "/notices") {
      const unread = this.list.filter(({ readAt }) => readAt === null).length;
      return answered(reply(listNotices, { notices: this.list, unread }));
    }
    if (method !== "POST" || path !== "/notices/read") return false;
    this.sent.push(body);
    const ids = body.ids as string[] | undefined;
    this.list = this.list.map((notice) =>
      ids === undefined || ids.includes(notice.id)
        ? { ...notice, readAt: new Date().toISOString() }
        : notice,
    );
    return answered(reply(readNotices, { success: true }));
  }
}
