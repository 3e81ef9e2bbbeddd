import {
  createWorkspace,
  fillDatabasePassword,
  forgetSkillRule,
  getAgentSettings,
  getOutlookSettings,
  getSettings,
  getWorkspaceSettings,
  getWorkspaceSkills,
  keepOutlookToken,
  revokeOutlook,
  setWorkspaceSkills,
  updatePreferences,
  updateSettings,
  updateWorkspace,
  type AgentSettings,
} from "@carrel/contracts";
import { service } from "./workspace-instance.ts";
import { admin, as, manager, member, startWorkspaceSuite } from "./workspace-suite.ts";

const { carrel, current, request, within, newestEvents } = await startWorkspaceSuite();

const prefer = (preferences: Record<string, unknown>): Promise<unknown> =>
  request(updatePreferences, { preferences }, as(admin));
const read = (): Promise<AgentSettings> => request(getAgentSettings, {}, within(manager));

afterEach(async () => {
  await carrel.sql.query("DELETE FROM workspace.preference");
  await carrel.sql.query("DELETE FROM workspace.setting");
  carrel.accounts.settings.MultiUserMode = false;
});

describe("agent settings", () => {
  it("have defaults", async () => {
    expect(await read()).toEqual({
      skills: ["rag-memory", "document-summarizer", "web-scraping"],
      disabledTools: [],
      rules: {},
      maxToolCalls: 10,
      maxQuestions: 0,
      search: { provider: null, values: {} },
      sqlConnections: [],
      gmail: null,
      calendar: null,
      outlook: null,
    });
  });

  it("bring preferences and settings together, with secrets opened", async () => {
    await prefer({
      default_agent_skills: "web-browsing,sql-agent,filesystem-agent",
      disabled_agent_skills: "web-scraping",
      disabled_filesystem_skills: "filesystem-write-text-file",
      disabled_gmail_skills: "gmail-send",
      agent_search_provider: "serpapi",
      agent_clarifying_questions_enabled: "true",
      agent_clarifying_questions_max_per_turn: "5",
      agent_skill_rules: { "sql-agent": "ask" },
      agent_sql_connections: JSON.stringify([
        {
          action: "add",
          engine: "mysql",
          database_id: "erp",
          connectionString: "mysql://a:b@db.example/erp",
        },
      ]),
      gmail_agent_config: { deploymentId: "d", apiKey: "k" },
      outlook_agent_config: { clientId: "c", tenantId: "t", clientSecret: "s" },
    });
    await request(
      updateSettings,
      {
        values: { AgentSerpApiKey: "sk", AgentSerpApiEngine: "bing", AgentSkillMaxToolCalls: "25" },
      },
      as(admin),
    );
    expect(await read()).toEqual({
      skills: [
        "rag-memory",
        "document-summarizer",
        "web-browsing",
        "request-user-input",
        "sql-agent",
        "filesystem-agent",
      ],
      // Also of a skill that is off: a session may switch it on.
      disabledTools: ["filesystem-write-text-file", "gmail-send"],
      rules: { "sql-agent": "ask" },
      maxToolCalls: 25,
      maxQuestions: 5,
      search: {
        provider: "serpapi",
        values: { AgentSerpApiKey: "sk", AgentSerpApiEngine: "bing" },
      },
      sqlConnections: [
        {
          name: "erp",
          engine: "mysql",
          connectionString: "mysql://a:b@db.example/erp",
          schema: null,
        },
      ],
      gmail: { deploymentId: "d", apiKey: "k" },
      calendar: null,
      outlook: { clientId: "c", tenantId: "t", clientSecret: "s", refreshToken: null },
    });
    // One person's mailbox isn't everyone's.
    carrel.accounts.settings.MultiUserMode = true;
    expect(await read()).toMatchObject({ gmail: null, outlook: null });
    const { settings } = await request(getSettings, {}, service);
    expect(settings).toMatchObject({
      AgentSerpApiKey: true,
      AgentSerperApiKey: null,
      AgentSerpApiEngine: "bing",
      AgentSearchApiEngine: "google",
      AgentSearXNGApiUrl: null,
      AgentCrwApiUrl: null,
      AgentSkillMaxToolCalls: 25,
      AgentSkillRerankerEnabled: false,
      AgentSkillRerankerTopN: 15,
      AgentClarifyingQuestionsEnabled: true,
      AgentClarifyingQuestionsMaxPerTurn: 5,
    });
    const stored = await carrel.sql.query<{ text: string }[]>(
      "SELECT value::text AS text FROM workspace.preference",
    );
    expect(stored.map(({ text }) => text).join()).not.toMatch(/mysql:|"k"|"s"/);
  });

  it("complete a database's address with its saved password", async () => {
    const connectionString = "postgresql://a:secret@db.example:5432/shop";
    await prefer({
      agent_sql_connections: [
        { action: "add", engine: "postgresql", database_id: "shop", connectionString },
      ],
    });
    const fill = (text: string, scope = as(admin)): Promise<unknown> =>
      request(fillDatabasePassword, { engine: "postgresql", connectionString: text }, scope);
    const masked = "postgresql://a:********@db.example/shop";
    expect(await fill(masked)).toEqual({ connectionString });
    await expect(fill(masked.replace("db.", "evil."))).rejects.toMatchObject({
      code: "sql.password-needed",
    });
    await expect(fill("nonsense")).rejects.toMatchObject({ code: "sql.connection-string-invalid" });
    await expect(fill(masked, as(member))).rejects.toMatchObject({ code: "access.forbidden" });
  });

  it("forget the rule of what was deleted, and no other", async () => {
    const forget = (skill: string, scope = service): Promise<unknown> =>
      request(forgetSkillRule, { skill }, scope);
    await prefer({ agent_skill_rules: { "mcp:tickets": "ask", "sql-agent": "forbid" } });
    await expect(forget("sql-agent", as(admin))).rejects.toMatchObject({
      code: "access.forbidden",
    });
    await forget("mcp:tickets");
    await forget("mcp:files");
    expect((await read()).rules).toEqual({ "sql-agent": "forbid" });
    await forget("sql-agent");
    expect((await read()).rules).toEqual({});
  });

  it("are kept from other callers", async () => {
    await request(
      updatePreferences,
      { preferences: { default_agent_skills: "sql-agent" } },
      as(manager),
    );
    expect((await read()).skills).not.toContain("sql-agent");
  });
});

