import type { DocumentHit } from "@carrel/contracts";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { documents, harbourText } from "./fake-data.ts";
import { expect, test } from "./fixtures.ts";
import { open, slug } from "./sidebar-page.ts";

const words = harbourText.slice(200, 240);
/** A place in the fake gateway's text, with two of its words marked. */
const hit = (): DocumentHit => {
  const { documentId, title, mime } = documents().find(({ mime: each }) => each === "text/html")!;
  return {
    documentId,
    title,
    mime,
    workspace: { slug, name: "Heat-pump retrofit" },
    page: 2,
    headingPath: ["Quays"],
    excerpt: harbourText.slice(180, 300),
    start: 180,
    end: 300,
    matches: [
      { start: 200, end: 240 },
      { start: 250, end: 262 },
    ],
  };
};
const marked = (page: Page): Locator => page.getByRole("region", { name: "Text" }).locator("mark");

test.describe("searching inside documents", () => {
  test("finds a sentence from anywhere, and opens its place with the words marked", async ({
    page,
    gateway,
  }) => {
    gateway.shell.places = [hit()];
    await open(page);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").fill(words);
    const group = page.locator("[cmdk-group]").filter({ hasText: "In documents" });
    const option = group.getByRole("option");
    await expect(option).toContainText(hit().title);
    await expect(option).toContainText("Page 2 · Heat-pump retrofit");
    await expect(option.locator("mark")).toHaveText([words, harbourText.slice(250, 262)], {
      useInnerText: false,
    });
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/workspace/${slug}/documents#document-*`);
    await expect(marked(page)).toHaveText([words, harbourText.slice(250, 262)]);
    await expect(marked(page).first()).toBeInViewport();
  });

  test("asks once per pause in typing, and names what failed", async ({ page, gateway }) => {
    gateway.shell.refusePlaces = "The search index is away.";
    await open(page);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").pressSequentially("harbour wall");
    await expect(page.getByText("Search failed: The server didn't accept this.")).toBeVisible();
    await expect.poll(() => gateway.shell.placeTerms.at(-1)).toBe("harbour wall");
    await expect.poll(() => gateway.shell.placeTerms.length).toBeLessThan(6);
  });

  test("says that the index is being rebuilt", async ({ page, gateway }) => {
    gateway.shell.isRebuilding = true;
    const told = page.getByText(
      "The search index is being rebuilt, so some results may be missing.",
    );
    await open(page);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search workspaces").fill("harbour wall");
    await expect(told).toBeVisible();
    await page.goto(`/workspace/${slug}/documents`);
    await page
      .locator("[data-zone=workspace]")
      .getByRole("searchbox", { name: "Search documents" })
      .fill("harbour wall");
    await expect(told).toBeVisible();
  });

  test("is part of the document manager's search", async ({ page, gateway }) => {
    await page.goto(`/workspace/${slug}/documents`);
    const pane = page.locator("[data-zone=workspace]");
    const search = pane.getByRole("searchbox", { name: "Search documents" });
    const inside = pane.getByRole("region", { name: "In documents" });
    await search.fill("no such words");
    await expect(inside.getByText("No document contains “no such words”.")).toBeVisible();
    gateway.shell.places = [
      hit(),
      { ...hit(), start: 300, end: 400, matches: [], workspace: { slug: "other", name: "Other" } },
    ];
    await search.fill(words);
    const hits = inside.getByRole("button");
    await expect(hits).toHaveCount(2);
    await expect(hits.first()).toContainText("Page 2");
    await expect(hits.first()).not.toContainText("Heat-pump retrofit");
    await expect(hits.last()).toContainText("Page 2 · Other");
    await expectAccessible(page);
    await hits.first().press("Enter");
    await expect(marked(page)).toHaveText([words, harbourText.slice(250, 262)]);
    await search.fill("");
    await expect(inside).toBeHidden();
  });
});
