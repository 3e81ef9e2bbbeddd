import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, home, slug, test, type Product } from "./product.ts";

// The tests share the workspaces and their deleted threads, which this instance keeps for a week.
test.describe.configure({ mode: "serial" });
test.use({ environment: { CARREL_TRASH_DAYS: "7" } });
test.beforeAll(async ({ product: { api, useVendor } }) => {
  await useVendor();
  for (const name of ["Harbour house", "Boat yard", "Winter café"]) await api.makeWorkspace(name);
  const { status } = await api.upload(
    "upload-and-embed",
    slug,
    "handbook.md",
    "# Handbook\n\nGlass is collected on the second Tuesday of the month.\n",
    "text/markdown",
  );
  expect(status).toBe(200);
});

/** Creates threads with these names; returns their slugs. */
const makeThreads = async ({ api }: Product, ...names: string[]): Promise<string[]> => {
  const slugs: string[] = [];
  for (const name of names) {
    const { thread } = await api.json<{ thread: { slug: string } }>(
      "POST",
      `/workspace/${slug}/thread/new`,
    );
    const path = `/workspace/${slug}/thread/${thread.slug}/update`;
    expect((await api.call("POST", path, { name })).status).toBe(200);
    slugs.push(thread.slug);
  }
  return slugs;
};
const row = (page: Page, name: string) => page.locator("[data-thread]").filter({ hasText: name });
const workspaces = (page: Page) => page.locator("[data-workspace] > div:first-child a > [title]");
test("orders workspaces by keyboard and by dragging, and keeps the order", async ({ page }) => {
  await page.goto(home);
  await expect(page.getByRole("link", { name: /^Winter café/ })).toBeVisible();
  await expect(workspaces(page)).toHaveText(["Harbour house", "Boat yard", "Winter café"]);
  await page.getByRole("link", { name: /^Winter café/ }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(page.getByText("Winter café is now 2 of 3.")).toBeAttached();
  await expect(workspaces(page)).toHaveText(["Harbour house", "Winter café", "Boat yard"]);
  const [from, to] = [
    await page.getByRole("link", { name: /^Boat yard/ }).boundingBox(),
    await page.getByRole("link", { name: /^Harbour house/ }).boundingBox(),
  ];
  await page.mouse.move(from!.x + 20, from!.y + from!.height / 2);
  await page.mouse.down();
  let moves = 0;
  await expect
    .poll(async () => {
      moves += 1;
      await page.mouse.move(from!.x + 20, from!.y - 12 - (moves % 2));
      return page.locator("[data-workspace][data-dragged]").count();
    })
    .toBe(1); // drag-and-drop code is loaded when the pointer approaches
  await page.mouse.move(to!.x + 20, to!.y + 2, { steps: 4 });
  await expect(
    page.locator('[data-workspace][data-drop="before"]', { hasText: "Harbour house" }),
  ).toBeVisible();
  await page.mouse.up();
  await expect(workspaces(page).first()).toHaveText("Boat yard");
  await page.reload();
  await expect(page.getByRole("link", { name: /^Winter café/ })).toBeVisible();
  await expect(workspaces(page)).toHaveText(["Boat yard", "Harbour house", "Winter café"]);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("anythingllm-workspace-order")))
    .toBe("[2,1,3]");
});

test("selects threads while Ctrl is held and deletes them, leaving the open one", async ({
  page,
  product,
}) => {
  const [first] = await makeThreads(
    product,
    "Glass and paper",
    "Boiler inspection of 2024 with the guild",
    "Rents",
  );
  await page.goto(`${home}/t/${first}`);
  await expect(row(page, "Boiler inspection of 2024")).toBeVisible();
  await expect(row(page, "Boiler inspection of 2024").locator("a > span").first()).toHaveText(
    "Boiler inspection of 2024…",
  );
  await expect(page.getByText("What would you like to know?")).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.down("Control");
  await page.getByRole("checkbox", { name: "Select Rents" }).click();
  await expect(page.getByRole("button", { name: /^Delete selected/ })).toBeVisible();
  await page.keyboard.up("Control");
  // Releasing Ctrl clears the selection.
  await expect(page.getByRole("checkbox").first()).toHaveCount(0);
  await page.keyboard.down("Control");
  await page.getByRole("checkbox", { name: "Select Glass and paper" }).click();
  await row(page, "Rents").getByRole("link").click(); // clicking anywhere in the row selects it
  await page.getByRole("button", { name: /^Delete selected/ }).click();
  await page.keyboard.up("Control");
  await page.waitForURL(home);
  await expect(page.getByText("Thread deleted.")).toBeVisible();
  for (const name of ["Glass and paper", "Rents"]) await expect(row(page, name)).toHaveCount(0);
  await expect(row(page, "Boiler inspection")).toBeVisible();
});

