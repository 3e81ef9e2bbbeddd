import { sample } from "@carrel/testing";
import { documentFaults } from "./document-faults.ts";
import { expect, test } from "./fixtures.ts";
import { hostile, large } from "./hostile-markdown.ts";
import { makeBook } from "./make-originals.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";
import { guard } from "./page-guard.ts";

const words = "The words that the answer cites.";
const closing = `<p>${words}</p>`;

test.describe("a hostile document in a real browser", () => {
  test("runs, loads and opens nothing, and never navigates: a book of all samples", async ({
    page,
    gateway,
  }) => {
    cite(
      gateway,
      {
        title: "Hostile.epub",
        mime: "application/epub+zip",
        bytes: await makeBook([...hostile.map(({ text }) => text), closing]),
        text: words,
      },
      words,
    );
    const { check } = await guard(page, gateway);
    await openCited(page, gateway, "Cited [3].");
    await expect(page.locator(".paper-document .text-hit")).toHaveText(words);
    expect(await page.locator(".paper-document > div").evaluate(documentFaults)).toEqual([]);
    await check();
  });
  test("doesn't freeze the page: Markdown that takes long to parse", async ({ page, gateway }) => {
    cite(
      gateway,
      {
        title: "hostile.md",
        mime: "text/markdown",
        bytes: Buffer.from([words, ...sample(large, 4).map(({ text }) => text)].join("\n\n")),
        text: words,
      },
      words,
    );
    const { check } = await guard(page, gateway);
    await openCited(page, gateway, "Cited [3].");
    await expect(page.locator(".text-hit").first()).toHaveText(words);
    await check();
  });
  for (const [name, html] of [
    ["nested deeply", "<div>".repeat(100_000)],
    ["with huge attributes", `<p title="${"x".repeat(1_000_000)}">`.repeat(3)],
    ["with many unclosed elements", "<b><i><a href=https://evil.test>".repeat(2_000)],
  ] as const)
    test(`is shown: HTML ${name}`, async ({ page, gateway }) => {
      cite(
        gateway,
        {
          title: "hostile.html",
          mime: "text/html",
          bytes: Buffer.from(`${closing}${html}`),
          text: words,
        },
        words,
      );
      const { check } = await guard(page, gateway);
      await openCited(page, gateway, "Cited [3].");
      await expect(page.locator(".text-hit").first()).toHaveText(words);
      await check();
    });
});
