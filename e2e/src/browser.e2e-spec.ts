import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { AxeBuilder } from "@axe-core/playwright";
import {
  poll,
  settled,
  slowPages,
  startFakeLlm,
  startInstance,
  type FakeLlm,
  type Instance,
} from "@carrel/testing";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { makePdf } from "./make-pdf.ts";

const executablePath = process.env.CARREL_CHROMIUM ?? "/usr/bin/chromium";
const handbook = `# Harbour house handbook

## Waste

Glass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.

## Laundry

A wash costs two tokens, which Mrs. Albers sells on the ground floor.
`;
const boiler = makePdf([
  [
    { text: "Boiler log", size: 20, bold: true },
    { text: "" },
    { text: "The boiler in the cellar was built in 1998 and renewed in 2016." },
    { text: "Its chimney is swept twice a year by the guild of the harbour." },
  ],
  [
    { text: "Heating", size: 16, bold: true },
    { text: "" },
    { text: "The flow temperature of the heating circuit is set to 48 degrees." },
    { text: "" },
    { text: "Radiators on the top floor have to be bled once a year." },
  ],
]);
const rents = "Flat,Tenant,Monthly rent\nG1,Bakery Holm,1450 euro\nF2,Ines Carstens,820 euro\n";

/**
 * One browser used by one person: each test continues in the instance as the previous ones left it.
 */
