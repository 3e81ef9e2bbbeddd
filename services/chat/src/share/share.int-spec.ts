import {
  createShare,
  deleteChats,
  deleteThread,
  eventLogged,
  getShare,
  listShares,
  publicPrincipal,
  readShare,
  readShareAsUser,
  revokeShare,
  settingsChanged,
  sharingLabel,
  updateShare,
  userDeleted,
  type EventPayload,
  type Args,
  type Scope,
  type SharedTurn,
  type WorkspaceScope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";

const { chat, sql, makeThread } = await startChat("Radiators cover the load [2].");

const logged: EventPayload<typeof eventLogged>[] = [];
beforeAll(() =>
  chat.shared.messaging.broadcast.on(`event:${eventLogged.name}`, (payload) =>
    logged.push(payload as EventPayload<typeof eventLogged>),
  ),
);

let people = 200;
const person = (scope: WorkspaceScope): WorkspaceScope => chat.as(scope, user(++people));
const visitor: Scope = { principal: publicPrincipal, workspace: null, address: "192.0.2.7" };
const anyone = { audience: "anyone", expiresInDays: null, showReasoning: true } as const;

const share = async (
  scope: WorkspaceScope,
  thread: string | null,
  o: Pick<Args<typeof createShare>, "audience" | "expiresInDays" | "showReasoning"> = anyone,
) => chat.request(createShare, { ...slugOf(scope), thread, ...o }, scope);
const open = (token: string, scope: Scope = visitor, after = 0) =>
  chat.request(
    scope.principal.kind === "public" ? readShare : readShareAsUser,
    { token, after },
    scope as WorkspaceScope,
  );
const questions = async (token: string, scope?: Scope): Promise<string[]> =>
  (await open(token, scope)).turns.map(({ question }) => question);
const isGone = (token: string, scope?: Scope): Promise<void> =>
  expect(open(token, scope)).rejects.toMatchObject({
    kind: "NOT_FOUND",
    code: "share.not-found",
    message: "This link doesn't exist or no longer works.",
  });

/** Simulates a change by an admin, as the workspace service announces it. */
async function limitSharing(limit: "off" | "team" | "anyone"): Promise<void> {
  chat.fixture.values = { ...chat.fixture.values, [sharingLabel]: limit };
  await chat.shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
    keys: [sharingLabel],
  });
  const probe = person(chat.addWorkspace());
  await poll(async () => (await chat.request(getShare, slugOf(probe), probe)).sharing).toBe(limit);
}

