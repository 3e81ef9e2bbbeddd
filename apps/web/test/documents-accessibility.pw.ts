import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import {
  button,
  grid,
  inWorkspace,
  open,
  openMeasurements,
  row,
  slug,
  tree,
} from "./documents-page.ts";
import { expect, phone, test } from "./fixtures.ts";

test.describe("documents by keyboard", () => {
  test("navigates the tree and rows, selects ranges, deletes after a confirmation, and never loses focus", async ({
    page,
  }) => {
    await open(page);
    const at = (): Promise<string> =>
      page.evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.querySelector("[dir=auto]")?.textContent ??
          document.activeElement?.tagName ??
          "",
      );
    const key = (name: string): Promise<void> => page.keyboard.press(name);
    await row(page, "Retrofit 2024").focus();
    await key("ArrowRight");
    await expect(row(page, "Measurements")).toBeVisible();
    await key("ArrowRight");
    await expect.poll(at).toMatch(/^Block A–C drawings/);
    await key("ArrowDown");
    await expect.poll(at).toMatch(/^Measurements/);
    await key("Enter");
    await expect(row(page, "Riser flow measurements.xlsx")).toBeVisible();
    await key("ArrowDown");
    await expect.poll(at).toMatch(/^Meter readings, first/);
    await key("Space");
    await key("Shift+ArrowDown");
    await expect(page.getByText("2 selected").first()).toBeVisible();
    await expect(row(page, "Meter readings, second quarter.xlsx")).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await key("Escape");
    await expect(page.getByText("2 selected")).toHaveCount(0);
    await key("ArrowLeft");
    await expect.poll(at).toMatch(/^Measurements/);
    await key("ArrowLeft");
    await expect(row(page, "Riser flow measurements.xlsx")).toHaveCount(0);
    await key("End");
    await expect.poll(at).toMatch(/^Utility/);
    await key("Delete");
    await expect(page.getByText("Delete Utility, letter of 12 April.eml?")).toBeVisible();
    await button(page, "Cancel").click();
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute("aria-label")?.startsWith("Utility"),
    );
    await grid(page).locator("[data-row]").first().focus();
    await key("PageDown");
    await expect.poll(at).not.toBe("Commissioning, block B.docx");
    await key("End");
    await expect.poll(at).toBe("Funding decision, heat pumps.pdf");
    await key("Home");
    await expect.poll(at).toBe("Commissioning, block B.docx");
    await key("Control+a");
    await expect(page.getByText("10 selected").first()).toBeVisible();
    await key("Delete");
    await expect(page.getByText("Remove 10 documents from Heat-pump retrofit?")).toBeVisible();
    await key("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "row");
  });
});

test.describe("document manager", () => {
  test("is accessible", async ({ page, gateway }) => {
    Object.assign(gateway.documents[slug]![8]!, { watched: true });
    await openMeasurements(page);
    await tree(page).getByLabel("Select the folder Web pages").check({ force: true });
    await grid(page).getByLabel("Select Courtyard noise assessment.pdf").check();
    await expectAccessible(page, { minor: true });
  });
  test("is accessible with pending documents and filters", async ({ page }) => {
    await openMeasurements(page);
    await tree(page).getByLabel("Select the folder Web pages").check({ force: true });
    await button(page, "Move to workspace").click();
    await button(page, "Filter and sort").first().click();
    await expect(page.getByText("Only documents not in this workspace")).toBeVisible();
    await expectAccessible(page, { minor: true });
  });
  const dialogs: [string, (page: Page) => Promise<void>][] = [
    [
      "tagging documents",
      async (page) => {
        await grid(page).getByLabel("Select Courtyard noise assessment.pdf").check();
        await button(page, "Tag").last().click();
      },
    ],
    ["creating a folder", (page) => button(page, "New folder").click()],
    [
      "deleting a folder",
      async (page) => {
        await row(page, "Retrofit 2024").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Delete folder" }).click();
      },
    ],
    [
      "moving a document",
      async (page) => {
        await row(page, "Riser flow").click({ button: "right" });
        await page.getByRole("menuitem", { name: "Move to folder" }).click();
      },
    ],
    ["following uploads", (page) => button(page, /^Activity/).click()],
    [
      "reading what pinning does",
      (page) => button(page, "Pin Courtyard noise assessment.pdf").click(),
    ],
  ];
  test(`is accessible while ${dialogs.map(([what]) => what).join(", ")}`, async ({ page }) => {
    test.slow(); // all dialogs on one page, which is loaded once
    await openMeasurements(page);
    for (const [what, show] of dialogs)
      await test.step(what, async () => {
        await show(page);
        await expect(page.getByRole("dialog")).toBeVisible();
        await expectAccessible(page, { minor: true });
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      });
  });
  test.describe(() => {
    test.use(phone);
    test("has all of it on a phone, and accepts files", async ({ page }) => {
      await open(page);
      await page.getByRole("radio", { name: /^My documents/ }).tap();
      await expect(page.getByRole("tree")).toBeVisible();
      await page.getByRole("radio", { name: /^In workspace/ }).tap();
      await page
        .locator("input[type=file]")
        .first()
        .setInputFiles({
          name: "Minutes.txt",
          mimeType: "text/plain",
          buffer: Buffer.from("We decided."),
        });
      await expect(inWorkspace(page, "Minutes.txt").getByText("Ready")).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await expectAccessible(page, { minor: true });
    });
  });
});