describe("in the browser, from the first page to signing out", () => {
  let instance: Instance;
  let vendor: FakeLlm;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[] = [];
  /** Statuses that a step causes on purpose; any other status from 400 on is a failure. */
  let expected: number[] = [];

  const watch = (each: Page): void => {
    each.on("console", (message) => {
      if (
        message.type() === "error" &&
        !expected.some((status) => message.text().includes(`status of ${status}`))
      )
        faults.push(`console: ${message.text()}`);
    });
    each.on("pageerror", (error) => faults.push(`script: ${error.message}`));
    each.on("response", (response) => {
      if (response.status() >= 400 && !expected.includes(response.status()))
        faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
    });
    // Requests that the page itself aborts (leaving, reloading) are not failures.
    each.on("requestfailed", (request) => {
      if (request.failure()?.errorText !== "net::ERR_ABORTED")
        faults.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`);
    });
  };
  const newTab = async (): Promise<Page> => {
    const tab = await context.newPage();
    watch(tab);
    return tab;
  };
  const ask = async (text: string): Promise<void> => {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  };
  /** The text under the strong highlights of the rendered pages, line by line. */
  const markedOnPage = (): Promise<string> =>
    page.evaluate(() => {
      const marks = [...document.querySelectorAll(".pdf-mark")].map((mark) =>
        mark.getBoundingClientRect(),
      );
      const lines = [...document.querySelectorAll(".pdf-text span")].filter(
        (span) => span.childElementCount === 0 && span.textContent?.trim(),
      );
      return lines
        .filter((line) => {
          const { left, right, top, bottom } = line.getBoundingClientRect();
          return marks.some(
            (mark) =>
              (left + right) / 2 > mark.left &&
              (left + right) / 2 < mark.right &&
              (top + bottom) / 2 > mark.top &&
              (top + bottom) / 2 < mark.bottom,
          );
        })
        .map((line) => line.textContent)
        .join(" ");
    });
  const home = (): string => `${instance.url}/workspace/harbour-house`;
  const serious = async (): Promise<string[]> => {
    await settled(page);
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

  beforeAll(async () => {
    [instance, vendor, browser] = await Promise.all([
      startInstance(),
      startFakeLlm({ models: ["harbour-small", "harbour-large"] }),
      chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    ]);
    context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      colorScheme: "dark",
    });
    context.setDefaultTimeout(60_000);
    slowPages(context);
    page = await newTab();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await vendor?.stop();
    await instance?.stop();
  });
  beforeEach(() => {
    faults = [];
    expected = [];
  });
  afterEach(() => {
    expect(faults).toEqual([]);
  });

  it("opens without signing in and creates a workspace", async () => {
    await page.goto(instance.url);
    await page.getByLabel("What is it about?").fill("Harbour house");
    expect(await serious()).toEqual([]);
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.waitForURL("**/workspace/harbour-house");
    await page.getByText("Add documents to Harbour house").waitFor();
  });

  it("accepts a dropped file and chosen ones, and says when each is ready", async () => {
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "handbook.md", { type: "text/markdown" }));
      return transfer;
    }, handbook);
    await page.dispatchEvent("main", "dragenter", { dataTransfer: dropped });
    await page.getByText("Drop to add to Harbour house").waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route("**/upload-and-embed", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.dispatchEvent("main", "drop", { dataTransfer: dropped });
    await page.getByLabel("Files on their way").getByText("handbook.md").waitFor();
    gate.resolve();
    await page.getByRole("link", { name: /^1 document/ }).waitFor();
    await page.unroute("**/upload-and-embed");
    await page.getByRole("link", { name: /^1 document/ }).click();
    await page.getByRole("heading", { name: "In this workspace" }).waitFor();
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([
        { name: "boiler.pdf", mimeType: "application/pdf", buffer: boiler },
        { name: "rents.csv", mimeType: "text/csv", buffer: Buffer.from(rents) },
      ]);
    for (const name of ["handbook.md", "boiler.pdf", "rents.csv"])
      await page.getByRole("row").filter({ hasText: name }).getByText("Ready").waitFor();
    await poll(() =>
      page.getByRole("row").filter({ hasText: "boiler.pdf" }).textContent(),
    ).toContain("2 pages");
    expect(await serious()).toEqual([]);
  });

  it("explains once why a file cannot be read", async () => {
    expected = [422];
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "broken.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("%PDF-1.4\nnot a document at all"),
      });
    const row = page.getByRole("row").filter({ hasText: "broken.pdf" });
    // Strict mode: a second row for the same file would fail here.
    await row.getByText("The PDF is damaged or cut off.").waitFor();
    // Counted separately here, and in the same words above the chat.
    await page.getByText(/^3 documents, 1 failed · /).waitFor();
    await page.goto(home());
    await page.getByRole("link", { name: "3 documents, 1 failed" }).click();
    await page.getByRole("button", { name: "Menu of broken.pdf" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Remove" })
      .click();
    await row.waitFor({ state: "detached" });
    await page.getByText(/^3 documents · /).waitFor();
  });

  it("answers with citations, and a citation opens the page with the quoted sentence highlighted", async () => {
    await page.goto(home());
    await ask("What is the flow temperature of the heating circuit?");
    await page.locator(".md").getByText("48 degrees").first().waitFor();
    const mark = page
      .locator(".md")
      .getByRole("button", { name: /^Source \d/ })
      .first();
    await mark.waitFor();
    await mark.click();
    await page.locator(".pdf-mark").first().waitFor();
    await page
      .getByText(/Page 2 of 2/)
      .first()
      .waitFor();
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-page="2"] canvas');
      return canvas !== null && canvas.width > 100;
    });
    // The page's text layer lies on top, for selection and screen readers.
    await page
      .locator('[data-page="2"] .pdf-text')
      .getByText("The flow temperature of the heating circuit is set to 48 degrees.")
      .waitFor();
    const quoted = await mark.evaluate((each) => each.parentElement?.firstChild?.textContent ?? "");
    expect(quoted).toBe("The flow temperature of the heating circuit is set to 48 degrees.");
    await poll(markedOnPage).toBe(quoted);
    // The rest of the passage, in pale.
    await poll(() => page.locator(".pdf-passage").count()).toBeGreaterThan(1);
    await poll(() => page.locator('[data-page="2"] .edge-bar').first().textContent()).toBe("1");
    expect(await serious()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
  });

  it("opens a text with the quoted sentence highlighted", async () => {
    await ask("When is glass collected?");
    const answer = page.getByRole("article").last();
    await answer.getByText("second Tuesday of the month").first().waitFor();
    await answer
      .locator(".md")
      .getByRole("button", { name: /^Source \d/ })
      .first()
      .click();
    await page.locator(".text-hit").waitFor();
    await poll(() => page.locator(".text-hit").allTextContents()).toEqual([
      "Glass is collected on the second Tuesday of the month.",
    ]);
    await poll(async () =>
      (await page.locator(".text-passage").allTextContents()).join(""),
    ).toContain("The bins stand behind the bicycle shed.");
    await page.keyboard.press("Escape");
  });

  it("answers from a table", async () => {
    await ask("What is the monthly rent of Ines Carstens?");
    await page.getByRole("article").last().getByText("820 euro").first().waitFor();
  });

  it("names a thread by its first message, and deletes it", async () => {
    await page.keyboard.press("Control+Shift+O");
    await page.getByText("What should we look up?").waitFor();
    await ask("How much does a wash cost?");
    await page.getByRole("article").last().getByText("two tokens").first().waitFor();
    await page.getByRole("link", { name: /^How much does a wash/ }).waitFor();
    await page.getByRole("button", { name: /^Menu of How much/ }).click();
    await page.getByRole("menuitem", { name: "Delete Thread" }).click();
    await page.getByRole("button", { name: "Delete Thread" }).click();
    await page.waitForURL("**/workspace/harbour-house");
    await page.getByRole("link", { name: /^How much does a wash/ }).waitFor({ state: "detached" });
  });

  it("clears the conversation on /reset, with the keyboard alone", async () => {
    await page.keyboard.press("Control+Shift+O");
    await page.getByText("What should we look up?").waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    await page.keyboard.type("When is glass collected?");
    await page.keyboard.press("Enter");
    await page
      .getByRole("article")
      .last()
      .getByText("second Tuesday of the month")
      .first()
      .waitFor();
    await page.keyboard.type("/reset");
    await page.keyboard.press("Enter");
    await page.getByText("second Tuesday of the month").first().waitFor({ state: "detached" });
  });

  it("refuses in query mode what no document answers", async () => {
    await page.goto(home());
    await page
      .getByRole("radio", { name: "Query" })
      .or(page.getByRole("button", { name: "Query", exact: true }))
      .first()
      .click();
    await ask("Which team won the football championship in Brazil?");
    await page
      .getByText("There is no relevant information in this workspace to answer your query.")
      .waitFor();
    await page.getByText("Query mode answers only from the documents.").waitFor();
  });

  it("switches to another language model, and streams its answer", async () => {
    vendor.behave({
      reply: "The circuit runs at **48 degrees** [1], and the radiators are bled once a year.",
      delayMs: 15,
    });
    await page.goto(`${instance.url}/settings`);
    await page.getByText("It quotes, it does not write.").waitFor();
    await page.getByRole("button", { name: "OpenAI compatible" }).click();
    await page.getByLabel("Base URL").fill(`${vendor.url}/v1`);
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText(/Works\. 2 models/).waitFor();
    await page.getByLabel("Model", { exact: true }).fill("harbour-small");
    expect(await serious()).toEqual([]);
    await page.getByRole("button", { name: "Use OpenAI compatible" }).click();
    await page.getByText("The language model was saved.").waitFor();
    await page.goto(home());
    await page.getByRole("link", { name: "harbour-small" }).waitFor();
    await ask("Which flow temperature does the heating circuit have?");
    const answer = page.getByRole("article").last();
    await answer.locator("strong").getByText("48 degrees").waitFor();
    await answer.getByText(/\d+\stokens · /).waitFor();
    await answer
      .locator(".md")
      .getByRole("button", { name: /^Source 1/ })
      .click();
    // Paraphrased by the model: the whole passage is highlighted, with the bar at its edge.
    await page.locator(".pdf-mark, .text-hit").first().waitFor();
    await page.locator(".edge-bar").first().waitFor();
    await poll(() => page.locator(".pdf-passage, .text-passage").count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("continues an answer after a reload, shows it in a second tab, and stops it", async () => {
    vendor.behave({ tokens: 20_000, delayMs: 60 });
    await ask("Tell me slowly about the heating.");
    const text = async (each: Page): Promise<string> =>
      (await each
        .getByRole("article")
        .last()
        .locator(".md")
        .textContent()
        .catch(() => "")) ?? "";
    const grown = async (each: Page, from: number): Promise<number> => {
      await poll(async () => (await text(each)).length).toBeGreaterThan(from);
      return (await text(each)).length;
    };
    await grown(page, 40);
    await page.reload();
    const after = await grown(page, 80);
    const second = await newTab();
    await second.goto(home());
    await second.getByRole("button", { name: "Stop (Esc)" }).waitFor();
    await grown(second, after);
    await second.getByRole("button", { name: "Stop (Esc)" }).click();
    for (const each of [page, second]) {
      await each
        .getByRole("article")
        .last()
        .getByText("Stopped. What was written is kept.")
        .waitFor();
      await poll(() => text(each)).toMatch(/^The quick answer/);
    }
    await poll(async () => (await text(page)) === (await text(second))).toBe(true);
    await second.close();
    await poll(() => vendor.openStreams()).toBe(0);
  });

  it("keeps the question when the model is unreachable, and asks it again", async () => {
    vendor.behave({ status: 401, error: { message: "The key was withdrawn." } });
    await ask("Who sweeps the chimney?");
    const failed = page.getByRole("article").last();
    await failed.getByRole("button", { name: "Try again" }).waitFor();
    await poll(() => failed.textContent()).toContain("Your question is kept.");
    await page.reload();
    await page.getByRole("article").last().getByRole("button", { name: "Try again" }).waitFor();
    vendor.behave({ reply: "The guild of the harbour [1]." });
    await page.getByRole("article").last().getByRole("button", { name: "Try again" }).click();
    await page.getByRole("article").last().getByText("The guild of the harbour").waitFor();
    await poll(() => page.locator(".mine").getByText("Who sweeps the chimney?").count()).toBe(1);
  });

  it("has no serious accessibility violation, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of [
        "/workspace/harbour-house",
        "/workspace/harbour-house/documents",
        "/settings/llm-preference",
        "/settings/embedding-preference",
        "/settings/security",
        "/settings/appearance",
        "/settings/default-system-prompt",
      ]) {
        await page.goto(instance.url + path);
        await page.waitForLoadState("domcontentloaded");
        await page.locator("main").first().waitFor();
        await page.waitForFunction(
          () => document.querySelector('[aria-busy="true"], .skel') === null,
        );
        expect([path, colorScheme, await serious()]).toEqual([path, colorScheme, []]);
      }
    }
  }, 900_000);

  it("sets a password, signs out and in, and removes it", async () => {
    await page.goto(`${instance.url}/settings/security`);
    await page.getByLabel("Password", { exact: true }).fill("harbour-lights");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("This instance asks for a password.").waitFor();
    await page.goto(home());
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/login**");
    expect(await serious()).toEqual([]);
    expected = [401];
    await page.getByLabel("Password", { exact: true }).fill("harbour-dark");
    await page.keyboard.press("Enter");
    await page.getByText("Could not validate login.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill("harbour-lights");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/workspace/harbour-house");
    await page.locator(".mine").first().waitFor();
    await page.goto(`${instance.url}/settings/security`);
    await page.getByRole("button", { name: "Remove password" }).click();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Remove password" })
      .click();
    await page.getByText("Anyone who reaches this address can use it.").waitFor();
    await page.goto(home());
    await page.locator(".mine").first().waitFor();
    await page.getByRole("button", { name: "User menu" }).click();
    await page.getByRole("menuitem").first().waitFor();
    await poll(() => page.getByRole("menuitem", { name: "Sign out" }).count()).toBe(0);
  });
});
