import { button, field, open, questions, say, sent, slug } from "./chat-page.ts";
import { ask, expect, test } from "./fixtures.ts";
import { onePixel } from "./one-pixel.ts";

test.describe("chat files", () => {
  test("previews images before sending, sends them with the question, and lets one be removed", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    await open(page);
    await page.locator("form input[type=file]").setInputFiles([
      { name: "plan.png", mimeType: "image/png", buffer: onePixel },
      { name: "other.png", mimeType: "image/png", buffer: onePixel },
    ]);
    await expect(page.getByRole("img", { name: "plan.png" })).toBeVisible();
    await button(page, "Remove other.png").click();
    // Paste another one.
    await field(page).evaluate(
      (area, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(bytes)], "pasted.png", { type: "image/png" }));
        area.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      [...onePixel],
    );
    await expect(page.getByRole("img", { name: "pasted.png" })).toBeVisible();
    await ask(page, "What is on them?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect
      .poll(() =>
        (
          gateway.asked[0]!.attachments as { name: string; mime: string; contentString: string }[]
        ).map(({ name, mime, contentString }) => [name, mime, contentString.slice(0, 22)]),
      )
      .toEqual([
        ["plan.png", "image/png", "data:image/png;base64,"],
        ["pasted.png", "image/png", "data:image/png;base64,"],
      ]);
    await expect(page.getByRole("list", { name: "Images" }).getByRole("img")).toHaveCount(2);
    await expect(page.getByRole("list", { name: "Attached" })).toHaveCount(0);
    await expect.poll(() => sent(gateway, /\/parse$/)).toEqual([]);
  });
  test("parses documents into the thread, reports unreadable ones, and removes them", async ({
    page,
    gateway,
  }) => {
    let read = (): void => undefined;
    gateway.chat.parseHeld = new Promise((resolve) => {
      read = resolve;
    });
    await open(page);
    await page.locator("form input[type=file]").setInputFiles([
      { name: "Minutes.txt", mimeType: "text/plain", buffer: Buffer.from("We decided.") },
      { name: "tool.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
    ]);
    const list = page.getByRole("list", { name: "Attached" });
    await expect(list.getByText("Reading").first()).toBeVisible();
    read();
    await expect(list.getByText("1,000 tokens")).toBeVisible();
    await expect(list.getByText("Files of this type cannot be read.")).toBeVisible();
    await expect
      .poll(() => sent(gateway, /\/parse$/))
      .toContainEqual({ name: "Minutes.txt", threadSlug: "flow" });
    await button(page, "Remove tool.exe").click();
    await button(page, "Remove Minutes.txt").click();
    await expect(list).toHaveCount(0);
    await expect.poll(() => gateway.chat.files).toEqual([]);
  });
  test("holds a question until its files have been read, unless it is cancelled", async ({
    page,
    gateway,
  }) => {
    let read = (): void => undefined;
    gateway.chat.parseHeld = new Promise((resolve) => {
      read = resolve;
    });
    await open(page);
    await page
      .locator("form input[type=file]")
      .setInputFiles([
        { name: "Minutes.txt", mimeType: "text/plain", buffer: Buffer.from("We decided.") },
      ]);
    await field(page).fill("What was decided?");
    await field(page).press("Enter");
    const waiting = page.getByText("Waiting for “Minutes.txt” to be read.");
    await expect(waiting).toBeVisible();
    await button(page, "Cancel").click();
    await expect(waiting).toHaveCount(0);
    await expect(field(page)).toHaveValue("What was decided?");
    await field(page).press("Enter");
    await expect(waiting).toBeVisible();
    await expect.poll(() => gateway.asked).toEqual([]);
    read();
    await expect(questions(page)).toHaveText(["What was decided?"]);
    await expect(field(page)).toHaveValue("");
  });
  test("offers managers to embed the files if they fill the model's context window", async ({
    page,
    gateway,
  }) => {
    gateway.chat.files = [
      { id: 1, title: "Report.pdf", location: "Report.pdf", token_count_estimate: 7_000 },
    ];
    await open(page);
    await expect(page.getByText(/^These files fill 87/)).toBeVisible();
    await button(page, "Add to documents").click();
    await expect(page.getByText("The file was added to the workspace's documents.")).toBeVisible();
    await expect(page.getByText(/^These files fill/)).toHaveCount(0);
  });
});

