import { button, field, open, questions, say, slug } from "./chat-page.ts";
import { ask, expect, test, threadPath } from "./fixtures.ts";

test.describe("asking during an answer", () => {
  test("shows queued questions with their position, removes one, and answers the others in order", async ({
    page,
    gateway,
  }) => {
    gateway.heldAfter = 10;
    await open(page);
    await ask(page, "First?");
    await expect(button(page, "Stop (Esc)")).toBeVisible();
    await ask(page, "Second?");
    await expect(page.getByText("1st in line")).toBeVisible();
    await ask(page, "Third?");
    await expect(page.getByText("2nd in line")).toBeVisible();
    await button(page, "Remove from queue: Second?").click();
    await expect(page.getByText("2nd in line")).toHaveCount(0);
    await expect(field(page)).toHaveValue("Second?");
    Object.assign(gateway, { heldAfter: null, pace: 1 });
    await expect(page.getByText("412 tokens").nth(1)).toBeVisible();
    await expect(questions(page)).toHaveText(["First?", "Third?"]);
    await expect
      .poll(() => gateway.turns[`${slug}/flow`]!.map((turn) => [turn.question, turn.state]))
      .toEqual([
        ["First?", "done"],
        ["Third?", "done"],
      ]);
  });
  test("shows questions and answers from this tab in another, and stops in both", async ({
    page,
    gateway,
    context,
  }) => {
    gateway.heldAfter = 20;
    await open(page);
    const other = await context.newPage();
    await other.goto(threadPath);
    await expect(other.getByText("What would you like to know?")).toBeVisible();
    await ask(page, "Live?");
    await expect(other.getByText("Live?")).toBeVisible();
    await expect(other.getByText("78 % of the radiators").first()).toBeVisible();
    await other.keyboard.press("Escape");
    for (const tab of [page, other]) {
      await expect(
        tab.getByRole("article").getByText("Stopped. The text so far is kept."),
      ).toBeVisible();
      await expect(tab.getByRole("button", { name: "Stop (Esc)" })).toHaveCount(0);
      await expect(tab.locator("[data-chips]")).toHaveCount(0);
    }
    await expect.poll(() => gateway.turns[`${slug}/flow`]![0]!.state).toBe("cancelled");
  });
});

test.describe("answer stream", () => {
  test("shows its position while a model of the instance writes other answers", async ({
    page,
    gateway,
  }) => {
    gateway.extraFrames = [{ type: "generationStage", stage: "queued", ahead: 2 }];
    gateway.heldAfter = 5;
    await open(page);
    await ask(page, "How warm does it run?");
    await expect(page.getByText("Queued at position 2: another answer")).toBeVisible();
    gateway.heldAfter = null;
    await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
    await expect(page.getByText("Queued at position 2")).toHaveCount(0);
  });
  test("shows a notice next to the answer, and updates the thread's name without refetching the list", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.extraFrames = [
      { type: "generationNotice", notice: { code: "notice.agent-unavailable" } },
      {
        type: "statusResponse",
        id: "x",
        textResponse: "@agent could not be called.",
        sources: [],
        close: true,
        animate: false,
        error: null,
      },
      { action: "rename_thread", thread: { slug: "flow", name: "Named by its words" } },
    ];
    await open(page);
    await expect(page.getByRole("link", { name: "Night tariff operation" })).toBeVisible();
    const lists = (): number =>
      gateway.requests.filter((each) => each.path === `/workspace/${slug}/marked-threads`).length;
    expect(lists()).toBe(1);
    await ask(page, "@agent hello");
    const notice = page.getByText("@agent isn't available");
    await expect(notice).toBeVisible();
    await expect(page.getByText("@agent could not be called.")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Named by its words" })).toBeVisible();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(notice).toBeVisible();
    expect(lists()).toBe(1);
  });
  for (const [whole, reducedMotion, isWritten] of [
    ["animated", "no-preference", true],
    ["animated", "reduce", false],
    ["at once", "no-preference", false],
  ] as const)
    test(`shows a whole answer (${whole}; motion: ${reducedMotion}) as if it were written: ${isWritten}`, async ({
      page,
      gateway,
    }) => {
      Object.assign(gateway, {
        whole,
        pace: 1,
        answer: `Begin. ${"Quiet hours begin at ten in the evening. ".repeat(40)}End.`,
      });
      await page.emulateMedia({ reducedMotion });
      await open(page);
      await page.evaluate(() => {
        const lengths: number[] = [];
        Object.assign(globalThis, { lengths });
        new MutationObserver(() => {
          const length = document
            .querySelector("article")
            ?.textContent?.match(/Begin[\s\S]*(?:End\.|ten|evening|\.)/)?.[0].length;
          if (length !== undefined && length !== lengths.at(-1)) lengths.push(length);
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await ask(page, "Tell me.");
      await expect(page.getByText(/End\.$/)).toBeVisible();
      const lengths = await page.evaluate(
        () => (globalThis as unknown as { lengths: number[] }).lengths,
      );
      if (isWritten) expect(lengths.filter((length) => length < 1_000).length).toBeGreaterThan(5);
      else expect(lengths.filter((length) => length < 1_000)).toEqual([]);
    });
  test("keeps only the last message after a reset, until the next question", async ({
    page,
    gateway,
  }) => {
    say(gateway, ["Before?", "Yes."]);
    gateway.pace = 1;
    await open(page, "Yes.");
    await ask(page, "/reset");
    await expect(page.getByText("Conversation context cleared.")).toBeVisible();
    await expect(page.getByText("Before?")).toHaveCount(0);
    await ask(page, "After?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(questions(page)).toHaveText(["After?"]);
  });
  for (const [status, words] of [
    [413, "The answer failed with error 413."],
    [400, "The answer failed with error 400."],
    [429, "The answer failed for an unknown reason."],
    [500, "The answer failed for an unknown reason."],
  ] as const)
    test(`shows the specification's text for a ${status}, and returns the question to the composer`, async ({
      page,
      gateway,
    }) => {
      gateway.failWith = { status };
      await open(page);
      await ask(page, "Not lost");
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await button(page, "Edit message").click();
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "Not lost");
      await expect(field(page)).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await page.reload();
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "Not lost");
    });
  test("shows the text of an abort with the partial answer, and retries as another version", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    gateway.failWith = { abort: "Could not reach http://127.0.0.1:11434." };
    await open(page);
    await ask(page, "Will it?");
    await expect(page.getByText("Could not reach http://127.0.0.1:11434.")).toBeVisible();
    gateway.failWith = null;
    await button(page, "Retry").click();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect(questions(page)).toHaveText(["Will it?"]);
    await expect.poll(() => gateway.asked[1]).toMatchObject({ message: "Will it?", replaces: 101 });
  });
});
