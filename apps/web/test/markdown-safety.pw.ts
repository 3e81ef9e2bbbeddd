import { sample } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, settled, stepwise, test, threadPath } from "./fixtures.ts";
import { large, small } from "./hostile-markdown.ts";
import { guard } from "./page-guard.ts";

/**
 * Splits the texts into parts that fit into a test's time limit: each text is rendered for real.
 */
function parts<T>(texts: readonly T[], size: number): [string, T[]][] {
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, n) => [
    `part ${n + 1}`,
    texts.slice(n * size, (n + 1) * size),
  ]);
}

/** CPU time of the page's main thread for one large text; ordinary ones take far less. */
const mostSeconds = 15;
/** Reads the CPU time of the page's main thread so far, however busy the machine is. */
async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () =>
    (await session.send("Performance.getMetrics")).metrics.find(
      ({ name }) => name === "TaskDuration",
    )!.value;
}

/** Asks a question, gets this text as the answer in three parts, and waits until it is rendered. */
async function answer(
  page: Page,
  gateway: FakeGateway,
  question: string,
  text: string,
): Promise<void> {
  const isDone = (): number =>
    gateway.turns["heat-pump-retrofit/flow"]?.filter(({ state }) => state === "done").length ?? 0;
  const before = isDone();
  gateway.answer = text;
  gateway.partLength = Math.ceil(text.length / 3) + 1;
  await page.getByLabel("Message", { exact: true }).fill(question);
  await page.keyboard.press("Enter");
  await expect.poll(isDone).toBe(before + 1);
  await page.waitForFunction(() => document.querySelector('article[aria-busy="true"]') === null);
  await settled(page);
}

test.describe("Markdown from a hostile model in a real browser", () => {
  for (const [part, texts] of parts(sample(small, 3), 60))
    test(`runs, loads and opens nothing, and never navigates: all samples as the answers of a thread, ${part}`, async ({
      page,
      gateway,
    }) => {
      for (const { name, text } of texts)
        gateway.addTurn("heat-pump-retrofit", "flow", {
          question: `Case ${name}.`,
          answer: `${text}\n`,
        });
      const { check } = await guard(page, gateway);
      await page.goto(threadPath);
      await expect(page.getByText(`Case ${texts.at(-1)!.name}.`)).toBeVisible();
      const seen = new Set<string>();
      // Scroll up by half a page at a time, rendering each before the next.
      await expect
        .poll(async () => {
          for (const words of await page.locator("[data-question]").allTextContents())
            seen.add(words);
          await page.getByRole("log").evaluate((log) => {
            log.scrollTop -= 400;
          });
          await settled(page);
          return seen.has(`Case ${texts[0]!.name}.`);
        }, stepwise)
        .toBe(true);
      expect(
        texts.filter(({ name }) => !seen.has(`Case ${name}.`)).map(({ name }) => name),
      ).toEqual([]);
      await check();
    });

  for (const [part, texts] of parts(sample(small, 14), 13))
    test(`runs, loads and opens nothing while streaming, cut anywhere, ${part}`, async ({
      page,
      gateway,
    }) => {
      gateway.pace = 0;
      const { check } = await guard(page, gateway);
      await page.goto(threadPath);
      for (const [place, { name, text }] of texts.entries()) {
        gateway.answer = text;
        await page.getByLabel("Message", { exact: true }).fill(`Case ${name}.`);
        await page.keyboard.press("Enter");
        await expect(page.getByText(`Case ${name}.`)).toBeVisible();
        await expect
          .poll(
            () =>
              gateway.turns["heat-pump-retrofit/flow"]?.filter(({ state }) => state === "done")
                .length,
          )
          .toBe(place + 1);
        await page.waitForFunction(
          () => document.querySelector('article[aria-busy="true"]') === null,
        );
      }
      await check();
    });

  for (const [part, texts] of parts(sample(large, 4), 10))
    test(`stays fast while large texts stream, cut anywhere, and adds no other elements, ${part}`, async ({
      page,
      gateway,
    }) => {
      await page.setViewportSize({ width: 480, height: 320 }); // little to paint
      gateway.sources = [];
      const { check } = await guard(page, gateway);
      await page.goto(threadPath);
      const cpuSeconds = await mainThread(page);
      const slow: Record<string, number> = {};
      for (const { name, text } of texts) {
        const before = await cpuSeconds();
        await answer(page, gateway, name, text);
        const seconds = (await cpuSeconds()) - before;
        if (seconds > mostSeconds) slow[name] = seconds;
      }
      expect(slow).toEqual({});
      await check();
    });

  test("a link opens in a new tab, only when clicked, and the new page cannot reach this one", async ({
    page,
    gateway,
    context,
  }) => {
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Where?",
      answer: "[There](https://evil.test/there) or ![a plan](https://evil.test/plan.png)",
    });
    await context.route("https://evil.test/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<script>document.title = String(window.opener) + document.referrer</script>",
      }),
    );
    await page.goto(threadPath);
    for (const name of ["There", "a plan"]) {
      const opened = context.waitForEvent("page");
      await page.getByRole("link", { name }).click();
      const other = await opened;
      await other.waitForLoadState();
      await expect
        .poll(async () => [new URL(other.url()).host, await other.title()])
        .toEqual(["evil.test", "null"]);
      await other.close();
    }
    await expect(page).toHaveURL(threadPath);
  });
});