test("renames and deletes a thread, says how long it is kept, and restores it or deletes it for good", async ({
  page,
  chat,
  product,
}) => {
  const [thread] = await makeThreads(product, "Old plan");
  await page.goto(`${home}/t/${thread}`);
  await chat.choose("Menu for Old plan", "Rename");
  await chat.dialog.getByRole("textbox").fill("Plan of the cellar");
  await page.keyboard.press("Enter");
  await expect(row(page, "Plan of the cellar")).toBeVisible();
  await chat.choose("Menu for Plan of the cellar", "Delete thread");
  await expect(
    chat.dialog.getByText("All of its messages will be deleted. You can restore it for 7 days."),
  ).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Delete thread" }).click();
  await expect(page.getByText("Thread deleted.")).toBeVisible();
  await page.waitForURL(home);
  await page.getByRole("button", { name: /^Trash/ }).click();
  await chat.dialog
    .getByRole("button", { name: "Restore Plan of the cellar", exact: true })
    .click();
  await expect(page.getByText("Plan of the cellar was restored.")).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Delete Rents permanently" }).click();
  const last = chat.dialog.filter({
    hasText: "All of its messages will be deleted. You can't undo this.",
  });
  await last.getByRole("button", { name: "Delete permanently" }).click();
  await expect(chat.dialog.getByRole("button", { name: "Restore Rents" })).toHaveCount(0);
  await chat.dialog.getByRole("button", { name: "Close" }).click();
  await expect(row(page, "Plan of the cellar")).toBeVisible();
  await expect
    .poll(() => product.api.json("GET", `/workspace/${slug}/trash`))
    .toMatchObject({
      days: 7,
      threads: [{ name: "Glass and paper" }],
    });
});

test("finds a message through the palette and goes to it", async ({ page, chat }) => {
  const thread = await chat.openThread(slug);
  for (const [question, reply] of [
    ["Where is the zeppelin kept?", `In the hall. ${"It is a long story. ".repeat(200)}`],
    ["And the balloon?", `In the shed. ${"That is a long story too. ".repeat(200)}`],
  ] as const)
    await chat.askFor(question, reply);
  await page.goto("/workspace/boat-yard");
  await expect(page.locator("[data-composer]")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/^Search workspaces/).fill("zeppelin kept");
  await page.getByRole("option").filter({ hasText: "Where is the zeppelin kept" }).last().click();
  await page.waitForURL(`**/t/${thread}#chat-*`);
  await expect(page.locator("[data-turn=found]")).toBeVisible();
  await expect
    .poll(() =>
      page
        .locator("[data-question]")
        .getByText("Where is the zeppelin kept?")
        .evaluate((each) => {
          const box = each.getBoundingClientRect();
          return box.top >= 0 && box.bottom <= innerHeight;
        }),
    )
    .toBe(true);
});

test("exports a thread as Markdown, JSON and HTML", async ({ page, chat }) => {
  await chat.openThread(slug);
  await chat.askFor("Say <b>it</b>.", "It is **said**.");
  const exported = async (entry: string): Promise<{ name: string; text: string }> => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      chat.choose("Thread menu", entry),
    ]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
  };
  const [markdown, json, html] = [
    await exported("Export as Markdown"),
    await exported("Export as JSON"),
    await exported("Export for printing"),
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

test("saves the user's slash commands, and prompts with variables", async ({
  page,
  chat,
  product,
}) => {
  await page.goto("/settings/default-system-prompt");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await expect(prompt).toHaveValue(
    /^Given the following conversation, relevant context, and a follow up question/,
  );
  await prompt.fill("Answer for ");
  await page.getByRole("button", { name: "Insert workspace.name" }).click();
  await expect(prompt).toHaveValue("Answer for {workspace.name}");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Default system prompt saved.")).toBeVisible();

  await chat.openThread(slug);
  await page.getByLabel("Message", { exact: true }).fill("/");
  await page.getByRole("option", { name: "Manage commands" }).click();
  await chat.dialog.getByRole("button", { name: "New command" }).click();
  await chat.dialog.getByLabel("Command", { exact: true }).fill("short");
  await chat.dialog.getByLabel("Text to insert").fill("Answer in one sentence:");
  await chat.dialog.getByRole("button", { name: "Save command" }).click();
  await expect(chat.dialog.getByText("/short")).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Close" }).click();
  await page.getByLabel("Message", { exact: true }).fill("/sh");
  await page.getByRole("option", { name: /^\/short/ }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("/short ");
  product.vendor.behave({ reply: "So be it." });
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
  await page.keyboard.type("when?");
  await page.keyboard.press("Enter");
  await chat.answered();
  await expect.poll(() => chat.lastPrompt()).toContain("Answer in one sentence: when?");
  await expect.poll(() => chat.lastPrompt()).toContain("Answer for Harbour house");

  await page.goto("/settings/default-system-prompt");
  await page.getByRole("button", { name: "Restore built-in prompt" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("This is the built-in prompt.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes", disabled: true })).toBeVisible();
  const { defaultSystemPrompt, saneDefaultSystemPrompt } = await product.api.json<{
    defaultSystemPrompt: string;
    saneDefaultSystemPrompt: string;
  }>("GET", "/system/default-system-prompt");
  expect(defaultSystemPrompt).toBe(saneDefaultSystemPrompt);
});