describe("Outlook's sign-in", () => {
  const keep = (refreshToken: string, replaces: string | null, clientId = "c"): Promise<unknown> =>
    request(keepOutlookToken, { clientId, refreshToken, replaces }, service);
  const token = async (): Promise<string | null | undefined> =>
    (await request(getOutlookSettings, {}, service)).outlook?.refreshToken;

  it("is kept sealed, and replaced only by its own successor", async () => {
    await keep("refresh-0", null);
    expect(await token()).toBeUndefined();
    await prefer({ outlook_agent_config: { clientId: "c", tenantId: "t", clientSecret: "s" } });
    expect(await token()).toBeNull();
    await keep("refresh-1", null, "another");
    expect(await token()).toBeNull();
    await keep("refresh-1", null);
    const logged = (await newestEvents(100)).length;
    await keep("refresh-2", "refresh-1");
    expect(await token()).toBe("refresh-2");
    // An answer that began before another account signed in.
    await keep("refresh-3", "refresh-1");
    expect(await token()).toBe("refresh-2");
    expect(await newestEvents(100)).toHaveLength(logged);
    const [stored] = await carrel.sql.query<{ text: string }[]>(
      "SELECT value::text AS text FROM workspace.preference",
    );
    expect(stored!.text).not.toContain("refresh-2");
    await request(revokeOutlook, {}, as(admin));
    await keep("refresh-3", "refresh-2");
    expect(await token()).toBeNull();
  });

  it("is for instances of one person, and for Carrel itself", async () => {
    await prefer({ outlook_agent_config: { clientId: "c", tenantId: "t", clientSecret: "s" } });
    await expect(request(getOutlookSettings, {}, as(admin))).rejects.toMatchObject({
      code: "access.forbidden",
    });
    carrel.accounts.settings.MultiUserMode = true;
    expect(await token()).toBeUndefined();
  });
});

describe("a workspace's skills", () => {
  it("are those of the instance that managers haven't switched off", async () => {
    await prefer({ default_agent_skills: "create-chart" });
    const { slug } = current();
    await request(
      setWorkspaceSkills,
      { slug, off: ["create-chart", "sql-agent"] },
      within(manager),
    );
    expect(await request(getWorkspaceSkills, { slug }, within(manager))).toEqual({
      skills: [
        { id: "rag-memory", isOn: true },
        { id: "document-summarizer", isOn: true },
        { id: "web-scraping", isOn: true },
        { id: "create-chart", isOn: false },
      ],
    });
    expect((await read()).skills).not.toContain("create-chart");
    expect(await newestEvents(1)).toMatchObject([
      {
        event: "workspace_agent_skills_updated",
        userId: 2,
        metadata: { off: ["create-chart", "sql-agent"] },
      },
    ]);
    for (const operation of [getWorkspaceSkills, setWorkspaceSkills])
      await expect(request(operation, { slug, off: [] }, within(member))).rejects.toMatchObject({
        kind: "FORBIDDEN",
      });
  });
});

describe("automatic mode", () => {
  const modeOf = async (): Promise<string> =>
    (await request(getWorkspaceSettings, {}, within(manager))).workspace.chatMode;

  it("is stored; unknown modes are chat", async () => {
    const { slug } = current();
    expect(await modeOf()).toBe("chat");
    for (const [sent, kept] of [
      ["automatic", "automatic"],
      ["robot", "chat"],
    ] as const) {
      await request(updateWorkspace, { slug, chatMode: sent }, within(manager));
      expect(await modeOf()).toBe(kept);
    }
  });

  it("is that of new workspaces if an admin says so", async () => {
    const create = async (name: string) =>
      (await request(createWorkspace, { name }, as(admin))).workspace!.chatMode;
    expect(await create("One")).toBe("chat");
    await prefer({ agent_automatic_default: true });
    expect(await create("Two")).toBe("automatic");
    await prefer({ agent_automatic_default: false });
    expect(await create("Three")).toBe("chat");
  });
});
