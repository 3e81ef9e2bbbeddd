import { describe, expect, it } from "@jest/globals";
import { eventually } from "@carrel/testing";
import type { Locator } from "playwright-core";
import { documents } from "./fake-data.ts";
import { libraryDocument } from "./fake-library.ts";
import { useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const slug = "heat-pump-retrofit";
const grid = (): Locator => web.page.getByRole("grid");
const inWorkspace = (name: string): Locator => grid().getByRole("row").filter({ hasText: name });
const inLibrary = (name: string): Locator =>
  web.page.getByRole("tree").locator(`[role="treeitem"][aria-label^="${name}"]`).first();
const button = (name: string | RegExp): Locator =>
  web.page.getByRole("button", { name, exact: typeof name === "string" });
const open = async (): Promise<void> => {
  await web.page.goto(`${web.gateway.url}/workspace/${slug}/documents`);
  await inWorkspace("Retrofit survey 2024.pdf").waitFor();
};
/** Rows of a list that stand over one another, or with a gap between them. */
const misplaced = (rows: string): Promise<string[]> =>
  web.page.evaluate((selector) => {
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

describe("the documents of a workspace", () => {
  it("are narrowed by kind and tag, also all at once", async () => {
    const shown = web.gateway.documents[slug]!;
    shown[4] = { ...shown[4]!, tags: ["Survey", "2024"] };
    shown[5] = { ...shown[5]!, tags: ["Survey"] };
    shown[6] = { ...shown[6]!, tags: ["Survey"] };
    await open();
    await button("Filter and order").last().click();
    await button("PDF").click();
    await web.page.getByText(/^5 found · /).waitFor();
    await button("Text documents").click();
    await web.page.getByText(/^7 found · /).waitFor();
    await button("2024").click();
    await web.page.getByText(/^1 found · /).waitFor();
    await button("2024").click();
    await web.page.getByText(/^7 found · /).waitFor();
    await button("Largest first").click();
    await web.page.keyboard.press("Escape");
    await button("Filter and order, a filter is set").waitFor();
    await grid().getByLabel("Select all").check();
    await web.page.getByText("7 selected").first().waitFor();
    await button("Show all").click();
    await web.page.getByText(/^9 documents, 1 failed · /).waitFor();
    await web.page.getByLabel("Search documents").fill("no such document");
    await web.page.getByText("No document matches “no such document”.").waitFor();
    await button("Show all").click();
    await inWorkspace("Night tariff 2025").waitFor();
  });
  it("keep their heights when others come in above them or go", async () => {
    const reason =
      "This file could not be read, for a reason that needs many words and so stands in its row in several lines, which makes the row a tall one.";
    const shown = web.gateway.documents[slug]!;
    Object.assign(shown[3]!, { reason });
    web.gateway.library.documents.push(
      libraryDocument(11, "custom-documents", "Broken.pdf", { state: "failed", reason }),
    );
    await open();
    await inLibrary("Broken.pdf").waitFor();
    await eventually(async () =>
      expect([await misplaced(".wsp [data-index]"), await misplaced(".lib [data-index]")]).toEqual([
        [],
        [],
      ]),
    );
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
    web.gateway.library.documents.push(
      libraryDocument(12, "custom-documents", "Annex.pdf"),
      libraryDocument(13, "Aardvarks", "One.pdf"),
    );
    web.gateway.change({ type: "workspace-documents.changed", workspaceId: 1 });
    web.gateway.change({ type: "library.changed" });
    await inWorkspace("Came in.pdf").waitFor();
    await inLibrary("Annex.pdf").waitFor();
    await eventually(async () =>
      expect([await misplaced(".wsp [data-index]"), await misplaced(".lib [data-index]")]).toEqual([
        [],
        [],
      ]),
    );
    shown.splice(0, 3);
    web.gateway.library.documents = web.gateway.library.documents.filter(
      ({ title }) => title !== "Annex.pdf",
    );
    web.gateway.change({ type: "workspace-documents.changed", workspaceId: 1 });
    web.gateway.change({ type: "library.changed" });
    await inWorkspace("Came in.pdf").waitFor({ state: "detached" });
    await inLibrary("Annex.pdf").waitFor({ state: "detached" });
    await eventually(async () =>
      expect([await misplaced(".wsp [data-index]"), await misplaced(".lib [data-index]")]).toEqual([
        [],
        [],
      ]),
    );
  });
});

describe("my documents", () => {
  it("can be read though no workspace holds them, and are moved or added from their menu", async () => {
    await open();
    const letter = "Utility, letter of 12 April.eml";
    await inLibrary(letter).getByRole("button", { name: letter, exact: true }).click();
    const panel = web.page.getByRole("complementary", { name: "Source" });
    await panel.getByText(`${letter}, as it stands in the library.`).first().waitFor();
    expect(
      web.gateway.requests
        .filter((each) => each.path.endsWith("/text"))
        .map((each) => each.path.split("/").slice(0, 3).join("/")),
    ).toEqual(expect.arrayContaining(["/library/documents"]));
    // There is room for one list beside it: the one that it was opened from.
    await inLibrary(letter).waitFor();
    await inWorkspace("Retrofit survey 2024.pdf").waitFor({ state: "hidden" });
    await web.page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await inWorkspace("Retrofit survey 2024.pdf").waitFor();
    await inLibrary(letter).hover();
    await button(`Menu of ${letter}`).click();
    await web.page.getByRole("menuitem", { name: "Move to workspace" }).click();
    await web.page.getByText("1 document to be added").waitFor();
    await button("Discard").click();
    await web.page.getByText("1 document to be added").waitFor({ state: "detached" });
    await inLibrary(letter).hover();
    await button(`Menu of ${letter}`).click();
    await web.page.getByRole("menuitem", { name: "Add and embed now" }).click();
    await inWorkspace(letter).waitFor();
  });
  it("do not wait for another person, nor where nothing can be added", async () => {
    await open();
    await inLibrary("Retrofit 2024").click();
    await inLibrary("Measurements").click();
    await web.page
      .getByRole("tree")
      .getByLabel("Select Thermal images, block C.zip")
      .check({ force: true });
    await button("Move to workspace").click();
    await web.page.getByText("What could not be read cannot be added.").waitFor();
    await web.page
      .getByRole("tree")
      .getByLabel("Select Meter readings, first quarter.xlsx")
      .check({ force: true });
    await button("Move to workspace").click();
    await web.page.getByText("1 document to be added").waitFor();
    await web.page.evaluate(() =>
      localStorage.setItem(
        "anythingllm_user",
        JSON.stringify({ id: 7, username: "lena", role: "admin" }),
      ),
    );
    await web.page.reload();
    await inWorkspace("Retrofit survey 2024.pdf").waitFor();
    await web.page.getByText("to be added").waitFor({ state: "detached" });
  });
});

describe("a source in code", () => {
  it("says its lines", async () => {
    await web.page.route("**/api/workspace/*/documents/*/text?*", async (route) => {
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
    web.gateway.pace = 1;
    await web.page.goto(web.thread());
    await web.ask("q");
    await web.page.getByText("412 tokens").waitFor();
    await web.page
      .locator(".md")
      .getByRole("button", { name: /^Source 3/ })
      .first()
      .click();
    await web.page
      .getByRole("complementary", { name: "Source" })
      .getByText("Lines 12–1,040")
      .waitFor();
  });
});

describe("from right to left", () => {
  it("the lists, what is chosen and the dialogs stand within the page, mirrored", async () => {
    await web.context.addInitScript(() => {
      new MutationObserver(() => {
        if (document.documentElement.dir !== "rtl") document.documentElement.dir = "rtl";
      }).observe(document, { attributes: true, childList: true, subtree: true });
    });
    await open();
    await inLibrary("Retrofit 2024").click();
    await inLibrary("Measurements").click();
    const riser = inLibrary("Riser flow measurements.xlsx");
    await riser.waitFor();
    await web.page
      .getByRole("tree")
      .getByLabel("Select Meter readings, first quarter.xlsx")
      .check({ force: true });
    await grid().getByLabel("Select Courtyard noise assessment.pdf").check();
    const [library, workspace] = [
      (await web.page.locator(".pane.lib").boundingBox())!,
      (await web.page.locator(".pane.wsp").boundingBox())!,
    ];
    expect(library.x).toBeGreaterThan(workspace.x);
    const outside = (): Promise<string[]> =>
      web.page.evaluate(() =>
        [...document.querySelectorAll('.dm *, [role="dialog"], [role="dialog"] *')]
          .filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
          })
          .map((each) => each.outerHTML.slice(0, 120)),
      );
    expect(await outside()).toEqual([]);
    // An arrow to the left goes into a folder here.
    await inLibrary("Block A–C drawings").focus();
    await web.page.keyboard.press("ArrowLeft");
    await inLibrary("Plan, block A.pdf").waitFor();
    await web.page.keyboard.press("ArrowRight");
    await inLibrary("Plan, block A.pdf").waitFor({ state: "detached" });
    // Icons stand where lines begin, in menus too.
    await inLibrary("Web pages").hover();
    await button("Menu of Web pages").click();
    const item = web.page.getByRole("menuitem", { name: "Rename" });
    await item.waitFor();
    await eventually(async () =>
      expect(
        await item.evaluate(
          (each) =>
            each.querySelector("svg")!.getBoundingClientRect().right >
            each.getBoundingClientRect().right - 24,
        ),
      ).toBe(true),
    );
    await web.page.keyboard.press("Escape");
    await item.waitFor({ state: "detached" });
    await button(/^Activity/).click();
    await web.page.getByRole("dialog").waitFor();
    await eventually(async () => expect(await outside()).toEqual([]));
  });
});
