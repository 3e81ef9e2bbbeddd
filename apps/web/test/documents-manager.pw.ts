import {
  asked,
  button,
  grid,
  inWorkspace,
  open,
  openMeasurements,
  row,
  slug,
  tree,
} from "./documents-page.ts";
import { expect, test, threadPath } from "./fixtures.ts";

test.describe("my documents", () => {
  test("nest folders, search, filter, and add one document at once", async ({ page }) => {
    await openMeasurements(page);
    await expect(row(page, "Measurements")).toHaveAttribute("aria-level", "2");
    await expect(row(page, "Retrofit 2024")).toHaveAttribute(
      "aria-label",
      "Retrofit 2024, 9 documents",
    );
    await expect(
      row(page, "Thermal images, block C.zip").getByText("Archives cannot be read."),
    ).toBeVisible();
    await row(page, "Meter readings, first quarter.xlsx").hover();
    await button(page, "Add Meter readings, first quarter.xlsx to the workspace").click();
    await expect(
      inWorkspace(page, "Meter readings, first quarter.xlsx").getByText("Queued"),
    ).toBeVisible();
    await expect(page.getByText("Adding 1 document.")).toBeVisible();
    await page.getByLabel("Search my documents").fill("meter");
    await expect(page.getByText("2 found")).toBeVisible();
    await button(page, "Filter and sort").first().click();
    await page.getByLabel("Only documents not in this workspace").check();
    await page.keyboard.press("Escape");
    await expect(page.getByText("1 found")).toBeVisible();
    await expect(row(page, "Meter readings, second quarter.xlsx")).toBeVisible();
    await button(page, "Show all").click();
    await expect(row(page, "Retrofit 2024").first()).toBeVisible();
  });
  test("create, rename, fill and delete folders", async ({ page }) => {
    await open(page);
    await button(page, "New folder").click();
    await page.getByRole("textbox", { name: "Name" }).fill("Web pages");
    await button(page, "Create folder").click();
    await expect(page.getByText("A folder with this name already exists.")).toBeVisible();
    await page.getByRole("textbox", { name: "Name" }).fill("Letters");
    await button(page, "Create folder").click();
    await expect(row(page, "Letters")).toBeVisible();
    await row(page, "Letters").hover();
    await button(page, "Menu for Letters").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Letters 2026");
    await button(page, "Rename").click();
    await expect(row(page, "Letters 2026")).toBeVisible();
    await row(page, "Utility, letter of 12 April.eml").dragTo(row(page, "Letters 2026"));
    await expect(page.getByText("1 document moved.")).toBeVisible();
    await row(page, "Letters 2026").click();
    await expect(
      tree(page).locator('[aria-level="2"]', { hasText: "Utility, letter of 12 April.eml" }),
    ).toBeVisible();
    await row(page, "Letters 2026").hover();
    await button(page, "Menu for Letters 2026").click();
    await page.getByRole("menuitem", { name: "Delete folder" }).click();
    await expect(
      page.getByText("Its 1 document is deleted too, from every workspace. You can't undo this."),
    ).toBeVisible();
    await button(page, "Delete folder").click();
    await expect(row(page, "Letters 2026")).toHaveCount(0);
  });
  test("move folders and documents to the workspace, and add them with Save and embed", async ({
    page,
    gateway,
  }) => {
    await openMeasurements(page);
    await tree(page).getByLabel("Select the folder Web pages").check({ force: true });
    await tree(page).getByLabel("Select Meter readings, first quarter.xlsx").check({ force: true });
    await button(page, "Move to workspace").click();
    await expect(page.getByText("15 documents to add")).toBeVisible();
    await row(page, "Meter readings, second quarter.xlsx").dragTo(grid(page));
    await expect(page.getByText("16 documents to add")).toBeVisible();
    await page.goto(threadPath); // a new page, because this tab keeps unsaved changes
    await openMeasurements(page);
    await expect(page.getByText("16 documents to add")).toBeVisible();
    await button(page, "Show pending additions").click();
    await button(page, "Remove Meter readings, first quarter.xlsx from pending additions").click();
    await button(page, "Remove Meter readings, second quarter.xlsx from pending additions").click();
    await expect(page.getByText("14 documents to add")).toBeVisible();
    await button(page, "Save and embed").click();
    await expect(page.getByText("Adding 14 documents.")).toBeVisible();
    await expect
      .poll(() => asked(gateway, "/documents/add"))
      .toEqual([
        {
          selection: {
            filter: { folder: "Web pages", deep: true, search: "", kinds: [], tags: [] },
          },
        },
      ]);
    await expect(page.getByText(/\d documents? to add$/)).toHaveCount(0);
    await page.reload();
    await expect(inWorkspace(page, "Tariff page 1.html")).toBeVisible();
    await page.waitForFunction(() => sessionStorage.getItem("carrel_staged_documents") === null);
  });
  test("are tagged, moved and removed together, after confirmation", async ({ page, gateway }) => {
    await openMeasurements(page);
    for (const name of [
      "Meter readings, first quarter.xlsx",
      "Meter readings, second quarter.xlsx",
    ])
      await tree(page).getByLabel(`Select ${name}`).check({ force: true });
    await button(page, "Tag").click();
    const meters = page.getByRole("dialog").getByRole("checkbox", { name: "Meters" });
    await expect
      .poll(() => meters.evaluate((box: HTMLInputElement) => box.indeterminate))
      .toBe(true);
    await meters.click();
    await page.getByLabel("New tag").fill("Quarterly");
    await page.keyboard.press("Enter");
    await button(page, "Save tags").click();
    await expect(page.getByText("Tags of 2 documents saved.")).toBeVisible();
    await expect
      .poll(() => asked(gateway, "/library/tag")[0])
      .toMatchObject({
        add: ["Meters", "Quarterly"],
        remove: [],
      });
    for (const name of [
      "Meter readings, first quarter.xlsx",
      "Meter readings, second quarter.xlsx",
    ])
      await tree(page).getByLabel(`Select ${name}`).check({ force: true });
    await button(page, "Move").click();
    await page.getByLabel("Folder", { exact: true }).fill("Retrofit 2024/Meters/Readings");
    await button(page, "Create folder and move").click();
    await expect(page.getByText("2 documents moved.")).toBeVisible();
    await row(page, "Meters").click();
    await row(page, "Readings").click();
    await expect(row(page, "Meter readings, second quarter.xlsx")).toBeVisible();
    await tree(page)
      .getByLabel("Select Meter readings, second quarter.xlsx")
      .check({ force: true });
    await button(page, "Remove selected").click();
    await expect(page.getByText("Delete Meter readings, second quarter.xlsx?")).toBeVisible();
    await button(page, "Delete").click();
    await expect(page.getByText("1 document deleted.")).toBeVisible();
    await expect(row(page, "Meter readings, second quarter.xlsx")).toHaveCount(0);
  });
});

