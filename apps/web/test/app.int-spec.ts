import { existsSync, readFileSync, statSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import type { BrowserContext, Page } from "playwright-core";
import type { FakeGateway } from "./fake-gateway.ts";
import { dist, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
let gateway: FakeGateway;
let context: BrowserContext;
let page: Page;
const take = (): void => {
  ({ gateway, context, page } = web);
};
beforeEach(take);
const open = async (options: Parameters<typeof web.open>[0]): Promise<void> => {
  await web.open(options);
  take();
};
const { thread, ask } = web;
const serious = async (): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map(
      (each) =>
        `${each.id}: ${each.nodes
          .map((node) => node.html.slice(0, 160))
          .slice(0, 3)
          .join(" | ")}`,
    );
};

describe("workspaces and threads", () => {
  it("makes the first workspace from the empty home", async () => {
    gateway.workspaces = [];
    await page.goto(gateway.url);
    await page.getByLabel("What is it about?").fill("Board minutes");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.waitForURL("**/workspace/board-minutes");
    await page.getByText("Add documents to Board minutes").waitFor();
  });
  it("goes to the first workspace, makes, renames and deletes a thread with the words of the specification", async () => {
    await page.goto(gateway.url);
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await page.getByText("What should we look up?").waitFor();
    await page.keyboard.press("Control+Shift+O");
    await page.waitForURL("**/t/thread-3");
    await page.getByRole("button", { name: "Menu of Thread" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page
      .getByRole("textbox", { name: "Name" })
      .fill("A name that is longer than twenty-five");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "A name that is longer tha…" }).waitFor();
    await page.getByRole("button", { name: "Menu of A name" }).click();
    await page.getByRole("menuitem", { name: "Delete Thread" }).click();
    await page
      .getByText(
        "Are you sure you want to delete this thread? All of its chats will be deleted. You cannot undo this.",
      )
      .waitFor();
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await page.getByText("Thread deleted successfully!").waitFor();
    await page.waitForURL("**/workspace/heat-pump-retrofit");
    await page
      .getByRole("link", { name: "A name that is longer tha…" })
      .waitFor({ state: "detached" });
  });
  it("finds a workspace by the palette, and everything by keys", async () => {
    await page.goto(thread());
    await page.getByText("What should we look up?").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Go to a workspace").fill("tenant");
    await page
      .getByRole("option", { selected: true })
      .filter({ hasText: "Tenant handbook" })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/tenant-handbook");
    await page.keyboard.press("Control+b");
    await poll(() => page.locator(".side").isVisible()).toBe(false);
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  });
});

describe("an answer", () => {
  it("streams, shows its stage, its marks and its sources, and opens the page at the passage", async () => {
    gateway.heldAfter = 2;
    await page.goto(thread());
    await ask("What flow temperature?");
    await page.getByText("Searching 24 documents").first().waitFor();
    gateway.heldAfter = 3;
    await page
      .getByText(/Reading 4/)
      .first()
      .waitFor();
    gateway.heldAfter = 4;
    await page
      .getByText(/Writing, with/)
      .first()
      .waitFor();
    gateway.heldAfter = null;
    await page.getByText("412 tokens · 6.2 s · 66 tok/s").waitFor();
    await page.getByText("Searched 24 documents, read 4 passages · 1.1 s").waitFor();
    await poll(() => page.locator(".md strong").first().textContent()).toBe(
      "78 % of the radiators already cover their room",
    );
    await poll(() => page.locator(".md table").count()).toBe(1);
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .click();
    await page.getByText("Page 2 of 3 · match 0.86").waitFor();
    await page.locator(".pdf-mark").first().waitFor();
    await page.getByRole("button", { name: "Next passage" }).click();
    await page.getByRole("button", { name: "Next passage" }).click();
    await poll(() => page.locator(".text-hit").textContent()).toContain("48 °C, 78 %");
    await page.keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
  });
  it("goes on after a dropped connection without losing or doubling a word", async () => {
    gateway.cutAfter = 12;
    gateway.heldAfter = 11;
    await page.goto(thread());
    await ask("Again?");
    await page
      .locator(".md")
      .getByText(/^At 48 °C/)
      .waitFor();
    gateway.heldAfter = null;
    await page.getByText("412 tokens").waitFor();
    const attached = gateway.requests.filter((each) => each.path.startsWith("/generation/"));
    expect(attached).toHaveLength(1);
    // what was on its way when the line broke is asked for again
    expect(Number(attached[0]?.lastEventId)).toBeGreaterThanOrEqual(8);
    await poll(() => page.getByText("Balance the risers first").count()).toBe(1);
    await poll(() => page.locator(".md h3").allTextContents()).toEqual([
      "Design for 48 °C at −8 °C outdoors",
    ]);
  });
  it("goes on after a reload in the middle, and in another tab", async () => {
    gateway.heldAfter = 20;
    await page.goto(thread());
    await ask("And now?");
    await page.getByText("Comparable blocks").waitFor();
    const other = await context.newPage();
    await other.goto(thread());
    await page.reload();
    for (const each of [page, other])
      await each.getByRole("button", { name: "Stop (Esc)" }).waitFor();
    gateway.heldAfter = null;
    for (const each of [page, other]) {
      await each.getByText("412 tokens").waitFor();
      await poll(() => each.locator(".md h3").allTextContents()).toEqual([
        "Design for 48 °C at −8 °C outdoors",
      ]);
    }
  });
  it("stops with Esc and keeps the text so far", async () => {
    gateway.heldAfter = 20;
    await page.goto(thread());
    await ask("Stop me");
    await page.getByText("78 % of the radiators").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("article").getByText("Stopped. What was written is kept.").waitFor();
    await poll(() => page.locator(".md").getByText("78 % of the radiators").count()).toBe(1);
  });
  it("says what failed and asks again", async () => {
    gateway.failWith = { status: 500 };
    await page.goto(thread());
    await ask("Will it?");
    await page.getByText("An error occurred while streaming response. Unknown Error.").waitFor();
    gateway.failWith = null;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("412 tokens").waitFor();
    await poll(() => page.getByText("Will it?").count()).toBe(1);
  });
  it("renders no HTML, loads no picture, and opens links elsewhere", async () => {
    gateway.answer =
      'Hi <img src=x onerror="document.title=1"><script>document.title=1</script> ![pic](https://evil.example/a.png) [site](https://example.org) [bad](javascript:alert(1)) $x^2$';
    await page.goto(thread());
    await ask("Unsafe?");
    await page.locator(".md .katex").waitFor();
    await poll(() => page.locator(".md img, .md script").count()).toBe(0);
    await poll(() => page.getByRole("link", { name: "site" }).getAttribute("rel")).toContain(
      "noreferrer",
    );
    await poll(() => page.getByRole("link", { name: "bad" }).count()).toBe(0);
  });
});

describe("documents", () => {
  it("lists states, follows progress, shows a failure with its remedy and takes files", async () => {
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
    await page.getByText("Embedding, 312 of 1,050").waitFor();
    await poll(() => gateway.progressWatchers).toBe(1);
    const moving = gateway.documents["heat-pump-retrofit"]![1]!;
    gateway.report({
      type: "document_state",
      document: { ...moving, chunksDone: 700, progress: 0.66 },
    });
    await page.getByText("Embedding, 700 of 1,050").waitFor();
    await page.getByText("It is locked with a password.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("It is locked with a password.").waitFor({ state: "detached" });
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "Minutes.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("We decided."),
      });
    await page.getByText("Minutes.txt").first().waitFor();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "tool.exe",
        mimeType: "application/octet-stream",
        buffer: Buffer.from("MZ"),
      });
    await page.getByText("Files of this type cannot be read.").waitFor();
    await page.getByLabel("Address of a web page").fill("http://127.0.0.1/");
    await page.keyboard.press("Enter");
    await page.getByText("Private addresses are not fetched.").waitFor();
    await page.getByLabel("Search documents").fill("noise");
    await page.getByText("Retrofit survey 2024.pdf").waitFor({ state: "detached" });
  });
  it("reads files that are dropped on the chat into it", async () => {
    await page.goto(thread());
    await page.getByText("What should we look up?").waitFor();
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["We decided."], "Dropped.txt", { type: "text/plain" }));
      return transfer;
    });
    await page.dispatchEvent("main", "dragenter", { dataTransfer: data });
    await page.getByText("Drop to ask about it here").waitFor();
    await page.dispatchEvent("main", "drop", { dataTransfer: data });
    await page.getByLabel("Attached").getByText("Dropped.txt").waitFor();
  });
});

