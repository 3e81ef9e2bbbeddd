import type { Page } from "@playwright/test";
import { button, grid, inWorkspace, open, row, slug } from "./documents-page.ts";
import { documents } from "./fake-data.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";
import { libraryDocument } from "./library-documents.ts";
/** Rows of a list that overlap or have a gap between them. */
const misplaced = (page: Page, rows: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const boxes = [...document.querySelectorAll(selector)]
      .map((row) => ({
        ...(row.getBoundingClientRect().toJSON() as DOMRect),
        words: row.textContent,
      }))
      .sort((a, b) => a.top - b.top);
    return boxes
      .slice(1)
      .flatMap((box, n) =>
        Math.abs(box.top - boxes[n]!.bottom) > 1.5 ? [`${boxes[n]!.words} / ${box.words}`] : [],
      );
  }, rows);

test.describe("workspace documents", () => {
  test("are filtered by kind and tag, and by both", async ({ page, gateway }) => {
    const shown = gateway.documents[slug]!;
    shown[4] = { ...shown[4]!, tags: ["Survey", "2024"] };
    shown[5] = { ...shown[5]!, tags: ["Survey"] };
    shown[6] = { ...shown[6]!, tags: ["Survey"] };
    await open(page);
    await button(page, "Filter and sort").last().click();
    await button(page, "PDF").click();
    await expect(page.getByText("5 found", { exact: true })).toBeVisible();
    await button(page, "Text documents").click();
    await expect(page.getByText("7 found", { exact: true })).toBeVisible();
    await button(page, "2024").click();
    await expect(page.getByText("1 found", { exact: true })).toBeVisible();
    await button(page, "2024").click();
    await expect(page.getByText("7 found", { exact: true })).toBeVisible();
    await button(page, "Largest first").click();
    await page.keyboard.press("Escape");
    await expect(button(page, "Filter and sort, filter active")).toBeVisible();
    await grid(page).getByLabel("Select all").check();
    await expect(page.getByText("7 selected").first()).toBeVisible();
    await button(page, "Show all").click();
    await expect(page.getByText(/^9 documents, 1 failed · [\d,]+ passages$/)).toBeVisible();
    await button(page, "1 failed").click();
    await expect(page.getByText("1 found", { exact: true })).toBeVisible();
    await expect(grid(page).getByRole("button", { name: "Retry" })).toBeVisible();
    await button(page, "Show all").click();
    await page.getByLabel("Search documents").fill("no such document");
    await expect(page.getByText("No document matches “no such document”.")).toBeVisible();
    await button(page, "Show all").click();
    await expect(inWorkspace(page, "Night tariff 2025")).toBeVisible();
  });
  test("say which store they wait for", async ({ page, gateway }) => {
    const shown = gateway.documents[slug]!;
    const reason = { code: "document.waits-for-store", params: { store: "PGVector" } };
    Object.assign(shown[2]!, { reason });
    Object.assign(shown[9]!, { reason });
    await open(page);
    const wait = "Waiting for PGVector, will retry automatically.";
    await expect(page.getByText(wait, { exact: true }).first()).toBeVisible();
    await expect(page.getByText(`Searchable by words. ${wait}`)).toBeVisible();
  });
  test("keep row heights when rows above them are added or removed", async ({ page, gateway }) => {
    const reason =
      "This file could not be read, for a reason that needs many words and so stands in its row " +
      "in several lines, which makes the row a tall one.";
    const shown = gateway.documents[slug]!;
    Object.assign(shown[3]!, { reason });
    gateway.library.documents.push(
      libraryDocument(11, "custom-documents", "Broken.pdf", { state: "failed", reason }),
    );
    await open(page);
    await expect(row(page, "Broken.pdf")).toBeVisible();
    await expect
      .poll(async () => [
        await misplaced(page, '[data-zone="workspace"] [data-index]'),
        await misplaced(page, '[data-zone="library"] [data-index]'),
      ])
      .toEqual([[], []]);
    shown.unshift(
      {
        ...documents()[4]!,
        documentId: libraryDocument(900, "", "").documentId,
        title: "Came in.pdf",
      },
      {
        ...documents()[4]!,
        documentId: libraryDocument(901, "", "").documentId,
        title: "Came in too.pdf",
      },
    );
    gateway.library.documents.push(
      libraryDocument(12, "custom-documents", "Annex.pdf"),
      libraryDocument(13, "Aardvarks", "One.pdf"),
    );
    gateway.change({ type: "workspace-documents.changed", workspaceId: 1 });
    gateway.change({ type: "library.changed" });
    await expect(inWorkspace(page, "Came in.pdf")).toBeVisible();
    await expect(row(page, "Annex.pdf")).toBeVisible();
    await expect
      .poll(async () => [
        await misplaced(page, '[data-zone="workspace"] [data-index]'),
        await misplaced(page, '[data-zone="library"] [data-index]'),
      ])
      .toEqual([[], []]);
    shown.splice(0, 3);
    gateway.library.documents = gateway.library.documents.filter(
      ({ title }) => title !== "Annex.pdf",
    );
    gateway.change({ type: "workspace-documents.changed", workspaceId: 1 });
    gateway.change({ type: "library.changed" });
    await expect(inWorkspace(page, "Came in.pdf")).toHaveCount(0);
    await expect(row(page, "Annex.pdf")).toHaveCount(0);
    await expect
      .poll(async () => [
        await misplaced(page, '[data-zone="workspace"] [data-index]'),
        await misplaced(page, '[data-zone="library"] [data-index]'),
      ])
      .toEqual([[], []]);
  });
});