test.describe("turn", () => {
  test("keeps the earlier version when its question is edited or retried, and switches between them", async ({
    page,
    gateway,
  }) => {
    say(gateway, ["First?", "One."], ["Second?", "Two."], ["Third?", "Three."]);
    gateway.pace = 1;
    gateway.answer = "Two, anew.";
    await open(page, "Three.");
    await page.locator("[data-turn]", { hasText: "Second?" }).hover();
    await page
      .locator("[data-turn]", { hasText: "Second?" })
      .getByRole("button", { name: "Edit question" })
      .click();
    await page.getByRole("textbox", { name: "Edit question" }).fill("Second, better?");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Two, anew.")).toBeVisible();
    await expect(page.getByLabel("Question 2 of 2")).toBeVisible();
    await expect(questions(page)).toHaveText(["First?", "Second, better?"]);
    await expect
      .poll(() => gateway.asked[0])
      .toMatchObject({
        message: "Second, better?",
        replaces: 102,
      });
    await button(page, "Previous question").click();
    await expect(page.getByText("Three.")).toBeVisible();
    await expect(questions(page)).toHaveText(["First?", "Second?", "Third?"]);
    await button(page, "Next question").click();
    await expect(page.getByText("Two, anew.")).toBeVisible();
    gateway.answer = "Two, once more.";
    await page.locator("[data-turn]").last().getByRole("button", { name: "Regenerate" }).click();
    await expect(page.getByText("Two, once more.")).toBeVisible();
    await expect(page.getByLabel("Answer 2 of 2")).toBeVisible();
    await expect(page.getByLabel("Question 2 of 2")).toBeVisible();
    await expect(questions(page)).toHaveText(["First?", "Second, better?"]);
    await button(page, "Previous answer").click();
    await expect(page.getByText("Two, anew.")).toBeVisible();
    await expect(questions(page)).toHaveText(["First?", "Second, better?"]);
    await button(page, "Previous question").click();
    await expect(page.getByText("Three.")).toBeVisible();
    await expect(page.getByRole("group", { name: "Versions of the answer" })).toHaveCount(0);
  });
  test("edits the last question with Up, and cancels the edit with Esc", async ({
    page,
    gateway,
  }) => {
    say(gateway, ["First?", "One."], ["Second?", "Two."]);
    await open(page, "Two.");
    await field(page).press("ArrowUp");
    const editor = page.getByRole("textbox", { name: "Edit question" });
    await expect(editor).toHaveValue("Second?");
    await editor.fill("Changed");
    await page.keyboard.press("Escape");
    await expect(editor).toHaveCount(0);
    await page.waitForFunction(() => document.activeElement?.matches("[data-composer] textarea"));
    await expect(questions(page)).toHaveText(["First?", "Second?"]);
    await expect.poll(() => gateway.asked).toEqual([]);
  });
  test("can be rated, edited, forked and, after a confirmation, deleted", async ({
    page,
    gateway,
  }) => {
    say(gateway, ["First?", "One."], ["Second?", "Two."]);
    await open(page, "Two.");
    const last = page.locator("[data-turn]").last();
    await last.getByRole("button", { name: "Good response" }).click();
    await expect(last.getByRole("button", { name: "Good response", pressed: true })).toBeVisible();
    await last.getByRole("button", { name: "Bad response" }).click();
    await last.getByRole("button", { name: "Bad response", pressed: true }).click();
    await expect(last.getByRole("button", { name: "Bad response", pressed: false })).toBeVisible();
    await expect
      .poll(() => sent(gateway, /chat-feedback\/102/).map((each) => each.feedback))
      .toEqual([true, false, null]);
    await last.getByRole("button", { name: "Edit answer" }).click();
    await page.getByRole("textbox", { name: "Edit answer" }).fill("Two, in my words.");
    await button(page, "Save answer").click();
    await expect(page.getByText("Two, in my words.")).toBeVisible();
    await expect
      .poll(() => sent(gateway, /thread\/flow\/update-chat/))
      .toEqual([{ chatId: 102, newText: "Two, in my words.", role: "assistant" }]);
    await page.locator("[data-turn]").first().hover();
    await page
      .locator("[data-turn]")
      .first()
      .getByRole("button", { name: "Branch into new thread" })
      .click();
    await page.waitForURL("**/t/fork-3");
    await expect(page.getByText("One.")).toBeVisible();
    await expect(questions(page)).toHaveText(["First?"]);
    await expect(page.getByRole("link", { name: "Forked Thread" })).toBeVisible();
    await page.goBack();
    await expect(page.getByText("Two, in my words.")).toBeVisible();
    await page
      .locator("[data-turn]")
      .last()
      .getByRole("button", { name: "More actions for this answer" })
      .click();
    await page.getByRole("menuitem", { name: "Delete message" }).click();
    await expect(
      page.getByText("The question and its answer will be deleted. You can't undo this."),
    ).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "Delete message" }).click();
    await expect(page.getByText("Second?")).toHaveCount(0);
    await expect.poll(() => gateway.turns[`${slug}/flow`]!.map((turn) => turn.id)).toEqual([101]);
  });
  test("is read aloud in pieces, and stops", async ({ page, gateway }) => {
    await page.addInitScript(() => {
      const spoken: string[] = [];
      Object.defineProperty(globalThis, "speechSynthesis", {
        value: {
          speak: (utterance: { text: string }) => spoken.push(utterance.text),
          cancel: () => spoken.push("(stop)"),
        },
      });
      Object.assign(globalThis, { spoken });
    });
    say(gateway, ["q", "**Bold** words [1] and `code`.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"]);
    await open(page, "Bold");
    await button(page, "Read aloud").click();
    await button(page, "Stop reading").click();
    await expect(button(page, "Read aloud")).toBeVisible();
    const spoken = (): Promise<string[]> =>
      page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);
    await expect.poll(async () => (await spoken()).at(-1)).toBe("(stop)");
    expect((await spoken()).join(" ").replace(/\s+/g, " ")).toMatch(
      /Bold words and code\. .*a b .*1 2/,
    );
  });
});
