import { waitFor } from "@carrel/testing";
import { createHarbourHouse } from "./harbour-house.ts";
import { expect, test } from "./product.ts";

// Each test uses its own thread.
const slug = "chat-house";
test.use({ permissions: ["clipboard-read", "clipboard-write"] });
test.beforeAll(async ({ product }) => {
  await product.useVendor();
  await createHarbourHouse(product.api, "Chat house");
  await product.api.json("POST", `/workspace/${slug}/suggested-messages`, {
    messages: [{ heading: "Explain to me", message: "when glass is collected" }],
  });
  await product.api.json("POST", "/system/set-welcome-messages", {
    messages: [{ user: "", response: "Ask **anything** about the house." }],
  });
});

test("shows welcome messages and suggestions, and sends a suggestion", async ({
  page,
  chat,
  product,
}) => {
  product.vendor.behave({ reply: "On the second Tuesday [1]." });
  await chat.openThread(slug);
  await expect(
    page.getByRole("group", { name: "Welcome" }).locator("strong").getByText("anything"),
  ).toBeVisible();
  await page.getByRole("button", { name: /^Explain to me/ }).click();
  await chat.answered();
  await expect(chat.questions).toHaveText(["when glass is collected"]);
});

test("opens the original at the passage: a page of a PDF, and Markdown as source text", async ({
  page,
  chat,
}) => {
  await chat.openThread(slug);
  const pdf = await chat.askFor(
    "What is the flow temperature of the heating circuit?",
    "The flow temperature of the heating circuit is set to 48 degrees. [1] A mark without a source is not shown [99].",
  );
  await pdf
    .getByRole("button", { name: /^Source 1: boiler\.pdf/ })
    .first()
    .click();
  await expect(page.locator('[data-page="2"] .pdf-mark').first()).toBeVisible();
  await page.waitForFunction(
    () => (document.querySelector<HTMLCanvasElement>('[data-page="2"] canvas')?.width ?? 0) > 100,
  );
  await expect(pdf.locator(".md").getByRole("button")).toHaveCount(1);
  await expect(pdf.locator(".md")).not.toContainText("99");
  await page.keyboard.press("Escape");
  const text = await chat.askFor(
    "When is glass collected?",
    "Glass is collected on the second Tuesday of the month. [1]",
  );
  await text
    .getByRole("button", { name: /^Source 1: handbook\.md/ })
    .first()
    .click();
  await expect(page.locator(".text-hit")).toBeVisible();
  await expect(page.locator(".text-hit")).toHaveText(
    "Glass is collected on the second Tuesday of the month.",
  );
  await expect(
    page.locator("[data-panel]").getByRole("heading", { name: "Waste", exact: true }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-panel]")).toHaveCount(0);
});

test("keeps every version of a question and an answer, and switches between them", async ({
  page,
  chat,
  product,
}) => {
  await chat.openThread(slug);
  await chat.askFor("How old is the boiler?", "Old.");
  await chat.askFor("And the stairs?", "Older.");
  product.vendor.behave({ reply: "Quite new." });
  await page.locator("[data-question]").first().hover();
  await page.getByRole("button", { name: "Edit question" }).first().click();
  await page.getByRole("textbox", { name: "Edit question" }).fill("How old is the roof?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2/2")).toBeVisible();
  await expect(page.locator(".md").getByText("Quite new.")).toBeVisible();
  await expect(chat.questions).toHaveText(["How old is the roof?"]);
  await chat.answered();
  await page.getByRole("button", { name: "Previous question" }).click();
  await expect(page.locator(".md").getByText("Older.")).toBeVisible(); // with everything that followed
  await expect(chat.questions).toHaveText(["How old is the boiler?", "And the stairs?"]);
  await page.getByRole("button", { name: "Next question" }).click();
  await expect(page.locator(".md").getByText("Quite new.")).toBeVisible();
  await expect(page.locator(".md").getByText("Older.")).toHaveCount(0);

  product.vendor.behave({ reply: "Brand new." });
  await page.getByRole("button", { name: "Regenerate" }).last().click();
  await expect(page.getByLabel("Answer 2 of 2")).toBeVisible();
  await expect(page.locator(".md").getByText("Brand new.")).toBeVisible();
  await chat.answered();
  await page.getByRole("button", { name: "Edit answer" }).last().click();
  await page.getByRole("textbox", { name: "Edit answer" }).fill("From **2016**.");
  await page.keyboard.press("Control+Enter");
  await expect(page.locator(".md strong").getByText("2016")).toBeVisible();
  await chat.askFor("Who says so?", "The log.");
  // The conversation continues with the edited text.
  await expect.poll(() => chat.lastPrompt()).toContain("From **2016**.");
  expect(chat.lastPrompt()).not.toContain("Brand new.");
});

