import type { Page } from "@playwright/test";
import { ask, expect, phone, settled, test, threadPath } from "./fixtures.ts";

const cited =
  "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load without any change.";
const pageWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

test.describe("citation", () => {
  test("opens a text with exactly the cited sentence highlighted, and the passage around it in pale", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.answer = `${cited} [3]\n\nFour fifths are large enough [3].\n\n${cited} Where two outside walls meet the roof [1].`;
    await page.goto(threadPath);
    await ask(page, "q");
    await expect(page.getByText("412 tokens")).toBeVisible();
    const marks = page.locator(".md").getByRole("button", { name: /^Source 3/ });
    await marks.first().click();
    await expect(page.locator(".text-hit")).toBeVisible();
    await expect(page.locator(".text-hit")).toHaveText([cited]);
    await expect
      .poll(async () => (await page.locator(".text-passage").allTextContents()).join(""))
      .toMatch(/^ The remaining 22 %/);
    await expect
      .poll(async () => {
        const bar = (await page.locator(".paper-text .edge-bar").boundingBox())!;
        const hit = (await page.locator(".text-hit").boundingBox())!;
        return Math.abs(bar.y - hit.y) < 3 && Math.abs(bar.height - hit.height) < 6
          ? "beside it"
          : [bar, hit];
      })
      .toBe("beside it");
    // Paraphrased by the model: the whole passage is highlighted.
    await marks.nth(1).click();
    await expect(
      page.getByText("where two outside walls meet the roof.").and(page.locator(".text-hit")),
    ).toBeVisible();
    await expect(page.locator(".text-passage")).toHaveCount(0);
    // The source as a whole: all text that the answer quotes from it.
    await page.locator("[data-chips]").getByRole("button", { name: /^3/ }).click();
    await expect(page.locator(".text-passage")).toBeVisible();
    await expect(page.locator(".text-hit")).toHaveText([cited]);
  });
  test("opens a PDF with the quoted line highlighted and the passage in pale", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.answer = `${cited} [1]`;
    await page.goto(threadPath);
    await ask(page, "q");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await page
      .locator(".md")
      .getByRole("button", { name: /^Source 1/ })
      .click();
    await expect(page.locator(".pdf-mark").first()).toBeVisible();
    await expect
      .poll(async () => [
        await page.locator(".pdf-mark").count(),
        await page.locator(".pdf-passage").count(),
        await page.locator(".edge-bar").textContent(),
      ])
      .toEqual([1, 2, "1"]);
  });
});

test.describe("keyboard only", () => {
  test("goes to another workspace, opens a source and closes it, and focus returns to the citation", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    await page.goto(threadPath);
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByPlaceholder("Search workspaces")).toBeFocused();
    await page.keyboard.type("tenant");
    await expect(
      page.getByRole("option", { selected: true }).filter({ hasText: "Tenant handbook" }),
    ).toBeVisible();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/tenant-handbook");
    // Until then the previous page is still shown.
    await expect(page).toHaveTitle("Default thread · Carrel");
    await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
    await page.keyboard.type("q");
    await page.keyboard.press("Enter");
    await expect(page.getByText("412 tokens")).toBeVisible();
    const at = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    for (let n = 0; n < 40 && !(await at()).startsWith("Source 3"); n += 1)
      await page.keyboard.press("Shift+Tab");
    await expect.poll(at).toMatch(/^Source 3/);
    await page.keyboard.press("Enter");
    await expect(page.locator(".pdf-mark").first()).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-panel")))
      .toBe(true);
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-panel]")).toHaveCount(0);
    await expect.poll(at).toMatch(/^Source 3/);
  });
});

test.describe("on a phone", () => {
  test.describe(() => {
    test.use(phone);
    test("never scrolls sideways, during and after the stream: long words, tables, code, formulas and names", async ({
      page,
      gateway,
    }) => {
      const long =
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(
          3,
        );
      gateway.workspaces[0]!.name = long;
      gateway.threads["heat-pump-retrofit"]![0]!.name = long;
      gateway.sources = gateway.sources.map((source) => ({
        ...source,
        title: `${long}.pdf`,
      }));
      gateway.answer = [
        `### ${long}`,
        `${long} [1] \`${long}\` https://example.org/${long}`,
        ["Column | ", "--- | ", "1,234,567 | "].map((cell) => `| ${cell.repeat(12)}`).join("\n"),
        `\`\`\`js\nconst a = '${long}';\n\`\`\``,
        `$$${"x_1 + ".repeat(40)}y$$`,
        `> ${long}`,
        `- ${long}\n`,
      ].join("\n\n");
      gateway.pace = 1;
      gateway.heldAfter = 0;
      await page.goto(threadPath);
      await ask(page, `${long}?`);
      await expect(page.getByRole("button", { name: "Stop (Esc)" })).toBeVisible();
      for (const frames of [30, 80, 120, 160]) {
        // In the heading, the table, the code and the formula.
        gateway.heldAfter = frames;
        await expect.poll(() => gateway.written).toBe(frames);
        await settled(page);
        expect(await pageWidth(page)).toBe(390);
      }
      gateway.heldAfter = null;
      while ((await page.getByRole("button", { name: "Stop (Esc)" }).count()) > 0) {
        expect(await pageWidth(page)).toBe(390);
        await settled(page);
      }
      await expect(page.locator(".katex").first()).toBeVisible();
      await expect.poll(() => pageWidth(page)).toBe(390);
      await expect
        .poll(() =>
          page.evaluate(() =>
            [...document.querySelectorAll('[role="log"] > div > *')]
              .filter((each) => each.getBoundingClientRect().right > 391)
              .map((each) => each.className),
          ),
        )
        .toEqual([]);
      await expect
        .poll(() => page.getByRole("log").evaluate((box) => box.scrollWidth - box.clientWidth))
        .toBeLessThanOrEqual(0);
      await page.locator("[data-chips] button").first().click();
      await expect(page.locator("[data-panel]")).toBeVisible();
      await expect.poll(() => pageWidth(page)).toBe(390);
    });
  });
});

test.describe("reduced motion", () => {
  test.describe(() => {
    test.use({ reducedMotion: "reduce" });
    test("nothing moves while an answer is written or files are uploaded", async ({
      page,
      gateway,
    }) => {
      gateway.heldAfter = 45;
      const moving = (): Promise<string[]> =>
        page.evaluate(() =>
          document
            .getAnimations()
            .filter(
              (each) =>
                each.playState === "running" &&
                Number(each.effect?.getComputedTiming().endTime ?? 0) > 20,
            )
            .map((each) =>
              each instanceof CSSAnimation ? each.animationName : each.constructor.name,
            ),
        );
      await page.goto(threadPath);
      await ask(page, "q");
      await expect(
        page.getByRole("listitem").filter({ hasText: "Balance the risers" }),
      ).toBeVisible();
      expect(await moving()).toEqual([]);
      await page.keyboard.press("Control+k");
      await expect(page.getByPlaceholder("Search workspaces")).toBeVisible();
      expect(await moving()).toEqual([]);
      await page.goto("/workspace/heat-pump-retrofit/documents");
      await expect(page.getByText("Embedding, 312 of 1,050")).toBeVisible();
      expect(await moving()).toEqual([]);
    });
  });
});
