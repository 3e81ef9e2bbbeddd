import { checkDatabase, type Out, type WorkspaceScope } from "@carrel/contracts";
import { ChatInstance } from "../../test/chat-instance.ts";

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
