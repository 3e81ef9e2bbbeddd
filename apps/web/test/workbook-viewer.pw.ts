import { expect, test } from "./fixtures.ts";
import { csv, rowsText, xlsx } from "./make-workbook.ts";
import { openCited } from "./open-cited.ts";
import { cite } from "./originals.ts";

for (const [name, make] of [
  ["XLSX", xlsx],
  ["CSV", csv],
] as const)
  test(`${name} is a grid, opened at the rows of the passage, with the cited one marked`, async ({
    page,
    gateway,
  }) => {
    cite(gateway, make(), rowsText(4_001, 4_003));
    await openCited(page, gateway, "Run T-4002 had the crash rate 1.4 % with driver 52026 [3].");
    const quote = page.locator('[data-marked="quote"]');
    await expect(quote.getByRole("cell").first()).toHaveText("T-4002");
    await expect(quote).toHaveCount(1);
    await expect(quote).toBeInViewport();
    await expect(quote.getByRole("rowheader")).toHaveText("34003");
    await expect(quote.locator("[data-source-number]")).toHaveText("3");
    await expect(
      page.locator('[data-marked="passage"]').getByRole("cell", { name: /^T-/ }),
    ).toHaveText(["T-4001", "T-4003"]);
    // Only rows in view are rendered.
    await expect.poll(() => page.getByRole("row").count()).toBeLessThan(80);
    await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "5001");
  });

test("a workbook shows its other sheets, and the cited one again", async ({ page, gateway }) => {
  cite(gateway, xlsx(), rowsText(10, 12));
  await openCited(page, gateway, "Yes [3].");
  const tabs = page.getByRole("tablist", { name: "Sheets" }).getByRole("tab");
  await expect(tabs).toHaveText(["Notes", "Runs 2026"]);
  await expect(tabs.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(page.locator('[data-marked="quote"]')).toHaveCount(3);
  await tabs.first().click();
  await expect(page.getByRole("cell", { name: "Nothing here." })).toBeVisible();
  await expect(page.locator("[data-marked]")).toHaveCount(0);
  await tabs.nth(1).click();
  await expect(page.locator('[data-marked="quote"]')).toHaveCount(3);
});

test("a damaged workbook is shown as text", async ({ page, gateway }) => {
  const passage = rowsText(10, 12);
  cite(gateway, { ...xlsx(), bytes: Buffer.from("PK\u0003\u0004 not a zip") }, passage);
  await openCited(page, gateway, "Yes [3].");
  await expect(page.locator(".paper-text .text-hit")).toContainText("Run: T-10");
});
