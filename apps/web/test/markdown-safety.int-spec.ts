import { describe, expect, it } from "@jest/globals";
import { poll } from "@carrel/testing";
import { small } from "./hostile-markdown.ts";
import { settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
/** Notes in the page what must not happen there. */
const watch = `(() => {
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
})()`;
interface Watched {
  violations: string[];
  broken?: unknown;
}

/**
 * Everything that a text could bring about outside of itself: requests elsewhere, dialogs, new
 * pages, another address.
 */
async function guard(): Promise<{ faults: string[]; check: () => Promise<void> }> {
  const faults: string[] = [];
  const { page, context, gateway } = web;
  await context.route(
    (url) => !url.href.startsWith(gateway.url) && !/^(data|blob):/.test(url.protocol),
    (route) => {
      faults.push(`request ${route.request().url()}`);
      return route.abort();
    },
  );
  await page.addInitScript(watch);
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(gateway.url) && frame.url() !== "about:blank")
      faults.push(`went to ${frame.url()}`);
  });
  page.on("frameattached", (frame) => faults.push(`frame ${frame.url()}`));
  context.on("page", (opened) => faults.push(`opened ${opened.url()}`));
  return {
    faults,
    async check() {
      await settled(page);
      const seen = await page.evaluate(() => {
        const { violations, broken } = window as unknown as Watched;
        return { violations, broken };
      });
      expect({
        faults,
        violations: seen.violations,
        broken: seen.broken,
        address: page.url(),
      }).toEqual({ faults: [], violations: [], broken: undefined, address: web.thread() });
    },
  };
}

describe("Markdown of a hostile model in a real browser", () => {
  it("runs nothing, loads nothing, opens nothing and leads nowhere: all of it as the answers of a thread", async () => {
    for (const { name, text } of small)
      web.gateway.addTurn("heat-pump-retrofit", "flow", {
        question: `Case ${name}.`,
        answer: `${text}\n`,
      });
    const { check } = await guard();
    await web.page.goto(web.thread());
    await web.page.getByText(`Case ${small.at(-1)!.name}.`).waitFor();
    const seen = new Set<string>();
    // Upwards by half a page at a time, each drawn before the next.
    await poll(
      async () => {
        for (const words of await web.page.locator(".mine").allTextContents()) seen.add(words);
        await web.page.getByRole("log").evaluate((log) => {
          log.scrollTop -= 400;
        });
        await settled(web.page);
        return seen.has(`Case ${small[0]!.name}.`);
      },
      { timeoutMs: 180_000 },
    ).toBe(true);
    expect(small.filter(({ name }) => !seen.has(`Case ${name}.`)).map(({ name }) => name)).toEqual(
      [],
    );
    await check();
  });

  it("nor while it streams, cut anywhere", async () => {
    web.gateway.pace = 0;
    const { check } = await guard();
    await web.page.goto(web.thread());
    const chosen = small.filter((_, n) => n % 7 === 0);
    for (const [place, { name, text }] of chosen.entries()) {
      web.gateway.answer = text;
      await web.page.getByLabel("Message", { exact: true }).fill(`Case ${name}.`);
      await web.page.keyboard.press("Enter");
      await web.page.getByText(`Case ${name}.`).waitFor();
      await poll(
        () =>
          web.gateway.turns["heat-pump-retrofit/flow"]?.filter(({ state }) => state === "done")
            .length,
      ).toBe(place + 1);
      await web.page.waitForFunction(
        () => document.querySelector('.answer[aria-busy="true"]') === null,
      );
    }
    await check();
  });

  it("a link opens beside the page, on a click only, and the new page cannot reach this one", async () => {
    web.gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Where?",
      answer: "[There](https://evil.test/there) or ![a plan](https://evil.test/plan.png)",
    });
    await web.context.route("https://evil.test/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<script>document.title = String(window.opener) + document.referrer</script>",
      }),
    );
    await web.page.goto(web.thread());
    for (const name of ["There", "a plan"]) {
      const opened = web.context.waitForEvent("page");
      await web.page.getByRole("link", { name }).click();
      const other = await opened;
      await other.waitForLoadState();
      await poll(async () => [new URL(other.url()).host, await other.title()]).toEqual([
        "evil.test",
        "null",
      ]);
      await other.close();
    }
    expect(web.page.url()).toBe(web.thread());
  });
});
