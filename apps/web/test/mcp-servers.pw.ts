import { dialog, menu, row } from "./admin-page.ts";
import { expect, test } from "./fixtures.ts";

const path = "/settings/mcp-servers";

test.describe("MCP servers", () => {
  test("are added by address or command, and edited without their secrets", async ({
    page,
    gateway,
  }) => {
    await page.goto(path);
    await page.getByRole("button", { name: "Add server" }).click();
    // An instance without accounts has only one user.
    await expect(dialog(page).getByRole("checkbox", { name: "Only for me" })).toHaveCount(0);
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await expect(dialog(page).getByText("Fill in this field.")).toHaveCount(2);
    await expect(dialog(page).getByLabel("Name")).toBeFocused();
    await dialog(page).getByLabel("Name").fill("tickets");
    const address = dialog(page).getByLabel("Address", { exact: true }).last();
    await address.fill("mcp.example.com");
    await expect(dialog(page).getByText("Enter an address that begins with")).toBeVisible();
    await dialog(page)
      .getByLabel("Address", { exact: true })
      .last()
      .fill("https://mcp.example.com/mcp");
    await dialog(page).getByLabel("Headers").fill("Authorization Bearer abc");
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await expect(dialog(page).getByRole("alert")).toContainText("Can't read this line");
    await dialog(page).getByLabel("Headers").fill("Authorization: Bearer abc");
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await expect(row(page, "tickets")).toContainText("Connected");
    await page.getByRole("button", { name: "Add server" }).click();
    await dialog(page).getByLabel("Name").fill("files");
    await dialog(page).getByRole("radio", { name: "Command" }).click();
    await dialog(page)
      .getByLabel("Command", { exact: true })
      .last()
      .fill('npx -y server-filesystem "/srv/My files"');
    await dialog(page).getByLabel("Environment variables").focus();
    await expect(dialog(page).getByLabel("Command", { exact: true }).last()).toHaveValue("npx");
    await expect(dialog(page).getByLabel("Arguments")).toHaveValue(
      "-y\nserver-filesystem\n/srv/My files",
    );
    await dialog(page).getByLabel("Environment variables").fill("line=a=b");
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect
      .poll(() => gateway.mcp.sent.map(({ body }) => body))
      .toEqual([
        {
          name: "tickets",
          config: {
            kind: "address",
            url: "https://mcp.example.com/mcp",
            transport: "auto",
            headers: { Authorization: "Bearer abc" },
          },
          autoStart: true,
          isPersonal: false,
        },
        {
          name: "files",
          config: {
            kind: "command",
            command: "npx",
            args: ["-y", "server-filesystem", "/srv/My files"],
            env: { line: "a=b" },
          },
          autoStart: true,
          isPersonal: false,
        },
      ]);
    gateway.mcp.fill();
    await page.reload();
    await menu(page, "tickets", "Edit");
    await expect(dialog(page).getByLabel("Headers")).toHaveValue("Authorization: ********");
    await expect(dialog(page).getByText("******** keeps the stored value.")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Changes saved")).toBeVisible();
    await expect
      .poll(() => gateway.mcp.sent.at(-1))
      .toMatchObject({
        path: "/mcp-servers/1",
        body: { config: { headers: { Authorization: "********" } } },
      });
  });

  test("show their tools, which are reviewed, switched and tested", async ({ page, gateway }) => {
    gateway.mcp.fill();
    await page.goto(path);
    await expect(row(page, "tickets")).toContainText("2 to review");
    await expect(row(page, "calendar")).toContainText("Needs sign-in");
    await expect(row(page, "files")).toContainText("files stopped unexpectedly.");
    await expect(row(page, "files")).toContainText("npx server-filesystem");
    await row(page, "tickets").getByRole("button", { name: "Tools of tickets: 1 of 4 on" }).click();
    await dialog(page).getByRole("radio", { name: "Always ask" }).check({ force: true });
    await expect(page.getByText("Approval of tickets changed.")).toBeVisible();
    await expect
      .poll(() => gateway.agents.sent)
      .toEqual([{ agent_skill_rules: { "mcp:tickets": "ask" } }]);
    await dialog(page)
      .getByRole("button", { name: /^close/ })
      .click();
    await expect(dialog(page).getByText("Closes a ticket.", { exact: true })).toBeVisible();
    await dialog(page).getByRole("button", { name: "Approve", exact: true }).click();
    await expect(dialog(page).getByRole("switch", { name: "Offer close to agents" })).toBeChecked();
    await dialog(page).getByRole("switch", { name: "Offer comment to agents" }).click();
    await expect(
      dialog(page).getByRole("switch", { name: "Offer comment to agents" }),
    ).toBeChecked();
    await dialog(page)
      .getByRole("button", { name: /^close/ })
      .click();
    await dialog(page)
      .getByRole("button", { name: /^search/ })
      .click();
    await expect(dialog(page).getByText("Finds tickets by their words.")).toHaveCount(1);
    const input = dialog(page).getByLabel("Input (JSON)");
    await expect(input).toHaveValue(/"query": ""/);
    await input.fill("pumps");
    await dialog(page).getByRole("button", { name: "Test" }).click();
    await expect(dialog(page).getByText("This isn't a JSON object.")).toBeVisible();
    await input.fill('{"query": "pumps"}');
    await dialog(page).getByRole("button", { name: "Test" }).click();
    await expect(dialog(page).getByText("Ticket 17: Pump is loud")).toBeVisible();
    await expect
      .poll(() => gateway.mcp.sent)
      .toEqual([
        {
          path: "/mcp-servers/1/approve",
          body: { tools: [{ name: "close", hash: "hash of close" }] },
        },
        {
          path: "/mcp-servers/toggle-tool",
          body: {
            serverName: "tickets",
            toolName: "comment",
            enabled: true,
            hash: "hash of comment",
          },
        },
        { path: "/mcp-servers/1/call", body: { tool: "search", input: { query: "pumps" } } },
      ]);
  });

  test("say how many of their tools a long list leaves out", async ({ page, gateway }) => {
    gateway.mcp.fill();
    const [tickets] = gateway.mcp.servers;
    tickets!.tools = Array.from({ length: 120 }, (_, n) => ({
      ...tickets!.tools[0]!,
      name: `search-${n}`,
    }));
    await page.goto(path);
    await row(page, "tickets")
      .getByRole("button", { name: /^Tools of tickets/ })
      .click();
    const note = dialog(page).getByText("Showing 100 of 120. Search for the others.");
    await expect(note).toBeVisible();
    await dialog(page).getByLabel("Search tools").fill("search-11");
    await expect(note).toHaveCount(0);
    await expect(dialog(page).getByRole("switch")).toHaveCount(11);
  });

  test("show their log, are imported, stopped and deleted", async ({ page, gateway }) => {
    gateway.mcp.fill();
    await page.goto(`${path}?connected=calendar`);
    await expect(page.getByText("Signed in to calendar")).toBeVisible();
    await expect(row(page, "calendar").getByRole("button", { name: "Sign in" })).toBeVisible();
    await menu(page, "files", "Log");
    await expect(dialog(page).getByText("cannot find the database")).toBeVisible();
    await dialog(page).getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Import" }).click();
    await dialog(page).getByLabel("Configuration").fill('{"mcpServers": {}}');
    await dialog(page).getByRole("button", { name: "Import" }).click();
    await expect(dialog(page).getByText("1 server added")).toBeVisible();
    await expect(dialog(page)).toContainText("There is already an MCP server named tickets.");
    await dialog(page).getByRole("button", { name: "Close" }).last().click();
    await menu(page, "tickets", "Stop");
    await expect(row(page, "tickets")).toContainText("Stopped");
    await menu(page, "tickets", "Delete server");
    await dialog(page).getByRole("button", { name: "Delete server" }).click();
    await expect(row(page, "tickets")).toHaveCount(0);
  });
});
