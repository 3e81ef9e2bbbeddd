import { expect, settled, stepwise, test, threadPath } from "./fixtures.ts";

const formula = String.raw`E_{1} = \sum_{i=1}^{n} \frac{x_i^2}{\sqrt{1 + y_i}}`;
const answer = (n: number): string =>
  [
    `**Answer ${n}** holds for $x_{${n}} = 1$ and \\(a + b\\).`,
    "It goes on for some lines. ".repeat(20),
    `$$\n${formula}\n$$`,
    "```ts\nexport const flow = compute(35); // in degrees\n```",
    `The end of ${n}.`,
  ].join("\n\n");

test.describe("long answers", () => {
  test("show their text before formulas and colors are loaded, which then move little", async ({
    page,
    gateway,
  }) => {
    for (let n = 1; n <= 100; n += 1)
      gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Question ${n}.`,
        answer: answer(n),
      });
    const held = Promise.withResolvers<void>();
    await page.route(/(?:math|highlight)-plugin/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { element } of list.getEntries() as unknown as { element: Element | null }[])
          Object.assign(globalThis, { largest: element?.textContent });
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    const largest = (): Promise<string> =>
      page.evaluate(() => (globalThis as unknown as { largest: string }).largest);
    await page.goto(threadPath);
    const last = page.getByRole("article").last();
    await expect(last.getByText("The end of 100.")).toBeVisible();
    // Markdown is rendered; formulas and code are their sources.
    await expect(last.getByText("Answer 100", { exact: true })).toHaveCSS("font-weight", "600");
    await expect(last.locator(".math-display")).toHaveText(formula);
    await expect(last.locator(".code pre")).toContainText("compute(35); // in degrees");
    await expect(last.locator(".katex, .hljs-comment")).toHaveCount(0);
    // The largest paint is the text's.
    await expect.poll(largest).toMatch(/^It goes on for some lines/);
    await expect.poll(() => page.evaluate(() => document.fonts.status)).toBe("loaded");
    const top = async (): Promise<number> =>
      (await last.getByText("Answer 100", { exact: true }).boundingBox())!.y;
    const before = await top();
    held.resolve();
    await expect(last.locator(".katex-display")).toBeVisible();
    await expect(last.locator(".katex")).toHaveCount(3);
    await expect(last.locator(".hljs-comment")).toHaveText("// in degrees");
    await settled(page);
    expect(await largest()).toMatch(/^It goes on for some lines/);
    expect(Math.abs((await top()) - before)).toBeLessThan(8);
  });
  test("are complete wherever scrolling ends", async ({ page, gateway }) => {
    for (let n = 1; n <= 49; n += 1)
      gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Question ${n}.`,
        answer: answer(n),
        sources: gateway.sources,
      });
    await page.goto(threadPath);
    await expect(page.getByText("The end of 49.")).toBeVisible();
    await page.getByRole("log").hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -1_500);
        return page.getByText("Question 1.", { exact: true }).count();
      }, stepwise)
      .toBe(1);
    const first = page.locator('[data-index="0"]');
    await expect(first.locator(".katex")).toHaveCount(3);
    await expect(first.locator(".hljs-comment")).toHaveText("// in degrees");
    await expect(first.getByRole("button", { name: "Regenerate" })).toBeAttached();
    await expect(first.getByText("**")).toHaveCount(0);
    // Turns above the view may change their height, which must not move what is read.
    await expect.poll(() => page.getByRole("log").evaluate((box) => box.scrollTop)).toBe(0);
  });
});
