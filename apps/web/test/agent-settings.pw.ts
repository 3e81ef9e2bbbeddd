import { expectAccessible } from "./accessibility.ts";
import { expect, phone, test } from "./fixtures.ts";
import { bodies, go, save } from "./workspace-settings-page.ts";

test.describe("agents", () => {
  test("have skills that are switched on, off and undone", async ({ page, gateway }) => {
    await page.goto("/settings/agents");
    await page.getByRole("link", { name: "Search the web Off" }).click();
    const panel = page.getByRole("switch", { name: "On for all workspaces" });
    await panel.click();
    await expect(panel).toBeChecked();
    await expect(page.getByRole("link", { name: "Search the web On" })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(panel).not.toBeChecked();
    await expect
      .poll(() => gateway.agents.sent)
      .toEqual([{ default_agent_skills: "web-browsing" }, { default_agent_skills: "" }]);
    await page.getByRole("link", { name: "Read web pages On" }).click();
    await page.getByRole("switch", { name: "On for all workspaces" }).click();
    await expect(page.getByRole("link", { name: "Read web pages Off" })).toBeVisible();
    await expect
      .poll(() => gateway.agents.sent.at(-1))
      .toEqual({ disabled_agent_skills: "web-scraping" });
  });

  test("keep what changed after a switch or rule that is undone", async ({ page, gateway }) => {
    await page.goto("/settings/agents?skill=web-browsing");
    const panel = page.getByRole("switch", { name: "On for all workspaces" });
    await panel.click();
    await expect(page.getByText("Search the web is on.")).toBeVisible();
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.hover(); // keeps it
    // Another admin, meanwhile.
    gateway.agents.preferences = { default_agent_skills: ["web-browsing", "create-chart"] };
    await undo.click();
    await expect(panel).not.toBeChecked();
    await expect
      .poll(() => gateway.agents.sent.at(-1))
      .toEqual({ default_agent_skills: "create-chart" });
    await page.getByRole("radio", { name: "Always ask" }).check({ force: true });
    await expect(page.getByText("Approval of Search the web changed.")).toBeVisible();
    gateway.agents.preferences = {
      ...gateway.agents.preferences,
      agent_skill_rules: { "web-browsing": "ask", "mcp:tickets": "forbid" },
    };
    await undo.last().click();
    await expect(page.getByRole("radio", { name: "When needed" })).toBeChecked();
    await expect
      .poll(() => gateway.agents.sent.at(-1))
      .toEqual({ agent_skill_rules: { "mcp:tickets": "forbid" } });
  });

  test("search with a provider, whose key is never shown", async ({ page, gateway }) => {
    await page.goto("/settings/agents?skill=web-browsing");
    await expect(page.getByText("Until you choose a provider, agents search with")).toBeVisible();
    await page.getByLabel("Provider", { exact: true }).selectOption("tavily-search");
    await expect(page.getByText("Web search doesn't work until")).toBeVisible();
    await page.getByLabel("API key").fill("tvly-secret");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Search provider saved.")).toBeVisible();
    await expect
      .poll(() => gateway.agents.sent)
      .toEqual([{ agent_search_provider: "tavily-search" }]);
    await expect(page.getByText("Search queries, which may contain")).toBeVisible();
    await expect(page.getByLabel("API key")).not.toHaveValue(/tvly/);
  });

  test("query databases whose passwords stay on the server", async ({ page, gateway }) => {
    await page.goto("/settings/agents?skill=sql-agent");
    await page.getByRole("button", { name: "Add database" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a database" });
    await dialog.getByLabel("Name", { exact: true }).fill("sales");
    await dialog.getByLabel("Host").fill("db.example");
    await dialog.getByLabel("Port").fill("5433");
    await dialog.getByLabel("Database").fill("shop");
    await dialog.getByLabel("Username").fill("reader");
    await dialog.getByLabel("Password", { exact: true }).fill("p@ss");
    await dialog.getByRole("button", { name: "Save database" }).click();
    await expect(page.getByText("db.example:5433/shop")).toBeVisible();
    const sent = (): unknown =>
      JSON.parse(String(gateway.agents.sent.at(-1)?.agent_sql_connections));
    expect(sent()).toEqual([
      {
        action: "add",
        engine: "postgresql",
        database_id: "sales",
        connectionString: "postgresql://reader:p%40ss@db.example:5433/shop",
        schema: null,
      },
    ]);
    await page.getByRole("button", { name: "Edit sales" }).click();
    const editor = page.getByRole("dialog", { name: "Edit sales" });
    await expect(editor.getByText("Saved. Leave it empty to keep it.")).toBeVisible();
    await editor.getByLabel("Database").fill("archive");
    await editor.getByRole("button", { name: "Save database" }).click();
    await expect(page.getByText("db.example:5433/archive")).toBeVisible();
    expect(sent()).toMatchObject([
      {
        action: "update",
        originalDatabaseId: "sales",
        connectionString: "postgresql://reader:********@db.example:5433/archive",
      },
    ]);
    await page.getByRole("button", { name: "Remove sales" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("No databases yet.")).toBeVisible();
  });

  test("obey rules, limits and switches of tools", async ({ page, gateway }) => {
    gateway.agents.folders = ["/srv/reports"];
    gateway.agents.callsTools = false;
    await page.goto("/settings/agents");
    await expect(page.getByText("The instance's model can't call tools")).toBeVisible();
    await page.getByLabel("Tool calls per answer").fill("0");
    await expect(page.getByText("Enter a whole number from 1 to 200.")).toBeVisible();
    await page.getByLabel("Tool calls per answer").fill("25");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Limit of tool calls saved.")).toBeVisible();
    await page.getByRole("switch", { name: "New workspaces are in automatic mode" }).click();
    await expect.poll(() => gateway.agents.sent).toEqual([{ agent_automatic_default: "true" }]);
    await page.getByRole("link", { name: "Work with files Off" }).click();
    await expect(page.getByText("/srv/reports")).toBeVisible();
    await page.getByRole("switch", { name: "Write file" }).click();
    await expect
      .poll(() => gateway.agents.sent.at(-1))
      .toEqual({ disabled_filesystem_skills: "filesystem-write-text-file" });
    await page.getByRole("radio", { name: "Forbid" }).check({ force: true });
    await expect(page.getByRole("link", { name: "Work with files Forbidden" })).toBeVisible();
    await expect
      .poll(() => gateway.agents.sent.at(-1))
      .toEqual({
        agent_skill_rules: { "filesystem-agent": "forbid" },
      });
  });

  test("say what is missing, and list what one person has allowed", async ({ page, gateway }) => {
    gateway.agents.preferences = { default_agent_skills: ["sql-agent", "filesystem-agent"] };
    await page.goto("/settings/agents");
    await expect(page.getByRole("link", { name: "Query databases Not set up" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Work with files Not set up" })).toBeVisible();
    await expect(page.getByText("Nothing yet. When an agent asks")).toBeVisible();
    gateway.agents.allowed = ["gmail-agent", "mcp:tickets"];
    await page.reload();
    const allowed = page.getByRole("region", { name: "Allowed without asking" });
    await expect(allowed.getByRole("listitem")).toHaveText([/^Gmail/, /^ticketsMCP server/]);
    await expectAccessible(page);
    await allowed.getByRole("button", { name: "Remove tickets" }).click();
    await expect(allowed.getByRole("listitem")).toHaveText([/^Gmail/]);
    await expect.poll(() => gateway.agents.allowed).toEqual(["gmail-agent"]);
  });

  test("connect one person's account", async ({ page, gateway }) => {
    await page.goto("/settings/agents?skill=gmail-agent");
    await page.getByLabel("Deployment ID").fill("AKfy");
    await page.getByLabel("API key", { exact: true }).fill("secret");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Set up.", { exact: true })).toBeVisible();
    await expect
      .poll(() => gateway.agents.sent)
      .toEqual([{ gmail_agent_config: { deploymentId: "AKfy", apiKey: "secret" } }]);
    await expect(page.getByLabel("API key", { exact: true })).toHaveValue("");
  });

  test("sign in to Outlook once its app is saved", async ({ page, gateway }) => {
    await page.goto("/settings/agents?skill=outlook-agent");
    await expect(page.getByLabel("Redirect URI")).toHaveValue(
      /\/api\/agent-skills\/outlook\/auth-callback$/,
    );
    await page.getByLabel("Application (client) ID").fill("client");
    await page.getByLabel("Directory (tenant) ID").fill("contoso.example");
    await page.getByLabel("Client secret").fill("secret");
    const signIn = page.getByRole("button", { name: "Sign in" });
    await expect(signIn).toHaveCount(0);
    await page.getByRole("button", { name: "Save changes" }).click();
    await signIn.click();
    await expect(page.getByText("Signed in to Outlook as ada@contoso.example.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    await expectAccessible(page);
    const fault = encodeURIComponent(
      '{"code":"account.sign-in-expired","params":{"name":"Outlook"}}',
    );
    await page.goto(`/settings/agents?skill=outlook-agent&fault=${fault}`);
    await expect(page.getByText(/sign-in to Outlook has expired/)).toBeVisible();
    await expect.poll(() => gateway.agents.sent).toHaveLength(1);
  });

  test("are accessible", async ({ page, gateway }) => {
    gateway.agents.callsTools = false;
    for (const path of ["", "?skill=web-browsing", "?skill=sql-agent", "?skill=gmail-agent"]) {
      await page.goto(`/settings/agents${path}`);
      await page.getByRole("switch").first().waitFor();
      await expectAccessible(page);
    }
  });
});

test.describe("agents on a phone", () => {
  test.use(phone);
  test("open a skill in place of the list", async ({ page }) => {
    await page.goto("/settings/agents");
    await page.getByRole("link", { name: "Query databases Off" }).click();
    await expect(page.getByRole("link", { name: "Draw charts Off" })).toBeHidden();
    await page.getByRole("link", { name: "All skills" }).click();
    await expect(page.getByRole("link", { name: "Draw charts Off" })).toBeVisible();
  });
});

test.describe("a workspace's agents", () => {
  test("have a model, a mode and fewer skills", async ({ page, gateway }) => {
    await go(page, gateway, "agent-config");
    await page.getByLabel("Provider").selectOption("ollama");
    await page.getByLabel("Model", { exact: true }).selectOption("qwen3:8b");
    await page.getByRole("switch", { name: "Automatic mode" }).click();
    await page.getByRole("switch", { name: "Read web pages" }).click();
    gateway.agents.callsTools = false; // unlike the model before
    await save(page, gateway);
    await expect(page.getByText("This model can't call tools")).toBeVisible();
    await expect
      .poll(() => bodies(gateway))
      .toEqual([{ chatMode: "automatic", agentProvider: "ollama", agentModel: "qwen3:8b" }]);
    await expect.poll(() => gateway.agents.sent).toEqual([{ off: ["web-scraping"] }]);
    await expect(page.getByRole("switch", { name: "Read web pages" })).not.toBeChecked();
  });
});