test.describe("my documents", () => {
  test("show a workbook's folder under its name, which the server makes unique", async ({
    page,
    gateway,
  }) => {
    const folder = "tunnel-runs.xlsx-b35fbe3c";
    gateway.library.folderTitles.set(folder, "Tunnel runs.xlsx");
    gateway.library.documents.push(
      libraryDocument(900, folder, "Tunnel runs.xlsx - Sheet:March", { kind: "sheet" }),
    );
    await open(page);
    await expect(row(page, "Tunnel runs.xlsx, 1 document")).toBeVisible();
    await row(page, "Utility, letter of 12 April.eml").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Move to folder" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Folder" }).fill("tunnel");
    await dialog.getByRole("button", { name: /^Tunnel runs\.xlsx/ }).click();
    await expect(row(page, "Tunnel runs.xlsx, 2 documents")).toBeVisible();
    await page.getByLabel("Search my documents").fill("March");
    await expect(row(page, "Tunnel runs.xlsx - Sheet:March, Tunnel runs.xlsx")).toBeVisible();
    await expect(page.getByText("b35fbe3c")).toHaveCount(0);
  });
  test("can be read without being in a workspace, and are moved or added from their menu", async ({
    page,
    gateway,
  }) => {
    await open(page);
    const letter = "Utility, letter of 12 April.eml";
    await row(page, letter).getByRole("button", { name: letter, exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Source" });
    await expect(panel.getByText(`${letter}, as it stands in the library.`).first()).toBeVisible();
    await expect
      .poll(() =>
        gateway.requests
          .filter((each) => each.path.endsWith("/text"))
          .map((each) => each.path.split("/").slice(0, 3).join("/")),
      )
      .toEqual(expect.arrayContaining(["/library/documents"]));
    // Only one list fits next to it: the one it was opened from.
    await expect(row(page, letter)).toBeVisible();
    await expect(inWorkspace(page, "Retrofit survey 2024.pdf")).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await expect(inWorkspace(page, "Retrofit survey 2024.pdf")).toBeVisible();
    await row(page, letter).hover();
    await button(page, `Menu for ${letter}`).click();
    await page.getByRole("menuitem", { name: "Move to workspace" }).click();
    await expect(page.getByText("1 document to add")).toBeVisible();
    await button(page, "Discard").click();
    await expect(page.getByText("1 document to add")).toHaveCount(0);
    await row(page, letter).hover();
    await button(page, `Menu for ${letter}`).click();
    await page.getByRole("menuitem", { name: "Add and embed now" }).click();
    await expect(inWorkspace(page, letter)).toBeVisible();
  });
  test("cannot be added if unreadable, nor stay pending for another user", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await row(page, "Retrofit 2024").click();
    await row(page, "Measurements").click();
    await page
      .getByRole("tree")
      .getByLabel("Select Thermal images, block C.zip")
      .check({ force: true });
    await button(page, "Move to workspace").click();
    await expect(
      page.getByText("Documents that couldn't be processed can't be added."),
    ).toBeVisible();
    await page
      .getByRole("tree")
      .getByLabel("Select Meter readings, first quarter.xlsx")
      .check({ force: true });
    await button(page, "Move to workspace").click();
    await expect(page.getByText("1 document to add")).toBeVisible();
    await page.evaluate(() =>
      localStorage.setItem(
        "anythingllm_user",
        JSON.stringify({ id: 7, username: "lena", role: "admin" }),
      ),
    );
    // When the stream connects, the page fetches its user, and this gateway has none.
    gateway.changesHeld = new Promise(() => undefined);
    await page.reload();
    await expect(inWorkspace(page, "Retrofit survey 2024.pdf")).toBeVisible();
    await expect(page.getByText(/\d documents? to add$/)).toHaveCount(0);
  });
});

