import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { focused, poll } from "@carrel/testing";
import { ChatBrowser } from "./chat-browser.ts";
import { eventually } from "./api.ts";

const slug = "harbour-house";

/**
 * Workspaces and their threads in one person's browser; deleted threads are kept for a week here.
 */
describe("workspaces and threads in the browser", () => {
  let own: ChatBrowser;
  let home: string;
  /** Creates threads with these names. */
  const makeThreads = async (...names: string[]): Promise<string[]> => {
    const slugs: string[] = [];
    for (const name of names) {
      const { thread } = await own.api.json<{ thread: { slug: string } }>(
        "POST",
        `/workspace/${slug}/thread/new`,
      );
      expect(
        (await own.api.call("POST", `/workspace/${slug}/thread/${thread.slug}/update`, { name }))
          .status,
      ).toBe(200);
      slugs.push(thread.slug);
    }
    return slugs;
  };
  const row = (name: string) => own.page.locator(".threads .wsrow").filter({ hasText: name });
  const workspaces = (): Promise<string[]> =>
    own.page.locator(".side .ws > .wsrow .nav.med > .cut").allTextContents();
  const openSettings = async (tab: string): Promise<void> => {
    await own.page.goto(`${home}/settings/${tab}`);
    await own.page.getByRole("navigation", { name: "Workspace settings" }).waitFor();
  };
  const save = async (): Promise<void> => {
    await own.page.getByRole("button", { name: "Save changes" }).click();
    await own.page.getByText("Workspace updated!").last().waitFor();
    await own.page.getByRole("button", { name: "Save changes", disabled: true }).waitFor();
  };

  beforeAll(async () => {
    own = await ChatBrowser.start({ CARREL_TRASH_DAYS: "7" });
    home = `${own.instance.url}/workspace/${slug}`;
    for (const name of ["Harbour house", "Boat yard", "Winter café"])
      await own.api.makeWorkspace(name);
    expect(
      (
        await own.api.upload(
          "upload-and-embed",
          slug,
          "handbook.md",
          "# Handbook\n\nGlass is collected on the second Tuesday of the month.\n",
          "text/markdown",
        )
      ).status,
    ).toBe(200);
  }, 240_000);
  afterAll(() => own?.stop());
  beforeEach(() => {
    own.faults = [];
    own.expected = [];
  });
  afterEach(() => {
    expect(own.faults).toEqual([]);
  });

  it("orders workspaces by keyboard and by dragging, and keeps the order", async () => {
    const { page } = own;
    await page.goto(home);
    await page.getByRole("link", { name: /^Winter café/ }).waitFor();
    await poll(workspaces).toEqual(["Harbour house", "Boat yard", "Winter café"]);
    await page.getByRole("link", { name: /^Winter café/ }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Winter café is now 2 of 3.").waitFor({ state: "attached" });
    await poll(workspaces).toEqual(["Harbour house", "Winter café", "Boat yard"]);
    const [from, to] = [
      await page.getByRole("link", { name: /^Boat yard/ }).boundingBox(),
      await page.getByRole("link", { name: /^Harbour house/ }).boundingBox(),
    ];
    await page.mouse.move(from!.x + 20, from!.y + from!.height / 2);
    await page.mouse.down();
    let moves = 0;
    await poll(async () => {
      moves += 1;
      await page.mouse.move(from!.x + 20, from!.y - 12 - (moves % 2));
      return page.locator(".ws[data-dragged]").count();
    }).toBe(1); // drag-and-drop code is loaded when the pointer approaches
    await page.mouse.move(to!.x + 20, to!.y + 2, { steps: 4 });
    await page.locator('.ws[data-drop="before"]', { hasText: "Harbour house" }).waitFor();
    await page.mouse.up();
    await poll(async () => (await workspaces())[0]).toBe("Boat yard");
    await page.reload();
    await page.getByRole("link", { name: /^Winter café/ }).waitFor();
    await poll(workspaces).toEqual(["Boat yard", "Harbour house", "Winter café"]);
    await poll(() => page.evaluate(() => localStorage.getItem("anythingllm-workspace-order"))).toBe(
      "[2,1,3]",
    );
  });

  it("selects threads while Ctrl is held and deletes them, leaving the open one", async () => {
    const { page } = own;
    const [first] = await makeThreads(
      "Glass and paper",
      "Boiler inspection of 2024 with the guild",
      "Rents",
    );
    await page.goto(`${home}/t/${first}`);
    await row("Boiler inspection of 2024").waitFor();
    await poll(
      async () => await row("Boiler inspection of 2024").locator(".cut").textContent(),
    ).toBe("Boiler inspection of 2024…");
    await page.getByText("What should we look up?").waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.down("Control");
    await page.getByRole("checkbox", { name: "Mark Rents" }).click();
    await page.getByRole("button", { name: /^Delete Selected/ }).waitFor();
    await page.keyboard.up("Control");
    // Releasing Ctrl clears the selection.
    await page.getByRole("checkbox").first().waitFor({ state: "detached" });
    await page.keyboard.down("Control");
    await page.getByRole("checkbox", { name: "Mark Glass and paper" }).click();
    await row("Rents").getByRole("link").click(); // clicking anywhere in the row selects it
    await page.getByRole("button", { name: /^Delete Selected/ }).click();
    await page.keyboard.up("Control");
    await page.waitForURL(home);
    await page.getByText("Thread deleted successfully!").waitFor();
    for (const name of ["Glass and paper", "Rents"]) await row(name).waitFor({ state: "detached" });
    await row("Boiler inspection").waitFor();
  });

  it("renames and deletes a thread, says how long it is kept, and restores it or deletes it for good", async () => {
    const { page } = own;
    const [thread] = await makeThreads("Old plan");
    await page.goto(`${home}/t/${thread}`);
    await own.choose("Menu of Old plan", "Rename");
    await own.dialog().getByRole("textbox").fill("Plan of the cellar");
    await page.keyboard.press("Enter");
    await row("Plan of the cellar").waitFor();
    await own.choose("Menu of Plan of the cellar", "Delete Thread");
    await own
      .dialog()
      .getByText(
        "Are you sure you want to delete this thread? All of its chats will be deleted. You can bring it back for 7 days.",
      )
      .waitFor();
    await own.dialog().getByRole("button", { name: "Delete Thread" }).click();
    await page.getByText("Thread deleted successfully!").waitFor();
    await page.waitForURL(home);
    await page.getByRole("button", { name: /^Deleted threads/ }).click();
    await own
      .dialog()
      .getByRole("button", { name: "Restore Plan of the cellar", exact: true })
      .click();
    await page.getByText("Plan of the cellar is back.").waitFor();
    await own.dialog().getByRole("button", { name: "Delete Rents for good" }).click();
    const last = own.dialog().filter({
      hasText:
        "Are you sure you want to delete this thread? All of its chats will be deleted. You cannot undo this.",
    });
    await last.getByRole("button", { name: "Delete for good" }).click();
    await own
      .dialog()
      .getByRole("button", { name: "Restore Rents" })
      .waitFor({ state: "detached" });
    await own.dialog().getByRole("button", { name: "Close" }).click();
    await row("Plan of the cellar").waitFor();
    await poll(() => own.api.json("GET", `/workspace/${slug}/trash`)).toMatchObject({
      days: 7,
      threads: [{ name: "Glass and paper" }],
    });
  });

  it("finds a message through the palette and goes to it", async () => {
    const { page } = own;
    const thread = await own.openThread(slug);
    for (const [question, reply] of [
      ["Where is the zeppelin kept?", `In the hall. ${"It is a long story. ".repeat(60)}`],
      ["And the balloon?", `In the shed. ${"That is a long story too. ".repeat(60)}`],
    ] as const)
      await own.askFor(question, reply);
    await page.goto(`${own.instance.url}/workspace/boat-yard`);
    await page.locator(".composer").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^Go to a workspace/).fill("zeppelin kept");
    await page.getByRole("option").filter({ hasText: "Where is the zeppelin kept" }).last().click();
    await page.waitForURL(`**/t/${thread}#chat-*`);
    await page.locator(".is-found").waitFor();
    await eventually(() =>
      page
        .locator(".mine")
        .getByText("Where is the zeppelin kept?")
        .evaluate((each) => {
          const box = each.getBoundingClientRect();
          return box.top >= 0 && box.bottom <= innerHeight;
        }),
    );
  });

  it("exports a thread as Markdown, JSON and HTML", async () => {
    const { page } = own;
    await own.openThread(slug);
    await own.askFor("Say <b>it</b>.", "It is **said**.");
    const exported = async (entry: string): Promise<{ name: string; text: string }> => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        own.choose("Menu of this thread", entry),
      ]);
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const [markdown, json, html] = [
      await exported("Export as Markdown"),
      await exported("Export as JSON"),
      await exported("Export as a page to print"),
    ];
    expect([markdown.name, json.name, html.name].map((name) => name.split(".").at(-1))).toEqual([
      "md",
      "json",
      "html",
    ]);
    expect(markdown.text).toContain("It is **said**.");
    expect(JSON.stringify(JSON.parse(json.text))).toContain("It is **said**.");
    expect(html.text).toContain("Say &lt;b&gt;it&lt;/b&gt;.");
  });

  it("saves the user's slash commands, and prompts with variables", async () => {
    const { page } = own;
    await page.goto(`${own.instance.url}/settings/default-system-prompt`);
    const prompt = page.getByRole("textbox", { name: "Prompt" });
    await poll(() => prompt.inputValue()).toMatch(
      /^Given the following conversation, relevant context, and a follow up question/,
    );
    await prompt.fill("Answer for ");
    await page.getByRole("button", { name: "Insert workspace.name" }).click();
    await poll(() => prompt.inputValue()).toBe("Answer for {workspace.name}");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("The default system prompt was saved.").waitFor();

    await own.openThread(slug);
    await page.getByLabel("Message", { exact: true }).fill("/");
    await page.getByRole("option", { name: "Manage commands" }).click();
    await own.dialog().getByRole("button", { name: "New command" }).click();
    await own.dialog().getByLabel("Command", { exact: true }).fill("short");
    await own.dialog().getByLabel("Text that takes its place").fill("Answer in one sentence:");
    await own.dialog().getByRole("button", { name: "Save command" }).click();
    await own.dialog().getByText("/short").waitFor();
    await own.dialog().getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Message", { exact: true }).fill("/sh");
    await page.getByRole("option", { name: /^\/short/ }).click();
    await poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("/short ");
    own.vendor.behave({ reply: "So be it." });
    await focused(page.getByLabel("Message", { exact: true }));
    await page.keyboard.type("when?");
    await page.keyboard.press("Enter");
    await own.answered();
    await poll(() => own.lastPrompt()).toContain("Answer in one sentence: when?");
    await poll(() => own.lastPrompt()).toContain("Answer for Harbour house");

    await page.goto(`${own.instance.url}/settings/default-system-prompt`);
    await page.getByRole("button", { name: "Back to the built-in prompt" }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("This is the built-in prompt.").waitFor();
    await page.getByRole("button", { name: "Save changes", disabled: true }).waitFor();
    const { defaultSystemPrompt, saneDefaultSystemPrompt } = await own.api.json<{
      defaultSystemPrompt: string;
      saneDefaultSystemPrompt: string;
    }>("GET", "/system/default-system-prompt");
    expect(defaultSystemPrompt).toBe(saneDefaultSystemPrompt);
  });

  it("changes workspace settings, and warns before unsaved input is lost", async () => {
    const { page } = own;
    await openSettings("general-appearance");
    await page.getByLabel("Workspace name").fill("Harbour house 12");
    await page.getByRole("button", { name: "Add message" }).click();
    await page.getByLabel("Heading of message 1").fill("Explain to me");
    await page.getByLabel("Text of message 1").fill("the waste plan");
    await save();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "house.png",
        mimeType: "image/png",
        buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } }),
      });
    await page.getByText("Picture uploaded.").waitFor();
    await page.locator('.side img[src^="blob:"]').waitFor();
    await page.getByRole("button", { name: "Remove picture" }).click();
    await page.getByText("Picture removed.").waitFor();

    await page.getByRole("link", { name: "Chat settings" }).click();
    await page.getByLabel("Chat history").fill("46");
    await page.getByText("More than 45 are likely to make chats fail").waitFor();
    await page.getByRole("radio", { name: /^Query/ }).check();
    await page.getByRole("link", { name: "Vector database" }).click();
    await own.dialog().getByText("Leave without saving?").waitFor();
    await own.dialog().getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Query refusal response").fill("Not in the books.");
    await page.getByRole("textbox", { name: "Prompt" }).fill("Be brief.");
    await save();
    await page.getByRole("link", { name: "Vector database" }).click();
    await page.getByLabel("Max context snippets").fill("6");
    await page.getByRole("radio", { name: /^Medium/ }).check();
    await save();
    await poll(
      async () =>
        (await own.api.json<{ workspace: Record<string, unknown> }>("GET", `/workspace/${slug}`))
          .workspace,
    ).toMatchObject({
      name: "Harbour house 12",
      chatMode: "query",
      openAiHistory: 46,
      openAiPrompt: "Be brief.",
      queryRefusalResponse: "Not in the books.",
      topN: 6,
      similarityThreshold: 0.5,
    });

    await page.getByRole("button", { name: "Reset vector database" }).click();
    await own.dialog().getByText("This cannot be undone.").waitFor();
    await own.dialog().getByRole("button", { name: "Reset vector database" }).click();
    await page.getByText("Workspace vector database was reset!").waitFor();
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByText("Agents are not part of Carrel yet").waitFor();
    await page.goto(home);
    await own.ask("Who won the cup?");
    await page.getByText("Not in the books.").waitFor();
  });

  it("deletes a workspace for everybody once its name is typed", async () => {
    const { page } = own;
    await page.goto(`${own.instance.url}/workspace/winter-cafe/settings/general-appearance`);
    await page.getByRole("button", { name: "Delete workspace…" }).click();
    await own
      .dialog()
      .getByText(
        "The workspace is removed for all users, with all of its threads, chats and vector embeddings. The original source files stay untouched. This cannot be undone.",
      )
      .waitFor();
    await own.dialog().getByRole("button", { name: "Delete workspace", disabled: true }).waitFor();
    await own.dialog().getByRole("textbox").fill("Winter café");
    await own.dialog().getByRole("button", { name: "Delete workspace" }).click();
    await page.getByText("Winter café was deleted.").waitFor();
    await poll(workspaces).not.toContain("Winter café");
  });

  it("adds and removes members", async () => {
    const { page, api } = own;
    await openSettings("members");
    await page.getByText("This instance has no user accounts").waitFor();
    await page.goto(`${own.instance.url}/robots.txt`); // no app page is open meanwhile
    expect(
      await api.json("POST", "/system/enable-multi-user", {
        username: "mira_k",
        password: "harbour-lights",
      }),
    ).toMatchObject({ success: true });
    const { token, user } = await api.json<{ token: string; user: unknown }>(
      "POST",
      "/request-token",
      { username: "mira_k", password: "harbour-lights" },
    );
    api.token = token;
    await api.json("POST", "/admin/users/new", {
      username: "jo",
      password: "evening-tide",
      role: "default",
    });
    await page.evaluate(
      ([told, person]) => {
        localStorage.setItem("anythingllm_authToken", told);
        localStorage.setItem("anythingllm_user", person);
      },
      [token, JSON.stringify(user)] as const,
    );
    await openSettings("members");
    await page.getByRole("button", { name: "Add or remove members" }).click();
    await own.dialog().getByLabel("jo").check();
    await own.dialog().getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("row").filter({ hasText: "jo" }).getByText("Member").waitFor();
    await own.choose("Menu of jo", "Remove from the workspace");
    await own.dialog().getByText("jo no longer sees the workspace.").waitFor();
    await own.dialog().getByRole("button", { name: "Remove from the workspace" }).click();
    await page.getByText("jo is no longer a member.").waitFor();
    await page.getByRole("row").filter({ hasText: "jo" }).waitFor({ state: "detached" });
  });
});