test.describe("workspace", () => {
  test("explains pinning once, re-embeds, filters by state, sorts and removes", async ({
    page,
  }) => {
    await open(page);
    const names = (): Promise<string[]> =>
      grid(page).locator("[role=row] :is(button, b)[dir=auto]").allTextContents();
    await inWorkspace(page, "Courtyard noise assessment.pdf").hover();
    await button(page, "Pin Courtyard noise assessment.pdf").click();
    await expect(page.getByRole("dialog", { name: "What is document pinning?" })).toBeVisible();
    await button(page, "Got it").click();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("anythingllm_pinned_document_alert")))
      .toBe("true");
    await expect(
      inWorkspace(page, "Courtyard noise assessment.pdf").getByText("Ready, pinned"),
    ).toBeVisible();
    await inWorkspace(page, "Heat-pump field trial.pdf").hover();
    await button(page, "Pin Heat-pump field trial.pdf").click();
    await expect(
      inWorkspace(page, "Heat-pump field trial.pdf").getByText("Ready, pinned"),
    ).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await button(page, "Filter and sort").last().click();
    await button(page, "Pinned").click();
    await page.keyboard.press("Escape");
    await expect(page.getByText("2 found", { exact: true })).toBeVisible();
    await grid(page).getByLabel("Select all").check();
    await button(page, "Unpin").click();
    await expect(page.getByText("2 documents unpinned.")).toBeVisible();
    await button(page, "Show all").click();
    await page.keyboard.press("Escape");
    await expect(page.getByText("2 selected").first()).toHaveCount(0);
    await button(page, "Name").click();
    await page.waitForFunction(() =>
      document
        .querySelector('[role="grid"] [data-row] [dir=auto]')
        ?.textContent?.startsWith("Commissioning"),
    );
    await button(page, "Name").click();
    await page.waitForFunction(() =>
      document
        .querySelector('[role="grid"] [data-row] [dir=auto]')
        ?.textContent?.startsWith("Riser"),
    );
    await expect.poll(async () => (await names()).length).toBe(10);
    await grid(page).getByLabel("Select Riser flow measurements.csv").check();
    await grid(page)
      .getByLabel("Select Night tariff 2025")
      .click({ modifiers: ["Shift"] });
    await expect(page.getByText("4 selected").first()).toBeVisible();
    await button(page, "Re-index").click();
    await expect(page.getByText("Re-indexing 4 documents.")).toBeVisible();
    await button(page, "Remove").click();
    await expect(page.getByText("Remove 4 documents from Heat-pump retrofit?")).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("4 documents removed from the workspace.")).toBeVisible();
    await expect(inWorkspace(page, "Night tariff 2025")).toHaveCount(0);
  });
  test("explains watching, cancels queued documents, and opens documents of both lists", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway.documents[slug]![8]!, { watched: true });
    await openMeasurements(page);
    await button(page, "Ready, watched").click();
    await expect(
      page.getByRole("dialog", { name: "What does watching a document do?" }),
    ).toBeVisible();
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("anythingllm_watched_document_alert")))
      .toBe("true");
    await button(page, "Menu for Radiator schedule, block C.csv").last().click();
    await page.getByRole("menuitem", { name: "Stop embedding" }).click();
    await expect(inWorkspace(page, "Radiator schedule, block C.csv")).toHaveCount(0);
    await row(page, "Riser flow measurements.xlsx")
      .getByRole("button", { name: "Riser flow measurements.xlsx", exact: true })
      .click();
    await expect(page.locator("[data-panel]")).toBeVisible();
    // With a document open there is only room for one list.
    await page.getByRole("radio", { name: /^My documents/ }).click();
    await expect(row(page, "Riser flow measurements.xlsx")).toBeVisible();
    await page.locator("[data-panel]").getByRole("button", { name: /Close/ }).click();
    await expect(inWorkspace(page, "Retrofit survey 2024.pdf")).toBeVisible();
  });
});