test.describe("source code", () => {
  test("shows line numbers", async ({ page, gateway }) => {
    await page.route("**/api/workspace/*/documents/*/text?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: {
          ...((await response.json()) as object),
          title: "tariff.ts",
          page: null,
          pages: null,
          lines: { first: 12, last: 1040 },
        },
      });
    });
    gateway.pace = 1;
    await page.goto(threadPath);
    await ask(page, "q");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page
      .locator(".md")
      .getByRole("button", { name: /^Source 3/ })
      .first()
      .click();
    await expect(
      page.getByRole("complementary", { name: "Source" }).getByText("Lines 12–1,040"),
    ).toBeVisible();
  });
});

test.describe("right to left", () => {
  test("lists, the selection and all dialogs stay within the page, mirrored", async ({
    page,
    context,
  }) => {
    await context.addInitScript(() => {
      new MutationObserver(() => {
        if (document.documentElement.dir !== "rtl") document.documentElement.dir = "rtl";
      }).observe(document, { attributes: true, childList: true, subtree: true });
    });
    await open(page);
    await row(page, "Retrofit 2024").click();
    await row(page, "Measurements").click();
    const riser = row(page, "Riser flow measurements.xlsx");
    await expect(riser).toBeVisible();
    await page
      .getByRole("tree")
      .getByLabel("Select Meter readings, first quarter.xlsx")
      .check({ force: true });
    await grid(page).getByLabel("Select Courtyard noise assessment.pdf").check();
    const [library, workspace] = [
      (await page.locator('[data-zone="library"]').boundingBox())!,
      (await page.locator('[data-zone="workspace"]').boundingBox())!,
    ];
    expect(library.x).toBeGreaterThan(workspace.x);
    const outside = (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('main [data-tab] *, [role="dialog"], [role="dialog"] *')]
          .filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
          })
          .map((each) => each.outerHTML.slice(0, 120)),
      );
    expect(await outside()).toEqual([]);
    // In right-to-left text, the left arrow opens a folder.
    await row(page, "Block A–C drawings").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(row(page, "Plan, block A.pdf")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(row(page, "Plan, block A.pdf")).toHaveCount(0);
    // Icons come at the start of lines, in menus too.
    await row(page, "Web pages").hover();
    await button(page, "Menu for Web pages").click();
    const item = page.getByRole("menuitem", { name: "Rename" });
    await expect(item).toBeVisible();
    await expect
      .poll(() =>
        item.evaluate(
          (each) =>
            each.querySelector("svg")!.getBoundingClientRect().right >
            each.getBoundingClientRect().right - 24,
        ),
      )
      .toBe(true);
    await page.keyboard.press("Escape");
    await expect(item).toHaveCount(0);
    await button(page, /^Activity/).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect.poll(() => outside()).toEqual([]);
  });
});