describe("a share link", () => {
  it("shows questions, answers and cited passages, and nothing that identifies them", async () => {
    const scope = person(
      chat.addWorkspace({}, [
        passageOf({ text: "Not cited.", start: 100, end: 110 }),
        passageOf({
          text: "At 48 °C most radiators cover the load.",
          title: "plan.pdf",
          page: 3,
          headingPath: ["Heating", "Radiators"],
        }),
      ]),
    );
    const thread = await makeThread(scope);
    await chat.ask(scope, "What covers the load?", { threadSlug: thread });
    await sql(
      "UPDATE chat.turn SET answer = '<think>The user is Eva.</think>' || answer WHERE workspace_id = $1",
      [scope.workspace.id],
    );
    const { token, share: made } = await share(scope, thread);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(made).toMatchObject({ audience: "anyone", expiresAt: null, isCurrent: true });
    const shown = await open(token);
    expect(shown).toEqual({
      name: "What covers the load?",
      sharedAt: made.sharedAt,
      turns: [
        {
          question: "What covers the load?",
          answer: "Radiators cover the load [2].",
          reasoning: [{ at: 0, text: "The user is Eva.", milliseconds: null }],
          sentAt: expect.stringMatching(/^\d{4}-/),
          model: "fake-model",
          sources: [
            {
              number: 2,
              title: "plan.pdf",
              page: 3,
              heading: "Radiators",
              text: "At 48 °C most radiators cover the load.",
            },
          ],
        } satisfies Record<Exclude<keyof SharedTurn, "answerKind" | "mentions" | "steps">, unknown>,
      ],
      next: null,
    });
    const [stored] = await sql<{ row: string }>(
      "SELECT row_to_json(share)::text AS row FROM chat.share WHERE id = $1",
      [made.id],
    );
    expect(stored!.row).not.toContain(token);
  });

  it("shows what was chosen for a question to its asker, and the model to members", async () => {
    const scope = person(chat.addWorkspace());
    const thread = await makeThread(scope);
    const model = { kind: "model" as const, name: "Large" };
    const mentions = [{ kind: "folder" as const, name: "plans" }, model];
    const places = { documentIds: [], folders: ["plans"] };
    await chat.ask(scope, "First?", { threadSlug: thread, overrides: { places, mentions } });
    const { token } = await share(scope, thread);
    expect((await open(token, scope)).turns[0]?.mentions).toEqual(mentions);
    expect((await open(token, person(scope))).turns[0]?.mentions).toEqual([model]);
    expect((await open(token)).turns[0]).not.toHaveProperty("mentions");
  });

  it("shows the turns up to when it was shared, until its owner updates it", async () => {
    const scope = person(chat.addWorkspace());
    const thread = await makeThread(scope);
    await chat.ask(scope, "First?", { threadSlug: thread });
    const { chatId } = await chat.ask(scope, "Second?", { threadSlug: thread });
    const { token, share: made } = await share(scope, thread);
    // A new version of the last question, and another one.
    await chat.ask(scope, "Second, differently?", { threadSlug: thread, replaces: chatId });
    await chat.ask(scope, "Third?", { threadSlug: thread });
    expect(await questions(token)).toEqual(["First?", "Second?"]);
    const find = async () =>
      (await chat.request(getShare, { ...slugOf(scope), thread }, scope)).share;
    expect(await find()).toMatchObject({ id: made.id, isCurrent: false });
    await chat.request(updateShare, { id: made.id, refresh: true }, scope);
    expect(await find()).toMatchObject({ isCurrent: true });
    const now = ["First?", "Second, differently?", "Third?"];
    expect(await questions(token)).toEqual(now);
    const [first] = await sql<{ id: number }>(
      "SELECT id FROM chat.turn WHERE workspace_id = $1 AND question = 'First?'",
      [scope.workspace.id],
    );
    await chat.request(deleteChats, { ...slugOf(scope), chatIds: [first!.id] }, scope);
    expect(await questions(token)).toEqual(now.slice(1));
  });

  it("covers the default thread, and needs at least one turn", async () => {
    const scope = person(chat.addWorkspace());
    await expect(share(scope, null)).rejects.toMatchObject({ code: "share.empty" });
    const thread = await makeThread(scope);
    await expect(share(scope, thread)).rejects.toMatchObject({ code: "share.empty" });
    await chat.ask(scope, "By default?");
    const { token } = await share(scope, null);
    expect(await open(token)).toMatchObject({ name: null, turns: [{ question: "By default?" }] });
  });

  it("comes in pages", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Question 0?");
    await sql(
      `INSERT INTO chat.turn (thread_id, workspace_id, user_id, question, answer, state)
      SELECT thread_id, workspace_id, user_id, 'Question ' || n || '?', repeat('é', 20000), 'done'
      FROM chat.turn, generate_series(1, 60) n WHERE workspace_id = $1`,
      [scope.workspace.id],
    );
    const { token } = await share(scope, null);
    const seen: string[] = [];
    let pages = 0;
    for (let after: number | null = 0; after !== null; pages += 1) {
      const page: Awaited<ReturnType<typeof open>> = await open(token, visitor, after);
      seen.push(...page.turns.map(({ question }) => question));
      after = page.next;
    }
    expect(pages).toBeGreaterThan(3);
    expect(seen).toEqual(Array.from({ length: 61 }, (_, n) => `Question ${n}?`));
  });

  it("ends when it expires, is revoked or replaced, with the same reply", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Why?");
    await isGone("unknown");
    await isGone("");
    const first = await share(scope, null, { audience: "anyone", expiresInDays: 7 });
    const days = (Date.parse(first.share.expiresAt!) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const second = await share(scope, null);
    await isGone(first.token);
    await sql("UPDATE chat.share SET expires_at = now() - interval '1 second' WHERE id = $1", [
      second.share.id,
    ]);
    await isGone(second.token);
    const { shares } = await chat.request(listShares, {}, scope);
    expect(shares).toMatchObject([{ id: second.share.id, isExpired: true }]);
    await chat.request(updateShare, { id: second.share.id, expiresInDays: 1 }, scope);
    expect(await questions(second.token)).toEqual(["Why?"]);
    await chat.request(revokeShare, { id: second.share.id }, scope);
    await isGone(second.token);
    expect((await chat.request(getShare, slugOf(scope), scope)).share).toBeNull();
    const events = ["created", "created", "updated", "revoked"].map((verb) => `share_link_${verb}`);
    const own = () => logged.filter(({ userId }) => userId === scope.principal.userId);
    await poll(() => own().map(({ event }) => event)).toEqual(events);
    expect(JSON.stringify(own())).not.toContain(second.token);
  });

  it("for the team needs a session", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Why?");
    const { token, share: made } = await share(scope, null, {
      audience: "team",
      expiresInDays: null,
    });
    const colleague: Scope = { ...visitor, principal: user(++people) };
    await isGone(token);
    expect(await questions(token, colleague)).toEqual(["Why?"]);
    await chat.request(updateShare, { id: made.id, audience: "anyone" }, scope);
    expect(await questions(token)).toEqual(["Why?"]);
  });

  it("belongs to its owner; admins may revoke it", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Why?");
    const { token, share: made } = await share(scope, null);
    const other = person(scope);
    for (const attempt of [
      () => chat.request(updateShare, { id: made.id, refresh: true }, other),
      () => chat.request(revokeShare, { id: made.id }, other),
      () => chat.request(updateShare, { id: made.id }, chat.as(scope, user(1, { role: "admin" }))),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: "share.not-found" });
    expect((await chat.request(listShares, {}, other)).shares).toEqual([]);
    expect((await chat.request(listShares, {}, scope)).shares).toMatchObject([
      { id: made.id, thread: { slug: null }, workspace: { slug: scope.workspace.slug } },
    ]);
    await chat.request(revokeShare, { id: made.id }, chat.as(scope, user(1, { role: "admin" })));
    await isGone(token);
  });

  it("ends with its thread, its workspace and its owner", async () => {
    const [byThread, byWorkspace, byUser] = [1, 2, 3].map(() => person(chat.addWorkspace()));
    const thread = await makeThread(byThread!);
    await chat.ask(byThread!, "Why?", { threadSlug: thread });
    await chat.ask(byWorkspace!, "Why?");
    await chat.ask(byUser!, "Why?");
    const ofThread = await share(byThread!, thread);
    const ofWorkspace = await share(byWorkspace!, null);
    const ofUser = await share(byUser!, null);
    await chat.request(deleteThread, { ...slugOf(byThread!), threadSlug: thread }, byThread!);
    await isGone(ofThread.token);
    await chat.deleteWorkspace(byWorkspace!);
    await chat.tell(userDeleted, { userId: byUser!.principal.userId! });
    await poll(async () => {
      await isGone(ofWorkspace.token);
      await isGone(ofUser.token);
      return true;
    }).toBe(true);
  });

  it("limits failed attempts by address, but not the opening of links", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Why?");
    const { token } = await share(scope, null);
    const guesser: Scope = { ...visitor, address: "198.51.100.9" };
    for (let round = 0; round < 105; round += 1) await open(token, guesser);
    const attempts = await Promise.allSettled(
      Array.from({ length: 110 }, (_, n) => open(`guess-${n}`, guesser)),
    );
    const kinds = new Set(
      attempts.map((one) =>
        one.status === "rejected" ? (one.reason as { kind: string }).kind : "",
      ),
    );
    expect(kinds).toEqual(new Set(["NOT_FOUND", "TOO_MANY_ATTEMPTS"]));
    await expect(open(token, guesser)).rejects.toMatchObject({ kind: "TOO_MANY_ATTEMPTS" });
    expect(await questions(token)).toEqual(["Why?"]);
  });
});

describe("the admin's limit", () => {
  afterEach(() => limitSharing("anyone"));

  it("applies to existing links at once, and to new ones", async () => {
    const scope = person(chat.addWorkspace());
    await chat.ask(scope, "Why?");
    const { token, share: made } = await share(scope, null);
    const colleague: Scope = { ...visitor, principal: user(++people) };
    await limitSharing("team");
    await isGone(token);
    expect(await questions(token, colleague)).toEqual(["Why?"]);
    await expect(share(scope, null)).rejects.toMatchObject({ code: "share.team-only" });
    await limitSharing("off");
    await isGone(token);
    await isGone(token, colleague);
    await expect(
      share(scope, null, { audience: "team", expiresInDays: null }),
    ).rejects.toMatchObject({ code: "share.disabled" });
    await expect(chat.request(updateShare, { id: made.id }, scope)).rejects.toMatchObject({
      code: "share.disabled",
    });
    expect((await chat.request(getShare, slugOf(scope), scope)).share).toMatchObject(made);
    await limitSharing("anyone");
    expect(await questions(token)).toEqual(["Why?"]);
  });
});
