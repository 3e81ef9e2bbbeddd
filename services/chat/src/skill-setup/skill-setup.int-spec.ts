import {
  beginOutlookSignIn,
  checkDatabase,
  completeOutlookSignIn,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { exchangeOutlookCode } from "@carrel/skills";
import { jest } from "@jest/globals";
import {
  startAccountServer,
  type AccountServer,
} from "../../../../libs/skills/src/account/account-server.fixture.ts";
import {
  OutlookFixture,
  app,
  redirectUri,
} from "../../../../libs/skills/src/outlook/outlook.fixture.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { OutlookSignInHandler } from "./outlook-sign-in.handler.ts";

let chat: ChatInstance;
let scope: WorkspaceScope;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  scope = chat.addWorkspace();
});
afterAll(() => chat.stop());

describe("a database for agents", () => {
  const check = (connectionString: string): Promise<Out<typeof checkDatabase>> =>
    chat.request(checkDatabase, { engine: "postgresql", connectionString }, scope);

  it("is connected to, with the saved password in place of a mask", async () => {
    const address = new URL(chat.database.url);
    expect(await check(address.href)).toEqual({ fault: null });
    chat.fixture.databasePassword = address.password;
    address.password = "********";
    expect(await check(address.href)).toEqual({ fault: null });
  });

  it("isn't usable if the server, the database or the address is missing", async () => {
    const address = new URL(chat.database.url);
    address.pathname = "/nowhere";
    expect((await check(address.href)).fault).toEqual({
      code: "sql.database-missing",
      params: { database: "nowhere" },
    });
    expect((await check("postgresql://127.0.0.1:9/a")).fault).toMatchObject({
      code: "sql.unreachable",
    });
    expect((await check("nonsense")).fault).toMatchObject({
      code: "sql.connection-string-invalid",
    });
  });
});

describe("a sign-in to Outlook", () => {
  const outlook = new OutlookFixture();
  let server: AccountServer;
  beforeAll(async () => {
    server = await startAccountServer((...call) => outlook.listener(...call));
    jest.spyOn(OutlookSignInHandler.prototype, "exchange").mockImplementation((settings, answer) =>
      exchangeOutlookCode(settings, answer, {
        signal: AbortSignal.timeout(10_000),
        reach: server.reach,
      }),
    );
  });
  afterAll(() => {
    jest.restoreAllMocks();
    return server.stop();
  });

  const begin = async (): Promise<{ state: string; sealed: string; url: URL }> => {
    const { url, sealed } = await chat.request(beginOutlookSignIn, { redirectUri }, scope);
    const page = new URL(url);
    outlook.challenge = page.searchParams.get("code_challenge")!;
    return { url: page, state: page.searchParams.get("state")!, sealed };
  };
  const complete = (
    answer: Record<string, string>,
    sealed: string,
  ): Promise<Out<typeof completeOutlookSignIn>> =>
    chat.request(
      completeOutlookSignIn,
      { callbackUrl: `${redirectUri}?${new URLSearchParams(answer)}`, sealed },
      scope,
    );

  it("needs an app", async () => {
    await expect(begin()).rejects.toMatchObject({ code: "account.setup-missing" });
  });

  it("keeps the refresh token, and nothing in the clear in the browser", async () => {
    chat.fixture.agents.outlook = { ...app, refreshToken: null };
    const { url, state, sealed } = await begin();
    expect(url.origin).toBe("https://login.microsoftonline.com");
    expect(sealed).not.toContain(state);
    expect(await complete({ code: "good", state }, sealed)).toEqual({
      address: "ada@contoso.example",
    });
    expect(chat.fixture.keptTokens).toEqual([
      { clientId: app.clientId, refreshToken: "refresh-2", replaces: null },
    ]);
  });

  it("is refused from another browser, for another app, or by Microsoft", async () => {
    const [one, other] = [await begin(), await begin()];
    for (const [state, sealed] of [
      [one.state, other.sealed],
      [one.state, chat.shared.secretBox.seal("{}")],
      [one.state, "nonsense"],
    ] as const)
      await expect(complete({ code: "good", state }, sealed)).rejects.toMatchObject({
        code: "account.sign-in-expired",
      });
    await expect(
      complete({ error: "access_denied", state: one.state }, one.sealed),
    ).rejects.toMatchObject({
      code: "account.sign-in-failed",
      params: { details: "access_denied" },
    });
    await expect(complete({ code: "bad", state: one.state }, one.sealed)).rejects.toMatchObject({
      code: "account.sign-in-again",
    });
    chat.fixture.agents.outlook = { ...app, clientId: "another", refreshToken: null };
    await expect(complete({ code: "good", state: one.state }, one.sealed)).rejects.toMatchObject({
      code: "account.sign-in-expired",
    });
    expect(chat.fixture.keptTokens).toHaveLength(1);
  });
});
