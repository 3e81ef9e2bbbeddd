import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./product.ts";

// Each test continues with the documents that the previous ones left.
test.describe.configure({ mode: "serial" });
let documents: string;
test.beforeAll(async ({ product }) => {
  const { slug } = await product.api.makeWorkspace("Document house");
  documents = `/workspace/${slug}/documents`;
});

const minutes = (n: number): string =>
  `# Minutes ${n}\n\nThe board of the harbour house met on day ${n}. The chimney is swept by the guild, the bins stand behind shed ${n}.\n`;
const row = (page: Page, name: string): Locator =>
  page.getByRole("tree").locator(`[role="treeitem"][aria-label^="${name}"]`).first();
const inWorkspace = (page: Page, name: string): Locator =>
  page.getByRole("grid").getByRole("row").filter({ hasText: name });
const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true });
/** Opens the document manager and expands these folders of the library, outermost first. */
const openDocuments = async (page: Page, ...folders: string[]): Promise<void> => {
  await page.goto(documents);
  for (const folder of folders) await row(page, folder).click();
};
/** Chooses files as a dropped folder would provide them: with their paths, but through the button. */
const chooseFolder = (page: Page, files: { path: string; text: string }[]): Promise<void> =>
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

test("keeps a folder's structure, and adds it only to the library if asked to", async ({
  page,
}) => {
  await openDocuments(page);
  await page.getByLabel("Also add to this workspace").uncheck();
  await chooseFolder(
    page,
    ["board/2024/a.md", "board/2024/b.md", "board/2025/c.md", "board/d.md"].map((path, n) => ({
      path,
      text: minutes(n),
    })),
  );
  await expect(row(page, "board, 4 documents")).toBeVisible();
  await row(page, "board").click();
  await row(page, "2024, 2 documents").click();
  await expect(row(page, "a.md")).toBeVisible();
  await expect(row(page, "a.md")).toHaveAttribute("aria-level", "3");
  await expect(page.getByRole("grid").getByRole("row")).toHaveCount(1);
});

test("moves a folder to the workspace, saves and embeds it, and every document becomes ready", async ({
  page,
}) => {
  await openDocuments(page, "board", "2024");
  await row(page, "2024").hover();
  await row(page, "2024").getByRole("checkbox").check();
  await button(page, "Move to workspace").click();
  await expect(page.getByText("2 documents to add")).toBeVisible();
  await button(page, "Save and embed").click();
  for (const name of ["a.md", "b.md"])
    await expect(inWorkspace(page, name).getByText("Searchable by words")).toBeVisible();
  await expect(
    row(page, "a.md").and(page.locator('[aria-label*="In this workspace"]')),
  ).toBeVisible();
});

test("pins, tags, finds by tag, moves, opens from the library and removes", async ({ page }) => {
  await openDocuments(page, "board", "2024");
  await inWorkspace(page, "a.md").hover();
  await button(page, "Pin a.md").click();
  await expect(page.getByRole("dialog", { name: "What is document pinning?" })).toBeVisible();
  await button(page, "Got it").click();
  await expect(inWorkspace(page, "a.md").getByText("Searchable by words, pinned")).toBeVisible();
  await page.getByRole("grid").getByLabel("Select b.md").check();
  await button(page, "Tag").click();
  await page.getByLabel("New tag").fill("Chimney");
  await button(page, "Save tags").click();
  await expect(page.getByText("Tags of 1 document saved.")).toBeVisible();
  await button(page, "Filter and sort").first().click();
  await button(page, "Chimney").click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("1 found")).toBeVisible();
  await expect(row(page, "b.md")).toBeVisible();
  await button(page, "Show all").click();
  await page.getByRole("grid").getByLabel("Select b.md").check();
  await button(page, "Move").click();
  await page.getByLabel("Folder", { exact: true }).fill("letters/chimney");
  await button(page, "Create folder and move").click();
  await expect(page.getByText("1 document moved.")).toBeVisible();
  await expect(row(page, "letters, 1 document")).toBeVisible();
  await row(page, "a.md").getByRole("button", { name: "a.md", exact: true }).click();
  await expect(
    page.locator("[data-panel]").getByText("The board of the harbour house met on day 0."),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-panel]")).toHaveCount(0);
  await page.getByRole("grid").getByLabel("Select b.md").check();
  await button(page, "Remove").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(inWorkspace(page, "b.md")).toHaveCount(0);
});

test("renames a folder and deletes it with its contents, and another tab sees it", async ({
  page,
  context,
}) => {
  await openDocuments(page);
  const other = await context.newPage();
  const changed = other.waitForResponse("**/api/changes?*");
  await other.goto(documents);
  await expect(other.getByRole("tree").locator('[aria-label^="board"]')).toBeVisible();
  await changed;
  await row(page, "board").hover();
  await button(page, "Menu for board").click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("council");
  await button(page, "Rename").click();
  await expect(other.getByRole("tree").locator('[aria-label^="council"]')).toBeVisible();
  await row(page, "council").hover();
  await button(page, "Menu for council").click();
  await page.getByRole("menuitem", { name: "Delete folder" }).click();
  await button(page, "Delete folder").click();
  await expect(other.getByRole("tree").locator('[aria-label^="council"]')).toHaveCount(0);
  await expect(inWorkspace(page, "a.md")).toHaveCount(0);
  await other.close();
});
