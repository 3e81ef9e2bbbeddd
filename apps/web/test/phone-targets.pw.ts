import type { Page } from "@playwright/test";
import { expect, phone, test, threadPath } from "./fixtures.ts";

/** Everything that can be tapped, except links within sentences (WCAG 2.2, 2.5.8). */
const targets =
  "button, a[href], input:not([type=file]), select, textarea, [role=radio], [role=checkbox], [role=switch], [role=tab]";

/**
 * Names of the targets in view that are smaller than 24 px: taps 11 px from their middle, or from
 * that of their label, miss them.
 */
const tooSmall = (page: Page): Promise<string[]> =>
  page.locator(targets).evaluateAll((all) =>
    all.flatMap((target) => {
      const box = target.getBoundingClientRect();
      const isShown = target.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const isInText = target.tagName === "A" && target.closest("p, li") !== null;
      const label = target.closest("label");
      const isRead = box.width <= 1 || box.height <= 1;
      if (!isShown || isRead || isInText || (target as HTMLButtonElement).disabled) return [];
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const isInView = x > 12 && y > 12 && x < innerWidth - 12 && y < innerHeight - 12;
      // If something such as a bar covers the middle, it covers the target.
      const hits = (px: number, py: number): boolean => {
        const hit = document.elementFromPoint(px, py);
        return target.contains(hit) || (label?.contains(hit) ?? false);
      };
      if (!isInView || !hits(x, y)) return [];
      const isLarge = [-11, 11].every((by) => hits(x + by, y) && hits(x, y + by));
      const name = target.getAttribute("aria-label") ?? target.textContent;
      return isLarge ? [] : [`${name} ${box.width}x${box.height}`];
    }),
  );

/** Taps this far from the middle, above, below and beside it, that miss the target. */
const missed = (page: Page, selector: string, across = true): Promise<string[]> =>
  page.locator(selector).evaluateAll(
    (all, sideways) =>
      all.flatMap((target) => {
        target.scrollIntoView({ block: "center" });
        const { left, top, width, height } = target.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const points = [
          [x, y - 21],
          [x, y + 21],
          ...(sideways
            ? [
                [x - 21, y],
                [x + 21, y],
              ]
            : []),
        ];
        return points.flatMap(([px, py]) =>
          target.contains(document.elementFromPoint(px!, py!))
            ? []
            : [`${target.getAttribute("aria-label") ?? target.textContent} ${px! - x},${py! - y}`],
        );
      }),
    across,
  );

test.describe("targets on a phone", () => {
  test.use(phone);

  test("are at least 24 px on the main screen", async ({ page }) => {
    await page.goto("/workspace/heat-pump-retrofit");
    await expect(page.getByText("What would you like to know?")).toBeVisible();
    await expect.poll(() => tooSmall(page)).toEqual([]);
  });

  test("of citations, footnotes and the composer can be hit within 44 px", async ({
    page,
    gateway,
  }) => {
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Which?",
      answer: "The boilers run at 55 °C [1][2].\n\nAt night it is less.[^1]\n\n[^1]: Measured.",
      sources: gateway.sources,
    });
    await page.goto(threadPath);
    await expect(page.locator(".footnote-mark")).toBeVisible();
    await expect.poll(() => tooSmall(page)).toEqual([]);
    await expect.poll(() => missed(page, "button.footnote-mark")).toEqual([]);
    // The two citations stand side by side.
    await expect.poll(() => missed(page, "button.cite", false)).toEqual([]);
    await expect
      .poll(() => missed(page, "[data-composer] [data-tools] button:not([role=radio])"))
      .toEqual([]);
    await expect.poll(() => missed(page, "[data-composer] [role=radio]", false)).toEqual([]);
  });

  test("come without keyboard hints", async ({ page }) => {
    await page.goto(threadPath);
    await page.getByRole("button", { name: "Open sidebar" }).tap();
    await expect(page.getByRole("button", { name: "Search" }).first()).toBeVisible();
    await expect.poll(() => page.locator("kbd:visible").count()).toBe(0);
    await expect(page.getByText("Enter to send")).toBeHidden();
    await page.getByRole("button", { name: "Search" }).first().tap();
    await expect(page.getByRole("option").first()).toBeVisible();
    await expect(page.getByText(/^(Ctrl|⌘) /).filter({ visible: true })).toHaveCount(0);
  });
});
