import type { Locator, Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test } from "./fixtures.ts";
import { documents } from "./fake-data.ts";
import { libraryDocument } from "./library-documents.ts";
const slug = "heat-pump-retrofit";
const grid = (page: Page): Locator => page.getByRole("grid");
const library = (page: Page): Locator => page.getByRole("region", { name: "My documents" });
const row = (page: Page, name: string): Locator =>
  page.getByRole("tree").locator(`[role="treeitem"][aria-label^="${name}"]`).first();
const button = (page: Page, name: string): Locator =>
  page.getByRole("button", { name, exact: true });
const count = (page: Page, text: string): Promise<void> =>
  expect(page.getByText(text, { exact: true }).first()).toBeVisible();
const asked = (gateway: FakeGateway, path: string): unknown[] =>
  gateway.library.asked.filter((each) => each.path.endsWith(path)).map(({ body }) => body);
/** 30,000 documents in three folders of the library, all of them in the workspace. */
const open = async (page: Page, gateway: FakeGateway): Promise<void> => {
  gateway.library.documents = Array.from({ length: 30_000 }, (_, n) =>
    libraryDocument(n, ["Archive", "Archive/Old", "Plans"][n % 3]!, `Record ${n + 1}.pdf`),
  );
  gateway.documents[slug] = Array.from({ length: 30_000 }, (_, n) => ({
    ...documents()[7]!,
    documentId: libraryDocument(n, "", "").documentId,
    title: `Record ${n + 1}.pdf`,
  }));
  await page.goto(`/workspace/${slug}/documents`);
  await expect(
    grid(page).getByRole("row").filter({ hasText: "Record 1.pdf" }).first(),
  ).toBeVisible();
};

// 30,000 documents are created, rendered and selected.
test.describe("all but a few", () => {
  test.setTimeout(120_000);

  test("documents in the library: documents and folders are excluded and included again", async ({
    page,
    gateway,
  }) => {
    await open(page, gateway);
    await row(page, "Archive").click();
    await expect(row(page, "Record 1.pdf")).toBeVisible();
    await library(page).getByLabel("Select all").check();
    await count(page, "30,000 selected");
    await row(page, "Record 1.pdf").getByRole("checkbox").uncheck();
    await count(page, "29,999 selected");
    // Together with the exclusions below it.
    await row(page, "Archive").getByRole("checkbox").uncheck();
    await count(page, "10,000 selected");
    await row(page, "Archive").getByRole("checkbox").check();
    await count(page, "30,000 selected");
    await row(page, "Old").getByRole("checkbox").uncheck();
    await row(page, "Record 4.pdf").getByRole("checkbox").uncheck();
    await count(page, "19,999 selected");
    await library(page)
      .getByRole("button", { name: "Move", exact: true })
      .or(button(page, "Move"))
      .first()
      .click();
    await page.getByLabel("Folder", { exact: true }).fill("Elsewhere");
    await button(page, "Create folder and move").click();
    await expect(page.getByText("19,999 documents moved.")).toBeVisible();
    expect(asked(gateway, "/library/move")).toEqual([
      {
        folder: "Elsewhere",
        selection: {
          filter: { deep: false, search: "", kinds: [], tags: [] },
          except: {
            documentIds: [libraryDocument(3, "", "").documentId],
            folders: ["Archive/Old"],
          },
        },
      },
    ]);
  });

  test("documents in the workspace: nothing is selected once all are excluded", async ({
    page,
    gateway,
  }) => {
    await open(page, gateway);
    await grid(page).getByLabel("Select all").check();
    await count(page, "30,000 selected");
    for (const name of ["Record 1.pdf", "Record 2.pdf"])
      await grid(page).getByLabel(`Select ${name}`, { exact: true }).uncheck();
    await count(page, "29,998 selected");
    await button(page, "Re-embed").click();
    await expect(page.getByText("Re-embedding 29,998 documents.")).toBeVisible();
    expect(asked(gateway, "/documents/embed-again")).toEqual([
      {
        selection: {
          filter: expect.objectContaining({ heldIn: slug }),
          except: {
            documentIds: [0, 1].map((n) => libraryDocument(n, "", "").documentId),
            folders: [],
          },
        },
      },
    ]);
    gateway.library.documents = [libraryDocument(1, "Only", "Single.pdf")];
    await page.reload();
    await expect(row(page, "Only")).toBeVisible();
    await library(page).getByLabel("Select all").check();
    await count(page, "1 selected");
    await row(page, "Only").getByRole("checkbox").uncheck();
    await expect(page.getByText("1 selected", { exact: true })).toHaveCount(0);
  });
});