test("rates, copies, reads aloud, forks and deletes an answer", async ({ page, chat, product }) => {
  // A voice that never finishes: headless browsers have none.
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    Object.defineProperty(globalThis, "speechSynthesis", {
      value: {
        speak: (utterance: SpeechSynthesisUtterance) => {
          said.push(utterance.text);
        },
        cancel: () => {
          said.length = 0;
        },
      },
    });
  });
  const first = await chat.openThread(slug);
  await chat.askFor("Where are the bins?", "Behind the **shed**.");
  const answer = await chat.askFor("Who sells tokens?", "Mrs. Albers.");
  const earlier = page.getByRole("article").first();
  await earlier.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(earlier.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe("Behind the **shed**.");
  await earlier.getByRole("button", { name: "Read aloud" }).click();
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { said: string[] }).said))
    .toEqual(["Behind the shed."]);
  await earlier.getByRole("button", { name: "Stop reading" }).click();
  await expect(earlier.getByRole("button", { name: "Read aloud" })).toBeVisible();
  await earlier.getByRole("button", { name: "Good response" }).click();
  await expect(earlier.getByRole("button", { name: "Good response", pressed: true })).toBeVisible();
  await waitFor(async () =>
    (
      await product.api.json<{ history: { feedbackScore?: boolean | null }[] }>(
        "GET",
        `/workspace/${slug}/thread/${first}/chats`,
      )
    ).history.some(({ feedbackScore }) => feedbackScore === true),
  );

  await earlier.getByRole("button", { name: "Branch into new thread" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(first));
  await expect(page.locator("[data-question]").getByText("Where are the bins?")).toBeVisible();
  await expect(chat.questions).toHaveText(["Where are the bins?"]);
  await page.goBack();
  await expect(answer.getByText("Mrs. Albers.")).toBeVisible();

  await chat.choose("More actions for this answer", "Delete message");
  await expect(
    chat.dialog.getByText("The question and its answer will be deleted. You can't undo this."),
  ).toBeVisible();
  await chat.dialog.getByRole("button", { name: "Delete message" }).click();
  await expect(page.locator("[data-question]").getByText("Who sells tokens?")).toHaveCount(0);
  await chat.choose("More actions for this answer", "Hide message");
  await chat.dialog.getByRole("button", { name: "Hide message" }).click();
  await expect(page.getByText("What would you like to know?")).toBeVisible();
  await expect
    .poll(
      async () =>
        (
          await product.api.json<{ history: unknown[] }>(
            "GET",
            `/workspace/${slug}/thread/${first}/chats`,
          )
        ).history,
    )
    .toEqual([]);
});

test("changes the mode during a conversation, and the text size", async ({ page, chat }) => {
  await chat.openThread(slug);
  await chat.askFor("Who won the championship in Brazil?", "Nobody knows.");
  await page.getByRole("radio", { name: "Query" }).click();
  await chat.ask("And who won it in Peru?");
  await expect(
    page
      .getByRole("article")
      .last()
      .getByText("There is no relevant information in this workspace to answer your query."),
  ).toBeVisible();
  await expect(page.getByText("Query mode only answers from documents.")).toBeVisible();
  await page.getByRole("radio", { name: "Chat" }).click();
  await chat.askFor("And in Chile?", "Chile did.");
  const size = (): Promise<string> =>
    page
      .locator(".md")
      .last()
      .evaluate((each) => getComputedStyle(each).fontSize);
  const before = Number.parseFloat(await size());
  await page.getByRole("button", { name: "Text size" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Large" }).click();
  await expect.poll(async () => Number.parseFloat(await size())).toBeGreaterThan(before);
});

test("hands a question that begins with @agent to the agent, and keeps it as typed", async ({
  page,
  chat,
  product,
}) => {
  await chat.openThread(slug);
  product.vendor.behave({ reply: "As well as I can." });
  await chat.ask("@agent look it up");
  const answer = await chat.answered();
  await expect(answer.locator(".md").getByText("As well as I can.")).toBeVisible();
  await page.reload();
  await expect((await chat.answered()).getByText("As well as I can.")).toBeVisible();
  await expect(page.locator("[data-question]")).toHaveText(/^@agent look it up/);
  await expect(page.getByRole("radio", { name: "Automatic" })).not.toBeChecked();
});

test("sends images and parses documents into the thread; an image survives a reload", async ({
  page,
  chat,
  expectedStatuses,
}) => {
  await chat.openThread(slug);
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } });
  expectedStatuses.push(422);
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
  await expect(
    tray.locator("li", { hasText: "minutes.txt" }).getByText(/\d+\stokens/),
  ).toBeVisible();
  await expect(
    tray.locator("li", { hasText: "broken.pdf" }).getByText("The PDF is damaged or incomplete."),
  ).toBeVisible();
  await page.reload();
  await expect(tray.getByAltText("stairs.png")).toBeVisible();
  await expect(tray.getByText("minutes.txt")).toBeVisible();
  await chat.askFor("Which colour will they have?", "Blue.");
  await expect(page.getByRole("list", { name: "Images" }).getByAltText("stairs.png")).toBeVisible();
  await expect.poll(() => chat.lastPrompt()).toContain("paint the stairs blue");
  await expect
    .poll(() => chat.lastPrompt())
    .toContain(`data:image/png;base64,${picture.toString("base64").slice(0, 60)}`);
  await expect(tray.getByAltText("stairs.png")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("list", { name: "Images" }).getByAltText("stairs.png")).toBeVisible();
  await expect(tray.getByAltText("stairs.png")).toHaveCount(0);
});
