import { readFileSync } from "node:fs";
import { button, field, open, questions, say, sent, slug } from "./chat-page.ts";
import { ask, expect, test } from "./fixtures.ts";

test.describe("empty chat", () => {
  test("shows welcome messages, and at most four suggested questions, which are sent on click", async ({
    page,
    gateway,
  }) => {
    gateway.chat.welcome = [{ user: "Who are you?", response: "I know the **retrofit**." }];
    gateway.chat.suggestions = [1, 2, 3, 4, 5].map((n) => ({
      heading: `Idea ${n}`,
      message: `Question ${n}?`,
    }));
    gateway.pace = 1;
    await open(page);
    await expect(page.locator("[data-welcome] strong").getByText("retrofit")).toBeVisible();
    await expect(page.getByRole("group", { name: "Suggestions" }).getByRole("button")).toHaveText(
      [1, 2, 3, 4].map((n) => `Idea ${n}Question ${n}?`),
    );
    await button(page, /Idea 2/).click();
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect.poll(() => gateway.asked.map((each) => each.message)).toEqual(["Question 2?"]);
  });

  test("suggests what the documents answer where there is no model", async ({ page, gateway }) => {
    gateway.chat.questions = [
      { question: "What does “Tram line” say about the costs?", title: "Tram line" },
    ];
    gateway.pace = 1;
    await open(page);
    const tiles = page.getByRole("group", { name: "Suggestions" }).getByRole("button");
    await expect(tiles).toHaveText([
      /^Summarize the main points/,
      "What does “Tram line” say about the costs?Tram line",
    ]);
    await tiles.nth(1).click();
    await expect
      .poll(() => gateway.asked.map((each) => each.message))
      .toEqual(["What does “Tram line” say about the costs?"]);
  });
});

