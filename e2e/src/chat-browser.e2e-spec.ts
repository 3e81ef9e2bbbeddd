import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { poll } from "@carrel/testing";
import { ChatBrowser, endless } from "./chat-browser.ts";
import { eventually } from "./api.ts";
import { makePdf } from "./make-pdf.ts";

const handbook =
  "# Harbour house handbook\n\n## Waste\n\nGlass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.\n";
const boiler = makePdf([
  [
    { text: "Boiler log", size: 20, bold: true },
    { text: "" },
    { text: "The boiler in the cellar was built in 1998 and renewed in 2016." },
  ],
  [
    { text: "Heating", size: 16, bold: true },
    { text: "" },
    { text: "The flow temperature of the heating circuit is set to 48 degrees." },
  ],
]);
const slug = "harbour-house";

/** One person's chat with a real instance; every test uses its own thread. */
describe("chat window in the browser", () => {
  let own: ChatBrowser;
  beforeAll(async () => {
    own = await ChatBrowser.start();
    await own.api.makeWorkspace("Harbour house");
    for (const [name, content, type] of [
      ["handbook.md", handbook, "text/markdown"],
      ["boiler.pdf", Uint8Array.from(boiler), "application/pdf"],
    ] as const)
      expect((await own.api.upload("upload-and-embed", slug, name, content, type)).status).toBe(
        200,
      );
    await own.api.json("POST", `/workspace/${slug}/suggested-messages`, {
      messages: [{ heading: "Explain to me", message: "when glass is collected" }],
    });
    await own.api.json("POST", "/system/set-welcome-messages", {
      messages: [{ user: "", response: "Ask **anything** about the house." }],
    });
    await eventually(
      async () =>
        (
          await own.api.json<{ documents: { state: string }[] }>(
            "GET",
            `/workspace/${slug}/documents?offset=0&limit=10`,
          )
        ).documents.every(({ state }) => ["searchable", "embedding", "embedded"].includes(state)),
      60_000,
    );
  }, 240_000);
  afterAll(() => own?.stop());
  beforeEach(() => {
    own.faults = [];
    own.expected = [];
  });
  afterEach(() => {
    expect(own.faults).toEqual([]);
  });

  it("shows welcome messages and suggestions, and sends a suggestion", async () => {
    const { page } = own;
    own.vendor.behave({ reply: "On the second Tuesday [1]." });
    await own.openThread(slug);
    await page
      .getByRole("group", { name: "Welcome" })
      .locator("strong")
      .getByText("anything")
      .waitFor();
    await page.getByRole("button", { name: /^Explain to me/ }).click();
    await own.answered();
    await poll(() => own.questions()).toEqual(["when glass is collected"]);
  });

  it("opens the original at the passage: a page of a PDF, and Markdown as source text", async () => {
    const { page } = own;
    await own.openThread(slug);
    const pdf = await own.askFor(
      "What is the flow temperature of the heating circuit?",
      "The flow temperature of the heating circuit is set to 48 degrees. [1] A mark without a source is not shown [99].",
    );
    await pdf
      .getByRole("button", { name: /^Source 1: boiler\.pdf/ })
      .first()
      .click();
    await page.locator('[data-page="2"] .pdf-mark').first().waitFor();
    await page.waitForFunction(
      () => (document.querySelector<HTMLCanvasElement>('[data-page="2"] canvas')?.width ?? 0) > 100,
    );
    await poll(() => pdf.locator(".md").getByRole("button").count()).toBe(1);
    await poll(() => pdf.locator(".md").textContent()).not.toContain("99");
    await page.keyboard.press("Escape");
    const text = await own.askFor(
      "When is glass collected?",
      "Glass is collected on the second Tuesday of the month. [1]",
    );
    await text
      .getByRole("button", { name: /^Source 1: handbook\.md/ })
      .first()
      .click();
    await page.locator(".text-hit").waitFor();
    await poll(() => page.locator(".text-hit").textContent()).toBe(
      "Glass is collected on the second Tuesday of the month.",
    );
    await poll(() => page.locator(".panel").textContent()).toContain("## Waste");
    await page.keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
  });

  it("keeps every version of a question and an answer, and switches between them", async () => {
    const { page } = own;
    await own.openThread(slug);
    await own.askFor("How old is the boiler?", "Old.");
    await own.askFor("And the stairs?", "Older.");
    own.vendor.behave({ reply: "Quite new." });
    await page.locator(".mine").first().hover();
    await page.getByRole("button", { name: "Edit question" }).first().click();
    await page.getByRole("textbox", { name: "Edit question" }).fill("How old is the roof?");
    await page.keyboard.press("Enter");
    await page.getByText("2/2").waitFor();
    await page.locator(".md").getByText("Quite new.").waitFor();
    await poll(() => own.questions()).toEqual(["How old is the roof?"]);
    await page.getByRole("button", { name: "Earlier version" }).click();
    await page.locator(".md").getByText("Older.").waitFor(); // with everything that followed
    await poll(() => own.questions()).toEqual(["How old is the boiler?", "And the stairs?"]);
    await page.getByRole("button", { name: "Later version" }).click();
    await page.locator(".md").getByText("Quite new.").waitFor();
    await page.locator(".md").getByText("Older.").waitFor({ state: "detached" });

    own.vendor.behave({ reply: "Brand new." });
    await page.getByRole("button", { name: "Answer again" }).last().click();
    await page.getByText("3/3").waitFor();
    await page.locator(".md").getByText("Brand new.").waitFor();
    await own.answered();
    await page.getByRole("button", { name: "Edit answer" }).last().click();
    await page.getByRole("textbox", { name: "Edit answer" }).fill("From **2016**.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".md strong").getByText("2016").waitFor();
    await own.askFor("Who says so?", "The log.");
    // The conversation continues with the edited text.
    await poll(() => own.lastPrompt()).toContain("From **2016**.");
    expect(own.lastPrompt()).not.toContain("Brand new.");
  });

  it("rates, copies, reads aloud, forks and deletes an answer", async () => {
    const { page } = own;
    const first = await own.openThread(slug);
    await own.askFor("Where are the bins?", "Behind the **shed**.");
    const answer = await own.askFor("Who sells tokens?", "Mrs. Albers.");
    const earlier = page.getByRole("article").first();
    await earlier.getByRole("button", { name: "Copy" }).click();
    await earlier.getByRole("button", { name: "Copied" }).waitFor();
    await poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      "Behind the **shed**.",
    );
    await earlier.getByRole("button", { name: "Read aloud" }).click();
    await poll(() =>
      page.evaluate(() => (globalThis as unknown as { said: string[] }).said),
    ).toEqual(["Behind the shed."]);
    await earlier.getByRole("button", { name: "Stop reading" }).click();
    await earlier.getByRole("button", { name: "Read aloud" }).waitFor();
    await earlier.getByRole("button", { name: "Good answer" }).click();
    await earlier.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
    await eventually(async () =>
      (
        await own.api.json<{ history: { feedbackScore?: boolean | null }[] }>(
          "GET",
          `/workspace/${slug}/thread/${first}/chats`,
        )
      ).history.some(({ feedbackScore }) => feedbackScore === true),
    );

    await earlier.getByRole("button", { name: "Go on from here in a new thread" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(first));
    await page.locator(".mine").getByText("Where are the bins?").waitFor();
    await poll(() => own.questions()).toEqual(["Where are the bins?"]);
    await page.goBack();
    await answer.getByText("Mrs. Albers.").waitFor();

    await own.choose("More for this answer", "Delete message");
    await own
      .dialog()
      .getByText("The question and its answer will be deleted. You cannot undo this.")
      .waitFor();
    await own.dialog().getByRole("button", { name: "Delete message" }).click();
    await page.locator(".mine").getByText("Who sells tokens?").waitFor({ state: "detached" });
    await own.choose("More for this answer", "Hide message");
    await own.dialog().getByRole("button", { name: "Hide message" }).click();
    await page.getByText("What should we look up?").waitFor();
    await poll(
      async () =>
        (
          await own.api.json<{ history: unknown[] }>(
            "GET",
            `/workspace/${slug}/thread/${first}/chats`,
          )
        ).history,
    ).toEqual([]);
  });

  it("changes the mode during a conversation, and the text size", async () => {
    const { page } = own;
    await own.openThread(slug);
    await own.askFor("Who won the championship in Brazil?", "Nobody knows.");
    await page.getByRole("radio", { name: "Query" }).click();
    await own.ask("And who won it in Peru?");
    await page
      .getByRole("article")
      .last()
      .getByText("There is no relevant information in this workspace to answer your query.")
      .waitFor();
    await page.getByText("Query mode answers only from the documents.").waitFor();
    await page.getByRole("radio", { name: "Chat" }).click();
    await own.askFor("And in Chile?", "Chile did.");
    const size = (): Promise<string> =>
      page
        .locator(".md")
        .last()
        .evaluate((each) => getComputedStyle(each).fontSize);
    const before = Number.parseFloat(await size());
    await page.getByRole("button", { name: "Text size" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Large" }).click();
    await poll(async () => Number.parseFloat(await size())).toBeGreaterThan(before);
  });

  it("says that @agent could not be called, and answers", async () => {
    await own.openThread(slug);
    const answer = await own.askFor("@agent look it up", "As well as I can.");
    await answer
      .getByText("@agent could not be called. Chat will be handled as default chat.")
      .waitFor();
    await answer.locator(".md").getByText("As well as I can.").waitFor();
    await own.page.reload();
    await own.page
      .getByText("@agent could not be called. Chat will be handled as default chat.")
      .waitFor();
  });

  it("sends images and parses documents into the thread; an image survives a reload", async () => {
    const { page } = own;
    await own.openThread(slug);
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } });
    own.expected = [422];
    await page
      .getByLabel("Attach files")
      .first()
      .setInputFiles([
        { name: "stairs.png", mimeType: "image/png", buffer: picture },
        {
          name: "minutes.txt",
          mimeType: "text/plain",
          buffer: Buffer.from("The meeting decided to paint the stairs blue."),
        },
        {
          name: "broken.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.from("%PDF-1.4\nno document"),
        },
      ]);
    const tray = page.getByRole("list", { name: "Attached" });
    await tray
      .locator(".file", { hasText: "minutes.txt" })
      .getByText(/\d+\stokens/)
      .waitFor();
    await tray
      .locator(".file", { hasText: "broken.pdf" })
      .getByText("The PDF is damaged or cut off.")
      .waitFor();
    await page.reload();
    await tray.getByAltText("stairs.png").waitFor();
    await tray.getByText("minutes.txt").waitFor();
    await own.askFor("Which colour will they have?", "Blue.");
    await page.getByRole("list", { name: "Pictures" }).getByAltText("stairs.png").waitFor();
    await poll(() => own.lastPrompt()).toContain("paint the stairs blue");
    await poll(() => own.lastPrompt()).toContain(
      `data:image/png;base64,${picture.toString("base64").slice(0, 60)}`,
    );
    await poll(() => tray.getByAltText("stairs.png").count()).toBe(0);
    await page.reload();
    await page.getByRole("list", { name: "Pictures" }).getByAltText("stairs.png").waitFor();
    await poll(() => tray.getByAltText("stairs.png").count()).toBe(0);
  });

  it("stops an answer on the server too if it is stopped before the server has replied", async () => {
    const { page } = own;
    const thread = await own.openThread(slug);
    const gate = Promise.withResolvers<void>();
    await page.route("**/stream-chat", async (route) => {
      await gate.promise;
      await route.continue();
    });
    own.vendor.behave(endless);
    await own.ask("Too soon?");
    await page.getByRole("button", { name: "Stop (Esc)" }).click();
    await page
      .getByRole("article")
      .last()
      .getByText("Stopped. What was written is kept.")
      .waitFor();
    gate.resolve();
    await eventually(async () =>
      (
        await own.api.json<{ turns: { state: string }[] }>(
          "GET",
          `/workspace/${slug}/turns?thread=${thread}`,
        )
      ).turns.some(({ state }) => state === "cancelled"),
    );
    await poll(() => own.vendor.openStreams()).toBe(0);
    await page.unroute("**/stream-chat");
    own.vendor.behave({ reply: "In time." });
    await own.ask("Now?");
    await page.locator(".md").getByText("In time.").waitFor();
    await poll(() => own.questions()).toEqual(["Too soon?", "Now?"]);
  });

  it("shows one answer live in two tabs, queues the next questions, and stops in both", async () => {
    const { page } = own;
    const thread = await own.openThread(slug);
    own.vendor.behave(endless);
    await own.ask("Tell me slowly.");
    const written = (each = page): Promise<number> =>
      each
        .getByRole("article")
        .first()
        .locator(".md")
        .textContent()
        .then((text) => text?.length ?? 0);
    await poll(() => written()).toBeGreaterThan(40);
    await page.reload();
    await page.getByRole("button", { name: "Stop (Esc)" }).waitFor();
    const after = await written();
    await poll(() => written()).toBeGreaterThan(after);
    const second = await own.newTab();
    await second.goto(`${own.instance.url}/workspace/${slug}/t/${thread}`);
    await second.getByRole("button", { name: "Stop (Esc)" }).waitFor();
    const seen = await written(second);
    await poll(() => written(second)).toBeGreaterThan(seen);

    await own.ask("What comes next?");
    await own.ask("And then?");
    for (const each of [page, second]) {
      await each.getByText("1st in line").waitFor();
      await each.getByText("2nd in line").waitFor();
    }
    await second.getByRole("button", { name: "Take out: And then?" }).click();
    for (const each of [page, second])
      await each.locator(".mine").getByText("And then?").waitFor({ state: "detached" });
    own.vendor.behave({ reply: "This comes next." });
    await second.getByRole("button", { name: "Stop (Esc)" }).click();
    for (const each of [page, second]) {
      await each
        .getByRole("article")
        .first()
        .getByText("Stopped. What was written is kept.")
        .waitFor();
      await each.locator(".md").getByText("This comes next.").waitFor();
      await own.answered(each);
    }
    await poll(
      async () =>
        (await page.locator(".md").first().textContent()) ===
        (await second.locator(".md").first().textContent()),
    ).toBe(true);
    await poll(() => own.vendor.openStreams()).toBe(0);
    await second.close();
  });
});
