import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { docx, epub, html, markdown, paragraph, quoted, tableText } from "./make-originals.ts";
import { openCited } from "./open-cited.ts";
import { cite, type FakeOriginal } from "./originals.ts";

const marked = async (page: Page): Promise<string> =>
  (await page.locator(".text-hit").allTextContents()).join("");

const formats: [string, () => FakeOriginal | Promise<FakeOriginal>][] = [
  ["DOCX", docx],
  ["HTML", html],
  ["EPUB", epub],
];

for (const [name, make] of formats)
  test.describe(`${name} in the viewer`, () => {
    test("has headings, lists and tables, with the quote marked and the passage in pale", async ({
      page,
      gateway,
    }) => {
      cite(gateway, await make(), paragraph);
      await openCited(page, gateway, `${quoted} [3]`);
      const paper = page.locator(".paper-document");
      await expect(paper.getByRole("heading", { name: "Emitter survey" })).toBeVisible();
      await expect(paper.getByRole("heading", { level: 2 })).toHaveText(
        "Emitter capacity at lower flow temperatures",
      );
      await expect.poll(() => marked(page)).toBe(quoted);
      await expect(page.locator(".text-hit").first()).toBeInViewport();
      await expect(paper.locator(".edge-bar").first()).toContainText("3");
      await expect
        .poll(async () => (await page.locator(".text-passage").allTextContents()).join(""))
        .toMatch(/^\s*The remaining 22 % are almost all in corner rooms on the top floor\.$/);
      await expect(paper.getByRole("table").getByRole("row")).toHaveCount(4);
      await expect(paper.getByRole("listitem")).toHaveText([
        "Balance the risers first.",
        "Heat the hot water to 60 °C once a week.",
      ]);
    });
    test("marks the cells of the cited rows", async ({ page, gateway }) => {
      cite(gateway, await make(), tableText.split("\n\n").slice(1).join("\n\n"));
      await openCited(page, gateway, "It pays off [3].");
      await expect(page.locator("td .text-hit")).toHaveText([
        "48 °C",
        "3.4",
        "22 %",
        "42 °C",
        "3.7",
        "61 %",
      ]);
      await expect(page.locator(".text-hit")).toHaveCount(6);
    });
  });

test.describe("Markdown in the viewer", () => {
  test("is rendered, with the quote marked across its markup", async ({ page, gateway }) => {
    const original = markdown();
    cite(gateway, original, paragraph.replace("78 %", "**78 %**"));
    await openCited(page, gateway, `${quoted} [3]`);
    const paper = page.locator(".paper-document");
    await expect(paper.getByRole("heading", { level: 1 })).toHaveText("Emitter survey");
    await expect.poll(() => marked(page)).toBe(quoted);
    await expect(paper.locator("mark", { hasText: "78 %" }).last()).toBeInViewport();
    await expect(paper.getByRole("table").getByRole("row")).toHaveCount(4);
    await expect(paper.getByRole("listitem").filter({ hasText: "done" })).toHaveText("☑ done");
    await expect(paper.locator("pre")).toHaveText("tags: heating");
  });
});

test.describe("a document in the viewer", () => {
  test("shows the pictures of a book, and none from elsewhere", async ({ page, gateway }) => {
    cite(gateway, await epub(), paragraph);
    await openCited(page, gateway, `${quoted} [3]`);
    await expect(page.getByRole("img", { name: "A radiator" })).toHaveAttribute(
      "src",
      /^data:image\/png/,
    );
    cite(gateway, html(), paragraph);
    await openCited(page, gateway, `${quoted} [3]`);
    await expect(page.locator(".paper-document")).toContainText("A radiator");
    await expect(page.locator(".paper-document img")).toHaveCount(0);
    await expect(page.locator(".paper-document")).not.toContainText("Home");
  });
  test("shows its text if the file is damaged or the passage isn't in it", async ({
    page,
    gateway,
  }) => {
    const original = await docx();
    cite(gateway, { ...original, bytes: Buffer.from("not a zip") }, paragraph);
    await openCited(page, gateway, `${quoted} [3]`);
    await expect(page.getByText("Couldn't display the pages.")).toBeVisible();
    await expect(page.locator(".paper-text .text-hit")).toHaveText(quoted);
    cite(gateway, { ...html(), bytes: Buffer.from("<p>Something else.</p>") }, paragraph);
    await openCited(page, gateway, `${quoted} [3]`);
    await expect(page.locator(".paper-text .text-hit")).toHaveText(quoted);
  });
});
