import {
  attachGeneration,
  createShare,
  exportChatRecords,
  exportThread,
  listChatRecords,
  listTurns,
  publicPrincipal,
  readAllTurns,
  readChatRecordText,
  readShare,
  readShareAsUser,
  readWidgetChats,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { key, slugOf, startChat, user } from "../../test/chat-suite.ts";
import { passageOf } from "../../test/factories/passage.ts";

const answer = "It opens in June [1]. The canteen serves soup [2].";
const { chat } = await startChat(answer);

const secret = "5b9c6a1e-0000-4000-8000-0000000000aa";
const admin: Principal = user(92, { role: "admin" });
const signs = /Vault plan|vault\.json|below the orchard|Deep heading/;

/** An answer of user 90 that cites a document, which is then only for some. */
async function answered(long = ""): Promise<{
  scope: WorkspaceScope;
  chatId: number;
  generationId: string;
  token: string;
}> {
  const base = chat.addWorkspace({}, [
    passageOf({
      documentId: secret,
      chunkId: secret,
      title: "Vault plan",
      docpath: "custom-documents/vault.json",
      headingPath: ["Deep heading"],
      text: `The vault lies below the orchard. ${long}`,
    }),
    passageOf({ title: "canteen.txt", text: "The canteen serves soup." }),
  ]);
  const scope = chat.as(base, user(90));
  const { chatId, generationId } = await chat.ask(scope, "When does it open?");
  const { token } = await chat.request(
    createShare,
    {
      ...slugOf(scope),
      thread: null,
      audience: "anyone",
      expiresInDays: null,
      showReasoning: true,
    },
    scope,
  );
  return { scope, chatId, generationId, token };
}

type Told = Awaited<ReturnType<typeof answered>>;
const records = { offset: 0, limit: 1 };
const exported = { type: "jsonAlpaca", after: null } as const;
/** Every way to read the answer. */
const ways: [string, (told: Told, principal: Principal) => Promise<unknown>][] = [
  ["history", ({ scope }, p) => chat.history(chat.as(scope, p))],
  [
    "turns",
    ({ scope }, p) => chat.request(listTurns, { ...slugOf(scope), limit: 10 }, chat.as(scope, p)),
  ],
  ["export", ({ scope }, p) => chat.request(exportThread, { threadSlug: null }, chat.as(scope, p))],
  [
    "all turns",
    ({ scope }, p) =>
      chat.request(
        readAllTurns,
        { apiSessionId: null, threadSlug: null, order: "asc", limit: 10, after: null },
        chat.as(scope, p),
      ),
  ],
  [
    "records",
    ({ scope }, p) =>
      chat.request(
        listChatRecords,
        { ...records, workspaceId: scope.workspace.id },
        chat.as(scope, p),
      ),
  ],
  [
    "records' export",
    ({ scope }, p) =>
      chat.request(
        exportChatRecords,
        { ...exported, workspaceId: scope.workspace.id },
        chat.as(scope, p),
      ),
  ],
  [
    "record's text",
    ({ scope, chatId }, p) =>
      chat.request(readChatRecordText, { id: chatId, text: "sources", from: 0 }, chat.as(scope, p)),
  ],
];

describe("the citations of a stored answer", () => {
  it.each(ways)("are masked in the %s of whoever may not see the document", async (_way, read) => {
    chat.fixture.restricted.delete(secret);
    const told = await answered();
    const whole = JSON.stringify(await read(told, user(90)));
    expect(whole).toMatch(signs);
    chat.fixture.restricted.set(secret, [90]);
    expect(JSON.stringify(await read(told, user(90)))).toBe(whole);
    chat.fixture.restricted.set(secret, [91]);
    for (const principal of [user(90), admin, { ...key, userId: 90 }]) {
      const text = JSON.stringify(await read(told, principal));
      expect(text).not.toMatch(signs);
      expect(text).not.toContain(secret);
    }
    // What is written stays, and so do the other citations with their numbers.
    const masked = JSON.stringify(await read(told, user(90)));
    expect(masked).toContain("canteen");
  });

  it("keep their numbers, and say that they are hidden", async () => {
    const { scope } = await answered();
    chat.fixture.restricted.set(secret, [91]);
    const { turns } = await chat.request(listTurns, { ...slugOf(scope), limit: 10 }, scope);
    expect(turns[0]).toMatchObject({
      answer,
      sources: [
        { title: "Restricted document", text: "", documentId: "", isHidden: true },
        { title: "canteen.txt" },
      ],
    });
  });

  it("are masked on share links for everyone, also for people who may see the document", async () => {
    const { scope, token } = await answered();
    chat.fixture.restricted.set(secret, [90]);
    const open = [
      chat.request(readShare, { token }, {
        principal: publicPrincipal,
        workspace: null,
        address: "192.0.2.9",
      } as unknown as WorkspaceScope),
      chat.request(readShareAsUser, { token }, { ...scope, address: "192.0.2.9" }),
    ];
    for (const { turns } of await Promise.all(open)) {
      expect(turns[0]!.answer).toBe(answer);
      expect(turns[0]!.sources).toMatchObject([{ number: 1, isHidden: true }, { number: 2 }]);
      expect(JSON.stringify(turns)).not.toMatch(signs);
    }
  });

  it("are masked in chats with visitors of widgets", async () => {
    chat.fixture.restricted.delete(secret);
    const { scope } = await answered();
    const widgetId = 85;
    const visitor = chat.as(scope, {
      kind: "widget",
      userId: null,
      role: "none",
      widget: { id: widgetId, host: null, address: null, username: null },
    });
    const conversation = { channel: "widget", sessionId: "a", widgetId } as const;
    await chat.ask(visitor, "When does it open?", { conversation });
    const read = async (principal: Principal): Promise<string> => {
      const reader = chat.as(scope, principal);
      return JSON.stringify(await chat.request(readWidgetChats, { widgetId, limit: 10 }, reader));
    };
    expect(await read(admin)).toMatch(signs);
    chat.fixture.restricted.set(secret, [90]);
    for (const principal of [admin, { ...key, userId: 90 }]) {
      const text = await read(principal);
      expect(text).not.toMatch(signs);
      expect(text).toContain("canteen.txt");
    }
    expect(await read(user(90, { role: "admin" }))).toMatch(signs);
  });

  it("are masked when the answer is attached to after its stream is gone", async () => {
    chat.fixture.restricted.delete(secret);
    const { scope, generationId } = await answered();
    await chat.shared.messaging.connections.commands.del(`stream:sealed:gen:${generationId}`);
    const attach = async (): Promise<string> =>
      JSON.stringify(await chat.request(attachGeneration, { generationId }, scope));
    expect(await attach()).toMatch(signs);
    chat.fixture.restricted.set(secret, [91]);
    const masked = await attach();
    expect(masked).not.toMatch(signs);
    expect(masked).toContain("canteen.txt");
  });

  it("are masked in texts that are read in parts", async () => {
    const told = await answered("x".repeat(40_000));
    chat.fixture.restricted.set(secret, [91]);
    const input = { id: told.chatId, text: "sources", from: 0 } as const;
    const { part } = await chat.request(readChatRecordText, input, chat.as(told.scope, admin));
    expect(JSON.parse(part)).toEqual(["", expect.stringContaining("canteen")]);
  });
});