test.describe("slash commands", () => {
  test("are listed, filtered and chosen with the keyboard; other messages with a slash are left alone", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    await open(page);
    await field(page).pressSequentially("/");
    const list = page.getByRole("listbox", { name: "Commands" });
    await expect(list.getByRole("option", { name: "/summary" })).toBeVisible();
    await expect(list.getByRole("option")).toHaveText([
      "/resetClear conversation context",
      "/summarizeSummarize the documents",
      "/modelChoose a model for this thread",
      "/summaryFive points",
      "/letterWrite it as a letter.",
      "Manage commands",
    ]);
    await page.keyboard.type("let");
    await expect(list.getByRole("option", { name: "/summary" })).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(field(page)).toHaveValue("/letter ");
    await expect(list).toHaveCount(0);
    await page.keyboard.type("to the tenants");
    await page.keyboard.press("Enter");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await field(page).pressSequentially("/etc/hosts");
    await page.keyboard.press("Enter");
    await expect(page.getByText("412 tokens").nth(1)).toBeVisible();
    await expect
      .poll(() => gateway.asked.map((each) => each.message))
      .toEqual(["/letter to the tenants", "/etc/hosts"]);
    await button(page, "Commands").click();
    await expect(list).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(list).toHaveCount(0);
    await field(page).fill("");
    await field(page).pressSequentially("/res");
    await expect(list).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Conversation context cleared.")).toBeVisible();
    await expect(page.getByText("/etc/hosts")).toHaveCount(0);
    await expect(questions(page)).toHaveText([]);
  });
  test("summarize, show the last sources, save the thread and choose a model", async ({
    page,
    gateway,
  }) => {
    gateway.pace = 1;
    await open(page);
    const pick = async (command: string): Promise<void> => {
      await field(page).pressSequentially(command);
      const option = page.getByRole("option", { name: command });
      await expect(option).toBeVisible();
      await page.keyboard.press("Enter");
      await expect(option).toHaveCount(0);
    };
    await pick("/summarize");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect
      .poll(() => gateway.asked.map((each) => each.message))
      .toEqual([expect.stringMatching(/^Summarize the main points/)]);
    await pick("/sources");
    await expect(page.getByRole("tab", { name: "Passages" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    // Shown, it takes the focus, and with it what is typed.
    await expect(page.locator("[data-panel]")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-panel]")).toHaveCount(0);
    const download = page.waitForEvent("download");
    await pick("/export");
    expect((await download).suggestedFilename()).toMatch(/\.md$/);
    await expect(field(page)).toHaveValue("");
    await pick("/model");
    const models = page.getByRole("dialog", { name: "Choose a model for this thread" });
    await expect(models.getByPlaceholder("Search models")).toBeFocused();
    await page.keyboard.type("qwen");
    await expect(models.getByRole("option")).toHaveText(["Qwen 3 8B"]);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: /^Model: / })).toHaveText("qwen3:8b");
    await expect(field(page)).toHaveValue("");
  });

  test("leave room for the user's own command of the same name", async ({ page, gateway }) => {
    gateway.chat.presets[0]!.command = "/summarize";
    await open(page);
    await field(page).pressSequentially("/summ");
    await expect(page.getByRole("option", { name: "/summarize" })).toHaveText([
      "/summarizeFive points",
    ]);
  });

  test("can be added, edited and deleted, and validation errors are explained", async ({
    page,
    gateway,
  }) => {
    await open(page);
    await button(page, "Commands").click();
    await page.getByRole("option", { name: "Manage commands" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "New command" }).click();
    await dialog.getByLabel("Command").fill("reset");
    await dialog.getByLabel("Text to insert").fill("In one line.");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await expect(
      dialog.getByText("You already have a slash command with this name."),
    ).toBeVisible();
    await dialog.getByLabel("Command").fill("short");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await expect(dialog.getByText("/short")).toBeVisible();
    await dialog.getByRole("button", { name: "Edit /short" }).click();
    await dialog.getByLabel("Description").fill("One line");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await expect(dialog.getByText("One line")).toBeVisible();
    await dialog.getByRole("button", { name: "Delete /letter" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(dialog.getByText("/letter")).toHaveCount(0);
    await expect
      .poll(() =>
        gateway.chat.presets.map(({ command, prompt, description }) => [
          command,
          prompt,
          description,
        ]),
      )
      .toEqual([
        ["/summary", "Summarise in five points.", "Five points"],
        ["/short", "In one line.", "One line"],
      ]);
    // The toast works above the dialog, and doesn't close it.
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(dialog.getByText("/letter")).toBeVisible();
    await expect
      .poll(() => gateway.chat.presets.map(({ command }) => command))
      .toEqual(["/summary", "/short", "/letter"]);
    await expect(dialog).toBeVisible();
  });
});

test.describe("composer", () => {
  test("remembers the text size", async ({ page, gateway }) => {
    say(gateway, ["q", "An answer."]);
    await open(page, "An answer.");
    const size = (): Promise<string> =>
      page.locator(".md").evaluate((box) => getComputedStyle(box).fontSize);
    await expect.poll(size).toBe("15px");
    await button(page, "Text size").click();
    await page.getByRole("menuitemcheckbox", { name: "Large" }).click();
    await expect.poll(size).toBe("18px");
    await page.reload();
    await expect(page.getByText("An answer.")).toBeVisible();
    await expect.poll(size).toBe("18px");
  });
  test("inserts dictated text, and says when the microphone is blocked", async ({
    page,
    gateway,
  }) => {
    await page.addInitScript(() => {
      class Fake extends EventTarget {
        onresult: ((event: unknown) => void) | null = null;
        onerror: ((event: unknown) => void) | null = null;
        onend: (() => void) | null = null;
        start(): void {
          setTimeout(() => {
            if (sessionStorage.getItem("deny")) {
              this.onerror?.({ error: "not-allowed" });
              this.onend?.();
            } else
              this.onresult?.({
                resultIndex: 0,
                results: [{ isFinal: false, 0: { transcript: "flow temperature" } }],
              });
          }, 10);
        }
        stop(): void {
          this.onend?.();
        }
        abort(): void {
          this.onend?.();
        }
      }
      Object.assign(globalThis, { SpeechRecognition: Fake, webkitSpeechRecognition: Fake });
    });
    await open(page);
    await field(page).fill("What");
    await button(page, "Dictate").click();
    await page.waitForFunction(
      () => document.querySelector("textarea")?.value === "What flow temperature",
    );
    await button(page, "Stop dictating").click();
    await button(page, "Dictate").click();
    await expect(field(page)).toHaveValue("What flow temperature flow temperature");
    // Sending turns it off, without a word left behind.
    await field(page).press("Enter");
    await expect
      .poll(() => gateway.asked[0])
      .toMatchObject({ message: "What flow temperature flow temperature" });
    await expect(button(page, "Dictate")).toBeVisible();
    await expect(field(page)).toHaveValue("");
    await page.evaluate(() => sessionStorage.setItem("deny", "1"));
    await button(page, "Dictate").click();
    await expect(page.getByText("This page can't use the microphone.")).toBeVisible();
    await expect(button(page, "Dictate")).toBeVisible();
  });
  test("says what to do if the browser does not support speech recognition", async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "SpeechRecognition");
      Reflect.deleteProperty(globalThis, "webkitSpeechRecognition");
    });
    await open(page);
    // A press that begins on the button before the explanation is there, and ends on the one with it,
    // is none.
    await expect(button(page, "Dictate")).toHaveAccessibleDescription(/turn speech into text/);
    await button(page, "Dictate").click();
    await expect(page.getByRole("dialog")).toHaveText(
      "This browser can't turn speech into text. Use another browser, or ask an admin to choose a transcription provider for dictation.",
    );
  });
  test("switches the mode during a conversation", async ({ page, gateway }) => {
    say(gateway, ["Before?", "Yes."]);
    gateway.pace = 1;
    await open(page, "Yes.");
    await page.getByRole("radio", { name: "Query" }).click();
    await ask(page, "Only the documents?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    await expect
      .poll(() => gateway.asked[0])
      .toMatchObject({
        message: "Only the documents?",
        mode: "query",
      });
  });
});

test.describe("thread", () => {
  test("is exported as Markdown, JSON and HTML", async ({ page, gateway }) => {
    say(gateway, ["q", "An answer."]);
    await open(page, "An answer.");
    for (const [item, name] of [
      ["Export as Markdown", "thread.md"],
      ["Export as JSON", "thread.json"],
      ["Export for printing", "thread.html"],
    ] as const) {
      await button(page, "Thread menu").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect([download.suggestedFilename(), readFileSync(await download.path(), "utf8")]).toEqual([
        name,
        "# Thread",
      ]);
    }
    await expect
      .poll(() => sent(gateway, /^\/export-chat/))
      .toEqual([1, 2, 3].map(() => ({ workspaceSlug: slug, threadSlug: "flow" })));
  });
});
