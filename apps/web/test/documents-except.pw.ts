import type { Locator, Page } from "@playwright/test";
import { asked, button, grid, row, slug } from "./documents-page.ts";
import { documents } from "./fake-data.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test } from "./fixtures.ts";
import { libraryDocument } from "./library-documents.ts";
const library = (page: Page): Locator => page.getByRole("region", { name: "My documents" });
const count = (page: Page, text: string): Promise<void> =>
  expect(page.getByText(text, { exact: true }).first()).toBeVisible();
/** Documents in three folders of the library, all of them in the workspace. */
const open = async (page: Page, gateway: FakeGateway, length = 30_000): Promise<void> => {
  gateway.library.documents = Array.from({ length }, (_, n) =>
    libraryDocument(n, ["Archive", "Archive/Old", "Plans"][n % 3]!, `Record ${n + 1}.pdf`),
  );
  gateway.documents[slug] = Array.from({ length }, (_, n) => ({
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
    await expect
      .poll(() => asked(gateway, "/library/move"))
      .toEqual([
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
    await button(page, "Re-index").click();
    await expect(page.getByText("Re-indexing 29,998 documents.")).toBeVisible();
    await expect
      .poll(() => asked(gateway, "/documents/embed-again"))
      .toEqual([
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

test.describe("a failed request", () => {
  test("is reported when it was needed to select rows, and keeps the selection", async ({
    page,
    gateway,
  }) => {
    await open(page, gateway, 900);
    await row(page, "Plans").click();
    await expect(row(page, "Record 3.pdf")).toBeVisible();
    await row(page, "Record 3.pdf").getByRole("checkbox").check();
    await count(page, "1 selected");
    await page.route("**/library/search", (route) => route.fulfill({ status: 403, json: {} }));
    await page.keyboard.press("Shift+End");
    await expect(page.getByText(/^Something went wrong: /)).toBeVisible();
    await count(page, "1 selected");
    await page.unroute("**/library/search");
    await page.keyboard.press("Shift+End");
    await count(page, "300 selected");
  });

  test("is reported when an original can't be downloaded", async ({ page, gateway }) => {
    await open(page, gateway, 3);
    await page.route(/\/original$/, (route) => route.fulfill({ status: 403, json: {} }));
    await row(page, "Plans").click();
    await row(page, "Record 3.pdf").getByRole("checkbox").check();
    await button(page, "Download original").click();
    await expect(page.getByText(/^Couldn't download the file: /)).toBeVisible();
  });
});