describe("settings and sign in", () => {
  it("tests a key before it saves it, and chooses the provider", async () => {
    await page.goto(`${gateway.url}/settings`);
    await page.getByText("It quotes, it does not write.").waitFor();
    await page.getByRole("button", { name: "OpenAI", exact: true }).click();
    await page.getByText("Leaves this server:").waitFor();
    await page.getByLabel("API key").fill("sk-bad");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await page.getByText("Incorrect API key provided.").waitFor();
    expect(gateway.settings).toEqual({});
    await page.getByLabel("API key").fill("sk-good");
    await page.getByRole("button", { name: "Use OpenAI" }).click();
    await page.getByText("The language model was saved.").waitFor();
    await poll(() => gateway.settings).toMatchObject({ LLMProvider: "openai", OpenAiKey: true });
    await page.getByRole("button", { name: "Replace" }).waitFor();
  });
  it("asks for the password, says when it is wrong, lets in, keeps the address and signs out", async () => {
    gateway.password = "longenough";
    await page.goto(thread());
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Error: Could not validate login.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/flow");
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/login**");
  });
  it("sets a password and stays in", async () => {
    await page.goto(`${gateway.url}/settings/security`);
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password must be at least 8 characters.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill("longenough");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("This instance asks for a password.").waitFor();
    await poll(() => gateway.password).toBe("longenough");
  });
});

