import type { ChangeFrame } from "@carrel/contracts";
import { waitFor, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";
import { password } from "./password.ts";

/** A connection to the change stream: the frames about turns and threads received so far. */
class Watch {
  readonly frames: ChangeFrame[] = [];
  private readonly leave = new AbortController();
  /** Resolves once connected: later changes are received. */
  readonly open: Promise<void>;

  constructor(api: Api) {
    const reply = fetch(`${api.url}/api/changes`, {
      headers: { authorization: `Bearer ${api.token}` },
      signal: this.leave.signal,
    });
    this.open = reply.then(({ status }) => {
      if (status !== 200) throw new Error(`changes: ${status}`);
    });
    // The request is aborted when the test disconnects.
    void reply.then((response) => this.read(response)).catch(() => undefined);
  }
  private async read(response: Response): Promise<void> {
    let text = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + piece).split("\n");
      text = lines.pop()!;
      for (const line of lines)
        if (line.startsWith("data: ")) this.frames.push(JSON.parse(line.slice(6)) as ChangeFrame);
    }
  }
  about(...types: ChangeFrame["type"][]): ChangeFrame[] {
    return this.frames.filter(({ type }) => types.includes(type));
  }
  stop(): void {
    this.leave.abort();
  }
}

export function testChanges(instance: () => Instance): void {
  describe("changes of turns and threads", () => {
    let admin: Api;
    let watches: Watch[] = [];
    const api = (token: string | null = null): Api =>
      Object.assign(new Api(instance().url), { token });
    const signIn = async (username: string): Promise<Api> =>
      api(
        (await api().json<{ token: string }>("POST", "/request-token", { username, password }))
          .token,
      );

    beforeAll(async () => {
      admin = await signIn("librarian");
    });
    afterAll(() => {
      for (const watch of watches) watch.stop();
    });

    it("reach every connection of their owner, and no one else in the same workspace", async () => {
      const ids = await Promise.all(
        ["author", "colleague"].map(
          async (username) =>
            (
              await admin.json<{ user: { id: number } }>("POST", "/admin/users/new", {
                username,
                password,
              })
            ).user.id,
        ),
      );
      const { id: workspaceId, slug } = await admin.makeWorkspace("Papers");
      await admin.json("POST", `/admin/workspaces/${workspaceId}/update-users`, { userIds: ids });
      const [author, elsewhere, colleague] = [
        await signIn("author"),
        await signIn("author"),
        await signIn("colleague"),
      ];
      watches = [new Watch(author), new Watch(elsewhere), new Watch(colleague), new Watch(admin)];
      await Promise.all(watches.map(({ open }) => open));
      const [own, other, foreign, admins] = watches as [Watch, Watch, Watch, Watch];

      const { thread } = await author.json<{ thread: { slug: string } }>(
        "POST",
        `/workspace/${slug}/thread/new`,
      );
      const base = `/workspace/${slug}/thread/${thread.slug}`;
      for (const question of ["What is kept?", "What goes?"])
        await author.ask(slug, question, thread.slug);
      const { turns } = await author.json<{ turns: { id: number }[] }>(
        "GET",
        `/workspace/${slug}/turns?thread=${thread.slug}`,
      );
      const [kept, gone] = turns.map(({ id }) => id) as [number, number];

      const changes: [string, () => Promise<{ status: number }>][] = [
        [
          "rewriting an answer",
          () => author.call("POST", `${base}/update-chat`, { chatId: kept, newText: "Nothing." }),
        ],
        [
          "rewriting a question",
          () =>
            author.call("POST", `${base}/update-chat`, {
              chatId: kept,
              newText: "And now?",
              role: "user",
            }),
        ],
        [
          "rating",
          () => author.call("POST", `/workspace/${slug}/chat-feedback/${kept}`, { feedback: 1 }),
        ],
        [
          "deleting",
          () => author.call("DELETE", `/workspace/${slug}/delete-chats`, { chatIds: [gone] }),
        ],
        [
          "parking what comes after",
          () => author.call("DELETE", `${base}/delete-edited-chats`, { startingId: kept }),
        ],
        [
          "showing a branch",
          () => author.call("POST", `/workspace/${slug}/turns/${kept}/activate`),
        ],
        ["hiding", () => author.call("PUT", `/workspace/workspace-chats/${kept}`)],
        [
          "forgetting the conversation",
          () => author.call("POST", `${base}/stream-chat`, { message: "/reset" }),
        ],
      ];
      for (const [index, [what, change]] of changes.entries()) {
        expect([what, (await change()).status]).toEqual([what, 200]);
        for (const watch of [own, other])
          await waitFor(() => Promise.resolve(watch.about("turns.changed").length === index + 1));
      }
      const threadId = (own.about("turns.changed")[0] as { threadId: number }).threadId;
      for (const watch of [own, other])
        expect(watch.about("turns.changed")).toEqual(
          changes.map(() => ({ type: "turns.changed", workspaceId, threadId })),
        );

      expect((await author.call("DELETE", base)).status).toBe(200);
      const threads = [
        { type: "threads.changed", workspaceId, change: "created", slugs: [thread.slug] },
        { type: "threads.changed", workspaceId, change: "deleted", slugs: [thread.slug] },
      ];
      for (const watch of [own, other])
        await waitFor(() => Promise.resolve(watch.about("threads.changed").length === 2));
      for (const watch of [own, other]) expect(watch.about("threads.changed")).toEqual(threads);

      // This event goes to everyone after all of the above, so events for other users would have
      // arrived first.
      await admin.json("POST", `/workspace/${slug}/update`, { name: "Old papers" });
      for (const watch of [foreign, admins])
        await waitFor(() => Promise.resolve(watch.about("workspace.updated").length > 0));
      for (const watch of [foreign, admins])
        expect(
          watch.about("turns.changed", "threads.changed", "thread.renamed", "generation.changed"),
        ).toEqual([]);
    });
  });
}
