import { describe, expect, it } from "@jest/globals";
import type { Locator } from "playwright-core";
import { documents } from "./fake-data.ts";
import { libraryDocument } from "./fake-library.ts";
import { useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const slug = "heat-pump-retrofit";
const grid = (): Locator => web.page.getByRole("grid");
const library = (): Locator => web.page.getByRole("region", { name: "My documents" });
const row = (name: string): Locator =>
  web.page.getByRole("tree").locator(`[role="treeitem"][aria-label^="${name}"]`).first();
const button = (name: string): Locator => web.page.getByRole("button", { name, exact: true });
const count = (text: string): Promise<void> =>
  web.page.getByText(text, { exact: true }).first().waitFor();
const asked = (path: string): unknown[] =>
  web.gateway.library.asked.filter((each) => each.path.endsWith(path)).map(({ body }) => body);
/** 30,000 documents in three folders of the library, all of them in the workspace. */
const open = async (): Promise<void> => {
  web.gateway.library.documents = Array.from({ length: 30_000 }, (_, n) =>
    libraryDocument(n, ["Archive", "Archive/Old", "Plans"][n % 3]!, `Record ${n + 1}.pdf`),
  );
  web.gateway.documents[slug] = Array.from({ length: 30_000 }, (_, n) => ({
    ...documents()[7]!,
    documentId: libraryDocument(n, "", "").documentId,
    title: `Record ${n + 1}.pdf`,
  }));
  await web.page.goto(`${web.gateway.url}/workspace/${slug}/documents`);
  await grid().getByRole("row").filter({ hasText: "Record 1.pdf" }).first().waitFor();
};

describe("all but a few", () => {
  it("of the library: documents and folders are left out, and taken in again", async () => {
    await open();
    await row("Archive").click();
    await row("Record 1.pdf").waitFor();
    await library().getByLabel("Select all").check();
    await count("30,000 selected");
    await row("Record 1.pdf").getByRole("checkbox").uncheck();
    await count("29,999 selected");
    // With what was left out below it.
    await row("Archive").getByRole("checkbox").uncheck();
    await count("10,000 selected");
    await row("Archive").getByRole("checkbox").check();
    await count("30,000 selected");
    await row("Old").getByRole("checkbox").uncheck();
    await row("Record 4.pdf").getByRole("checkbox").uncheck();
    await count("19,999 selected");
    await library()
      .getByRole("button", { name: "Move", exact: true })
      .or(button("Move"))
      .first()
      .click();
    await web.page.getByLabel("Folder", { exact: true }).fill("Elsewhere");
    await button("Make it and move").click();
    await web.page.getByText("19,999 documents were moved.").waitFor();
    expect(asked("/library/move")).toEqual([
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
  }, 120_000);

  it("of the workspace, and nothing is chosen when all is left out", async () => {
    await open();
    await grid().getByLabel("Select all").check();
    await count("30,000 selected");
    for (const name of ["Record 1.pdf", "Record 2.pdf"])
      await grid().getByLabel(`Select ${name}`, { exact: true }).uncheck();
    await count("29,998 selected");
    await button("Embed again").click();
    await web.page.getByText("29,998 documents are embedded again.").waitFor();
    expect(asked("/documents/embed-again")).toEqual([
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
    web.gateway.library.documents = [libraryDocument(1, "Only", "Single.pdf")];
    await web.page.reload();
    await row("Only").waitFor();
    await library().getByLabel("Select all").check();
    await count("1 selected");
    await row("Only").getByRole("checkbox").uncheck();
    await web.page.getByText("1 selected", { exact: true }).waitFor({ state: "detached" });
  }, 120_000);
});