describe("for everyone", () => {
  const pages: [string, (page: Page) => Promise<void>][] = [
    [
      "empty chat",
      async () => {
        await page.goto(thread());
        await page.getByText("What should we look up?").waitFor();
      },
    ],
    [
      "answer with its source open",
      async () => {
        gateway.pace = 1;
        await page.goto(thread());
        await ask("q");
        await page.getByText("412 tokens").waitFor();
        await page
          .getByRole("button", { name: /^Source 3/ })
          .first()
          .click();
        await page.locator(".text-hit").waitFor();
      },
    ],
    [
      "documents",
      async () => {
        await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
        await page.getByText("Retrofit survey 2024.pdf").waitFor();
      },
    ],
    [
      "language model",
      async () => {
        await page.goto(`${gateway.url}/settings/llm-preference`);
        await page.getByRole("button", { name: "OpenAI", exact: true }).click();
        await page.getByLabel("API key").waitFor();
      },
    ],
    [
      "sign in",
      async () => {
        gateway.password = "longenough";
        await page.goto(gateway.url);
        await page.getByLabel("Password", { exact: true }).waitFor();
      },
    ],
  ];
  for (const colorScheme of ["dark", "light"] as const)
    for (const [name, go] of pages) {
      it(`has no serious fault of accessibility: ${name}, ${colorScheme}`, async () => {
        await open({ colorScheme });
        await go(page);
        await settled(page);
        expect(await serious()).toEqual([]);
      });
    }
  it("works on a phone: the sidebar is a sheet, the source fills the screen", async () => {
    await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    gateway.pace = 1;
    await page.goto(thread());
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.getByRole("link", { name: "Night tariff operation" }).click();
    await page.waitForURL("**/t/night");
    // until then the page that is left is there
    await poll(() => page.title()).toBe("Night tariff operation · Carrel");
    await ask("q");
    await page.getByText("412 tokens").waitFor();
    await page
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .click();
    await page.locator(".pdf-mark").first().waitFor();
    await poll(async () => (await page.locator(".panel").boundingBox())?.width).toBe(390);
    await poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
  it("sends at most 165 kB of JavaScript for the first page, and Markdown after it", async () => {
    const scripts = new Set<string>();
    page.on("request", (request) => {
      if (/\.m?js$/.test(new URL(request.url()).pathname))
        scripts.add(new URL(request.url()).pathname);
    });
    await page.goto(thread());
    await page.getByText("What should we look up?").waitFor();
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some((each) => /message-log/.test(each.name)),
    );
    const sizes = [...scripts].map((path) => ({
      path,
      bytes: existsSync(`${dist}${path}.br`)
        ? statSync(`${dist}${path}.br`).size
        : brotliCompressSync(readFileSync(`${dist}${path}`)).length,
    }));
    // What comes by itself when the page has been there for a while: name and logo, and from the
    // conversation on Markdown.
    const log = sizes.findIndex((each) => /message-log/.test(each.path));
    const later = sizes
      .filter((each, place) => place >= log || /brand-keeper|branding|footer-links/.test(each.path))
      .reduce((sum, each) => sum + each.bytes, 0);
    const total = sizes.reduce((sum, each) => sum + each.bytes, 0);
    console.info(
      `first page: ${Math.round((total - later) / 1000)} kB, and ${Math.round(later / 1000)} kB fetched after it (brotli)`,
    );
    expect(total - later).toBeLessThanOrEqual(165_000);
    expect(total).toBeLessThanOrEqual(220_000);
  });
});
