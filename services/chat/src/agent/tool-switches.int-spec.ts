import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
const settings = { skills: ["rag-memory", "create-files-agent"], rules: {} };
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  chat.fixture.agents = {
    ...chat.fixture.agents,
    ...settings,
    disabledTools: ["create-pdf-file", "create-docx-file"],
  };
  await chat.tellAgentSettings();
});
afterAll(() => chat?.stop());

/** The tools that the model is offered. */
async function offered(toolSwitches: Record<string, boolean>): Promise<string[]> {
  chat.llm.next({ reply: "Hello." });
  await chat.ask(chat.addWorkspace({ chatMode: "automatic" }), "Hi?", {
    overrides: { toolSwitches },
  });
  const { tools } = chat.llm.requests.at(-1)!.body as { tools: { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name);
}

describe("skills and tools that were switched for a session", () => {
  it("differ from the settings only where they were switched", async () => {
    const usual = await offered({});
    expect(usual).toContain("search-documents");
    expect(usual).toContain("create-text-file");
    expect(usual).not.toContain("create-chart");
    expect(usual).not.toContain("create-pdf-file");

    const switched = await offered({
      "rag-memory": false,
      "create-chart": true,
      "request-user-input": true,
      "create-pdf-file": true,
      "create-text-file": false,
      "@@flow_7": true,
      constructor: true,
    });
    expect(switched).not.toContain("search-documents");
    expect(switched).not.toContain("create-text-file");
    expect(switched).not.toContain("create-docx-file");
    expect(switched).toEqual(
      expect.arrayContaining(["create-chart", "ask-person", "create-pdf-file"]),
    );
  });

  it("keep to an admin's rules, and skills need their settings", async () => {
    chat.fixture.agents.rules = { "create-chart": "forbid" };
    await chat.tellAgentSettings();
    const names = await offered({ "create-chart": true, "gmail-agent": true, "sql-agent": true });
    expect(names.filter((name) => /^(?:create-chart|gmail|sql)/.test(name))).toEqual([]);
  });
});
