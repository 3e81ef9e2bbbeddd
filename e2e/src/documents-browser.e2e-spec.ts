import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { poll, slowPages, startInstance, type Instance } from "@carrel/testing";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from "playwright-core";

const executablePath = process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium";
const minutes = (n: number): string =>
  `# Minutes ${n}\n\nThe board of the harbour house met on day ${n}. The chimney is swept by the guild, the bins stand behind shed ${n}.\n`;

/**
 * The document manager on a real instance; each test continues from the state the previous ones
 * left.
 */
describe("document manager", () => {
  let instance: Instance;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[] = [];
  const row = (name: string): Locator =>
    page.getByRole("tree").locator(`[role="treeitem"][aria-label^="${name}"]`).first();
  const inWorkspace = (name: string): Locator =>
    page.getByRole("grid").getByRole("row").filter({ hasText: name });
  const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
  /**
   * Chooses files as a dropped folder would provide them: with their paths, but through the button.
   */
  const chooseFolder = (files: { path: string; text: string }[]): Promise<void> =>
    page.evaluate((list) => {
      const transfer = new DataTransfer();
      for (const { path, text } of list)
        transfer.items.add(
          Object.defineProperty(
            new File([text], path.split("/").at(-1)!, { type: "text/markdown" }),
            "webkitRelativePath",
            { value: path },
          ),
        );
      const input = document.querySelector<HTMLInputElement>("input[webkitdirectory]")!;
      Object.defineProperty(input, "files", {
        value: [...transfer.files].map((file, index) =>
          Object.defineProperty(file, "webkitRelativePath", { value: list[index]!.path }),
        ),
        configurable: true,
      });
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }, files);

  beforeAll(async () => {
    [instance, browser] = await Promise.all([
      startInstance(),
      chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    ]);
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      colorScheme: "dark",
    });
    context.setDefaultTimeout(60_000);
    slowPages(context);
    page = await context.newPage();
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("response", (response) => {
      if (response.status() >= 500)
        faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    await page.goto(instance.url);
    await page.getByLabel("What is it about?").fill("Harbour house");
    await button("Create workspace").click();
    await page.waitForURL("**/workspace/harbour-house");
    await page.goto(`${instance.url}/workspace/harbour-house/documents`);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
  });
  beforeEach(() => {
    faults = [];
  });
  afterEach(() => {
    expect(faults).toEqual([]);
  });

  it("keeps a folder's structure, and adds it only to the library if asked to", async () => {
    await page.getByLabel("Add to this workspace too").uncheck();
    await chooseFolder(
      ["board/2024/a.md", "board/2024/b.md", "board/2025/c.md", "board/d.md"].map((path, n) => ({
        path,
        text: minutes(n),
      })),
    );
    await row("board, 4 documents").waitFor();
    await row("board").click();
    await row("2024, 2 documents").click();
    await row("a.md").waitFor();
    await poll(() => row("a.md").getAttribute("aria-level")).toBe("3");
    await poll(() => page.getByRole("grid").getByRole("row").count()).toBe(1);
  });
  it("moves a folder to the workspace, saves and embeds it, and every document becomes ready", async () => {
    await row("2024").hover();
    await row("2024").getByRole("checkbox").check();
    await button("Move to workspace").click();
    await page.getByText("2 documents to be added").waitFor();
    await button("Save and embed").click();
    for (const name of ["a.md", "b.md"]) await inWorkspace(name).getByText("Ready").waitFor();
    await row("a.md").and(page.locator('[aria-label*="In this workspace"]')).waitFor();
  });
  it("pins, tags, finds by tag, moves, opens from the library and removes", async () => {
    await inWorkspace("a.md").hover();
    await button("Pin a.md").click();
    await page.getByRole("dialog", { name: "What is document pinning?" }).waitFor();
    await button("Okay, got it").click();
    await inWorkspace("a.md").getByText("Ready, pinned").waitFor();
    await page.getByRole("grid").getByLabel("Select b.md").check();
    await button("Tag").click();
    await page.getByLabel("New tag").fill("Chimney");
    await button("Save tags").click();
    await page.getByText("The tags of 1 document were saved.").waitFor();
    await button("Filter and order").first().click();
    await button("Chimney").click();
    await page.keyboard.press("Escape");
    await page.getByText("1 found").waitFor();
    await row("b.md").waitFor();
    await button("Show all").click();
    await page.getByRole("grid").getByLabel("Select b.md").check();
    await button("Move").click();
    await page.getByLabel("Folder", { exact: true }).fill("letters/chimney");
    await button("Make it and move").click();
    await page.getByText("1 document was moved.").waitFor();
    await row("letters, 1 document").waitFor();
    await row("a.md").getByRole("button", { name: "a.md", exact: true }).click();
    await page
      .locator(".panel")
      .getByText("The board of the harbour house met on day 0.")
      .waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
    await page.getByRole("grid").getByLabel("Select b.md").check();
    await button("Remove").click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await inWorkspace("b.md").waitFor({ state: "detached" });
  });
  it("renames a folder and deletes it with its contents, and another tab sees it", async () => {
    const other = await context.newPage();
    const told = other.waitForResponse("**/api/changes");
    await other.goto(`${instance.url}/workspace/harbour-house/documents`);
    await other.getByRole("tree").locator('[aria-label^="board"]').waitFor();
    await told;
    await row("board").hover();
    await button("Menu of board").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("council");
    await button("Rename").click();
    await other.getByRole("tree").locator('[aria-label^="council"]').waitFor();
    await row("council").hover();
    await button("Menu of council").click();
    await page.getByRole("menuitem", { name: "Delete folder" }).click();
    await button("Delete folder").click();
    await other.getByRole("tree").locator('[aria-label^="council"]').waitFor({ state: "detached" });
    await inWorkspace("a.md").waitFor({ state: "detached" });
    await other.close();
  });
});
