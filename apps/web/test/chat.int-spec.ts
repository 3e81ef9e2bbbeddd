import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { focused, settled, useWebBrowser } from "./web-browser.ts";

const web = useWebBrowser();
const slug = "heat-pump-retrofit";
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const say = (...turns: [string, string][]): void => {
  for (const [question, answer] of turns) web.gateway.addTurn(slug, "flow", { question, answer });
};
const open = async (wait = "What should we look up?"): Promise<void> => {
  await web.page.goto(web.thread());
  await web.page.getByText(wait).first().waitFor();
};
const button = (name: string | RegExp) =>
  web.page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
const field = () => web.page.getByLabel("Message", { exact: true });
const sent = (path: RegExp): Record<string, unknown>[] =>
  web.gateway.chat.calls
    .filter((each) => path.test(each.path) && each.method !== "GET")
    .map((each) => each.body);
const questions = (): Promise<string[]> => web.page.locator(".mine").allTextContents();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe("an empty chat", () => {
  it("says what managers put first, and offers at most four questions, which are sent", async () => {
    web.gateway.chat.welcome = [{ user: "Who are you?", response: "I know the **retrofit**." }];
    web.gateway.chat.suggestions = [1, 2, 3, 4, 5].map((n) => ({
      heading: `Idea ${n}`,
      message: `Question ${n}?`,
    }));
    web.gateway.pace = 1;
    await open();
    await web.page.locator(".welcome strong").getByText("retrofit").waitFor();
    await poll(() =>
      web.page.getByRole("group", { name: "Suggestions" }).getByRole("button").allTextContents(),
    ).toEqual([1, 2, 3, 4].map((n) => `Idea ${n}Question ${n}?`));
    await button(/Idea 2/).click();
    await web.page.getByText("412 tokens").waitFor();
    await poll(() => web.gateway.asked.map((each) => each.message)).toEqual(["Question 2?"]);
  });
});

describe("slash commands", () => {
  it("lists, filters and takes them by keys, sends reset, and leaves a message that only begins with a slash alone", async () => {
    web.gateway.pace = 1;
    await open();
    await field().pressSequentially("/");
    const list = web.page.getByRole("listbox", { name: "Commands" });
    await list.getByRole("option").nth(3).waitFor();
    await poll(() => list.getByRole("option").allTextContents()).toEqual([
      "/resetBegin anew: forget this conversation",
      "/summaryFive points",
      "/letterWrite it as a letter.",
      "Manage commands",
    ]);
    await web.page.keyboard.type("let");
    await list.getByRole("option", { name: "/summary" }).waitFor({ state: "detached" });
    await web.page.keyboard.press("Enter");
    await poll(() => field().inputValue()).toBe("/letter ");
    await list.waitFor({ state: "detached" });
    await web.page.keyboard.type("to the tenants");
    await web.page.keyboard.press("Enter");
    await web.page.getByText("412 tokens").waitFor();
    await field().pressSequentially("/etc/hosts");
    await web.page.keyboard.press("Enter");
    await web.page.getByText("412 tokens").nth(1).waitFor();
    await poll(() => web.gateway.asked.map((each) => each.message)).toEqual([
      "/letter to the tenants",
      "/etc/hosts",
    ]);
    await button("Commands").click();
    await list.waitFor();
    await web.page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    await field().fill("");
    await field().pressSequentially("/res");
    await list.waitFor();
    await web.page.keyboard.press("Enter");
    await web.page.getByText("Chat memory was reset!").waitFor();
    await web.page.getByText("/etc/hosts").waitFor({ state: "detached" });
    await poll(questions).toEqual([]);
  });
  it("adds, changes and deletes own ones, and says why one is refused", async () => {
    await open();
    await button("Commands").click();
    await web.page.getByRole("option", { name: "Manage commands" }).click();
    const dialog = web.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "New command" }).click();
    await dialog.getByLabel("Command").fill("reset");
    await dialog.getByLabel("Text that takes its place").fill("In one line.");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await dialog.getByText("This command is taken.").waitFor();
    await dialog.getByLabel("Command").fill("short");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await dialog.getByText("/short").waitFor();
    await dialog.getByRole("button", { name: "Change /short" }).click();
    await dialog.getByLabel("Description").fill("One line");
    await dialog.getByRole("button", { name: "Save command" }).click();
    await dialog.getByText("One line").waitFor();
    await dialog.getByRole("button", { name: "Delete /letter" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByText("/letter").waitFor({ state: "detached" });
    await poll(() =>
      web.gateway.chat.presets.map(({ command, prompt, description }) => [
        command,
        prompt,
        description,
      ]),
    ).toEqual([
      ["/summary", "Summarise in five points.", "Five points"],
      ["/short", "In one line.", "One line"],
    ]);
  });
});

describe("the composer", () => {
  it("keeps the size of the text", async () => {
    say(["q", "An answer."]);
    await open("An answer.");
    const size = (): Promise<string> =>
      web.page.locator(".md").evaluate((box) => getComputedStyle(box).fontSize);
    await poll(size).toBe("15px");
    await button("Text size").click();
    await web.page.getByRole("menuitemcheckbox", { name: "Large" }).click();
    await poll(size).toBe("18px");
    await web.page.reload();
    await web.page.getByText("An answer.").waitFor();
    await poll(size).toBe("18px");
  });
  it("writes what is said, says why it does not hear, and has no microphone where the browser cannot", async () => {
    await web.page.addInitScript(() => {
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
    await open();
    await field().fill("What");
    await button("Dictate").click();
    await web.page.waitForFunction(
      () => document.querySelector("textarea")?.value === "What flow temperature",
    );
    await button("Stop dictating").click();
    await web.page.evaluate(() => sessionStorage.setItem("deny", "1"));
    await button("Dictate").click();
    await web.page.getByText("The microphone is not allowed for this page.").waitFor();
    await button("Dictate").waitFor();
    await web.open();
    await web.page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "SpeechRecognition");
      Reflect.deleteProperty(globalThis, "webkitSpeechRecognition");
    });
    await open();
    await poll(() => button("Dictate").count()).toBe(0);
  });
  it("switches the mode in the middle of a conversation", async () => {
    say(["Before?", "Yes."]);
    web.gateway.pace = 1;
    await open("Yes.");
    await web.page.getByRole("radio", { name: "Query" }).click();
    await web.ask("Only the documents?");
    await web.page.getByText("412 tokens").waitFor();
    await poll(() => web.gateway.asked[0]).toMatchObject({
      message: "Only the documents?",
      mode: "query",
    });
  });
});

describe("files of a chat", () => {
  it("shows pictures before they are sent, sends them with the question, and lets one be taken out", async () => {
    web.gateway.pace = 1;
    await open();
    await web.page.locator("form input[type=file]").setInputFiles([
      { name: "plan.png", mimeType: "image/png", buffer: png },
      { name: "other.png", mimeType: "image/png", buffer: png },
    ]);
    await web.page.getByRole("img", { name: "plan.png" }).waitFor();
    await button("Remove other.png").click();
    // One more, pasted.
    await field().evaluate(
      (area, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(bytes)], "pasted.png", { type: "image/png" }));
        area.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      [...png],
    );
    await web.page.getByRole("img", { name: "pasted.png" }).waitFor();
    await web.ask("What is on them?");
    await web.page.getByText("412 tokens").waitFor();
    await poll(() =>
      (
        web.gateway.asked[0]!.attachments as { name: string; mime: string; contentString: string }[]
      ).map(({ name, mime, contentString }) => [name, mime, contentString.slice(0, 22)]),
    ).toEqual([
      ["plan.png", "image/png", "data:image/png;base64,"],
      ["pasted.png", "image/png", "data:image/png;base64,"],
    ]);
    await poll(() =>
      web.page.getByRole("list", { name: "Pictures" }).getByRole("img").count(),
    ).toBe(2);
    await poll(() => web.page.getByRole("list", { name: "Attached" }).count()).toBe(0);
    expect(sent(/\/parse$/)).toEqual([]);
  });
  it("reads documents into the thread, says what cannot be read, and takes them out", async () => {
    let read = (): void => undefined;
    web.gateway.chat.parseHeld = new Promise((resolve) => {
      read = resolve;
    });
    await open();
    await web.page.locator("form input[type=file]").setInputFiles([
      { name: "Minutes.txt", mimeType: "text/plain", buffer: Buffer.from("We decided.") },
      { name: "tool.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
    ]);
    const list = web.page.getByRole("list", { name: "Attached" });
    await list.getByText("Reading").first().waitFor();
    read();
    await list.getByText("1,000 tokens").waitFor();
    await list.getByText("Files of this type cannot be read.").waitFor();
    await poll(() => sent(/\/parse$/)).toContainEqual({ name: "Minutes.txt", threadSlug: "flow" });
    await button("Remove tool.exe").click();
    await button("Remove Minutes.txt").click();
    await list.waitFor({ state: "detached" });
    await poll(() => web.gateway.chat.files).toEqual([]);
  });
  it("offers managers to make documents of files that fill the window", async () => {
    web.gateway.chat.files = [
      { id: 1, title: "Report.pdf", location: "Report.pdf", token_count_estimate: 7_000 },
    ];
    await open();
    await web.page.getByText(/^These files fill 87/).waitFor();
    await button("Add to documents").click();
    await web.page.getByText("The file is a document of the workspace now.").waitFor();
    await web.page.getByText(/^These files fill/).waitFor({ state: "detached" });
  });
});

describe("a turn", () => {
  it("keeps the earlier version when its question is edited or answered again, and switches between them", async () => {
    say(["First?", "One."], ["Second?", "Two."], ["Third?", "Three."]);
    web.gateway.pace = 1;
    web.gateway.answer = "Two, anew.";
    await open("Three.");
    await web.page.locator(".turn", { hasText: "Second?" }).hover();
    await web.page
      .locator(".turn", { hasText: "Second?" })
      .getByRole("button", { name: "Edit question" })
      .click();
    await web.page.getByRole("textbox", { name: "Edit question" }).fill("Second, better?");
    await web.page.keyboard.press("Enter");
    await web.page.getByText("Two, anew.").waitFor();
    await web.page.getByText("Version 2 of 2").or(web.page.getByLabel("Version 2 of 2")).waitFor();
    await poll(questions).toEqual(["First?", "Second, better?"]);
    await poll(() => web.gateway.asked[0]).toMatchObject({
      message: "Second, better?",
      replaces: 102,
    });
    await button("Earlier version").click();
    await web.page.getByText("Three.").waitFor();
    await poll(questions).toEqual(["First?", "Second?", "Third?"]);
    await button("Later version").click();
    await web.page.getByText("Two, anew.").waitFor();
    web.gateway.answer = "Two, once more.";
    await web.page.locator(".turn").last().getByRole("button", { name: "Answer again" }).click();
    await web.page.getByText("Two, once more.").waitFor();
    await web.page.getByLabel("Version 3 of 3").waitFor();
    await poll(questions).toEqual(["First?", "Second, better?"]);
  });
  it("edits the last question with Up, and leaves it as it was with Esc", async () => {
    say(["First?", "One."], ["Second?", "Two."]);
    await open("Two.");
    await field().press("ArrowUp");
    const editor = web.page.getByRole("textbox", { name: "Edit question" });
    await poll(() => editor.inputValue()).toBe("Second?");
    await editor.fill("Changed");
    await web.page.keyboard.press("Escape");
    await editor.waitFor({ state: "detached" });
    await web.page.waitForFunction(() => document.activeElement?.matches(".composer textarea"));
    await poll(questions).toEqual(["First?", "Second?"]);
    expect(web.gateway.asked).toEqual([]);
  });
  it("takes thumbs and other words, forks and is deleted after a question", async () => {
    say(["First?", "One."], ["Second?", "Two."]);
    await open("Two.");
    const last = web.page.locator(".turn").last();
    await last.getByRole("button", { name: "Good answer" }).click();
    await last.getByRole("button", { name: "Good answer", pressed: true }).waitFor();
    await last.getByRole("button", { name: "Bad answer" }).click();
    await last.getByRole("button", { name: "Bad answer", pressed: true }).click();
    await last.getByRole("button", { name: "Bad answer", pressed: false }).waitFor();
    await poll(() => sent(/chat-feedback\/102/).map((each) => each.feedback)).toEqual([
      true,
      false,
      null,
    ]);
    await last.getByRole("button", { name: "Edit answer" }).click();
    await web.page.getByRole("textbox", { name: "Edit answer" }).fill("Two, in my words.");
    await button("Save answer").click();
    await web.page.getByText("Two, in my words.").waitFor();
    await poll(() => sent(/thread\/flow\/update-chat/)).toEqual([
      { chatId: 102, newText: "Two, in my words.", role: "assistant" },
    ]);
    await web.page.locator(".turn").first().hover();
    await web.page
      .locator(".turn")
      .first()
      .getByRole("button", { name: "Go on from here in a new thread" })
      .click();
    await web.page.waitForURL("**/t/fork-3");
    await web.page.getByText("One.").waitFor();
    await poll(questions).toEqual(["First?"]);
    await web.page.getByRole("link", { name: "Forked Thread" }).waitFor();
    await web.page.goBack();
    await web.page.getByText("Two, in my words.").waitFor();
    await web.page
      .locator(".turn")
      .last()
      .getByRole("button", { name: "More for this answer" })
      .click();
    await web.page.getByRole("menuitem", { name: "Delete message" }).click();
    await web.page
      .getByText("The question and its answer will be deleted. You cannot undo this.")
      .waitFor();
    await web.page.getByRole("dialog").getByRole("button", { name: "Delete message" }).click();
    await web.page.getByText("Second?").waitFor({ state: "detached" });
    await poll(() => web.gateway.turns[`${slug}/flow`]!.map((turn) => turn.id)).toEqual([101]);
  });
  it("is read aloud in pieces, and stops", async () => {
    await web.page.addInitScript(() => {
      const spoken: string[] = [];
      Object.defineProperty(globalThis, "speechSynthesis", {
        value: {
          speak: (utterance: { text: string }) => spoken.push(utterance.text),
          cancel: () => spoken.push("(stop)"),
        },
      });
      Object.assign(globalThis, { spoken });
    });
    say(["q", "**Bold** words [1] and `code`.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"]);
    await open("Bold");
    await button("Read aloud").click();
    await button("Stop reading").click();
    await button("Read aloud").waitFor();
    const spoken = (): Promise<string[]> =>
      web.page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);
    await poll(async () => (await spoken()).at(-1)).toBe("(stop)");
    expect((await spoken()).join(" ").replace(/\s+/g, " ")).toMatch(
      /Bold words and code\. .*a b .*1 2/,
    );
  });
});

describe("asking while an answer is written", () => {
  it("shows the questions that wait with their place, takes one out, and answers the others in order", async () => {
    web.gateway.heldAfter = 10;
    await open();
    await web.ask("First?");
    await button("Stop (Esc)").waitFor();
    await web.ask("Second?");
    await web.page.getByText("1st in line").waitFor();
    await web.ask("Third?");
    await web.page.getByText("2nd in line").waitFor();
    await button("Take out: Second?").click();
    await web.page.getByText("2nd in line").waitFor({ state: "detached" });
    await poll(() => field().inputValue()).toBe("Second?");
    Object.assign(web.gateway, { heldAfter: null, pace: 1 });
    await web.page.getByText("412 tokens").nth(1).waitFor();
    await poll(questions).toEqual(["First?", "Third?"]);
    await poll(() =>
      web.gateway.turns[`${slug}/flow`]!.map((turn) => [turn.question, turn.state]),
    ).toEqual([
      ["First?", "done"],
      ["Third?", "done"],
    ]);
  });
  it("shows in another tab what is asked and written here, and stops in both", async () => {
    web.gateway.heldAfter = 20;
    await open();
    const other = await web.context.newPage();
    await other.goto(web.thread());
    await other.getByText("What should we look up?").waitFor();
    await web.ask("Live?");
    await other.getByText("Live?").waitFor();
    await other.getByText("78 % of the radiators").first().waitFor();
    await other.keyboard.press("Escape");
    for (const page of [web.page, other]) {
      await page.getByRole("article").getByText("Stopped. What was written is kept.").waitFor();
      await page.getByRole("button", { name: "Stop (Esc)" }).waitFor({ state: "detached" });
      await poll(() => page.locator(".chips").count()).toBe(0);
    }
    await poll(() => web.gateway.turns[`${slug}/flow`]![0]!.state).toBe("cancelled");
  });
});

describe("the stream", () => {
  it("shows a notice quietly beside the answer, and names the thread without asking for the list again", async () => {
    web.gateway.pace = 1;
    web.gateway.extraFrames = [
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
    let connect = (): void => undefined;
    web.gateway.changesHeld = new Promise((resolve) => {
      connect = resolve;
    });
    await open();
    await web.page.getByRole("link", { name: "Night tariff operation" }).waitFor();
    const lists = (): number =>
      web.gateway.requests.filter((each) => each.path === `/workspace/${slug}/threads`).length;
    // When the connection for changes is there the list is asked for once more.
    const before = lists() + 1;
    connect();
    await poll(lists).toBe(before);
    await web.ask("@agent hello");
    await web.page.getByText("@agent could not be called.").waitFor();
    await web.page.getByRole("link", { name: "Named by its words" }).waitFor();
    await web.page.getByText("412 tokens").waitFor();
    await web.page.getByText("@agent could not be called.").waitFor();
    expect(lists()).toBe(before);
  });
  it.each([
    ["animated", "no-preference", true],
    ["animated", "reduce", false],
    ["at once", "no-preference", false],
  ] as const)(
    "shows a whole answer (%s; motion: %s) as if it were written: %s",
    async (whole, reducedMotion, isWritten) => {
      Object.assign(web.gateway, {
        whole,
        pace: 1,
        answer: `Begin. ${"Quiet hours begin at ten in the evening. ".repeat(40)}End.`,
      });
      await web.page.emulateMedia({ reducedMotion });
      await open();
      await web.page.evaluate(() => {
        const lengths: number[] = [];
        Object.assign(globalThis, { lengths });
        new MutationObserver(() => {
          const length = document
            .querySelector("article.answer")
            ?.textContent?.match(/Begin[\s\S]*(?:End\.|ten|evening|\.)/)?.[0].length;
          if (length !== undefined && length !== lengths.at(-1)) lengths.push(length);
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await web.ask("Tell me.");
      await web.page.getByText(/End\.$/).waitFor();
      const lengths = await web.page.evaluate(
        () => (globalThis as unknown as { lengths: number[] }).lengths,
      );
      if (isWritten) expect(lengths.filter((length) => length < 1_000).length).toBeGreaterThan(5);
      else expect(lengths.filter((length) => length < 1_000)).toEqual([]);
    },
  );
  it("keeps only the last message after a reset, until the next question", async () => {
    say(["Before?", "Yes."]);
    web.gateway.pace = 1;
    await open("Yes.");
    await web.ask("/reset");
    await web.page.getByText("Chat memory was reset!").waitFor();
    await web.page.getByText("Before?").waitFor({ state: "detached" });
    await web.ask("After?");
    await web.page.getByText("412 tokens").waitFor();
    await poll(questions).toEqual(["After?"]);
  });
  it.each([
    [413, "An error occurred while streaming response. Code 413"],
    [400, "An error occurred while streaming response. Code 400"],
    [429, "An error occurred while streaming response. Unknown Error."],
    [500, "An error occurred while streaming response. Unknown Error."],
  ])(
    "says of a %i exactly what the specification says, keeps the question, and gives it back",
    async (status, words) => {
      web.gateway.failWith = { status };
      await open();
      await web.ask("Not lost");
      await web.page.getByText(words, { exact: true }).waitFor();
      await button("Back to the field").click();
      await web.page.waitForFunction(
        () => document.querySelector("textarea")?.value === "Not lost",
      );
      await focused(field());
      await web.page.keyboard.press("Enter");
      await web.page.getByText(words, { exact: true }).waitFor();
      await web.page.reload();
      await web.page.waitForFunction(
        () => document.querySelector("textarea")?.value === "Not lost",
      );
    },
  );
  it("shows the text of an abort with what was written, and asks again as another version", async () => {
    web.gateway.pace = 1;
    web.gateway.failWith = { abort: "Could not reach http://127.0.0.1:11434." };
    await open();
    await web.ask("Will it?");
    await web.page.getByText("Could not reach http://127.0.0.1:11434.").waitFor();
    web.gateway.failWith = null;
    await button("Try again").click();
    await web.page.getByText("412 tokens").waitFor();
    await poll(questions).toEqual(["Will it?"]);
    await poll(() => web.gateway.asked[1]).toMatchObject({ message: "Will it?", replaces: 101 });
  });
});

describe("the thread", () => {
  it("is saved as Markdown, JSON and a page", async () => {
    say(["q", "An answer."]);
    await open("An answer.");
    for (const [item, name] of [
      ["Export as Markdown", "thread.md"],
      ["Export as JSON", "thread.json"],
      ["Export as a page to print", "thread.html"],
    ] as const) {
      await button("Menu of this thread").click();
      const [download] = await Promise.all([
        web.page.waitForEvent("download"),
        web.page.getByRole("menuitem", { name: item }).click(),
      ]);
      expect([download.suggestedFilename(), readFileSync(await download.path(), "utf8")]).toEqual([
        name,
        "# Thread",
      ]);
    }
    await poll(() => sent(/^\/export-chat/)).toEqual(
      [1, 2, 3].map(() => ({ workspaceSlug: slug, threadSlug: "flow" })),
    );
  });
});

describe("for everyone", () => {
  const faults = async (page: Page): Promise<string[]> => {
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
  it.each(["dark", "light"] as const)(
    "has no serious fault of accessibility: %s",
    async (colorScheme) => {
      await web.open({ colorScheme });
      web.gateway.chat.files = [
        { id: 1, title: "Report.pdf", location: "Report.pdf", token_count_estimate: 7_000 },
      ];
      web.gateway.chat.welcome = [{ user: "Who are you?", response: "I know." }];
      await open();
      await web.page.locator(".welcome .md").waitFor();
      await field().pressSequentially("/");
      await web.page.getByRole("option").nth(3).waitFor();
      expect(await faults(web.page)).toEqual([]);
      await web.page.getByRole("option", { name: "Manage commands" }).click();
      await web.page.getByRole("dialog").waitFor();
      expect(await faults(web.page)).toEqual([]);
      await web.page.keyboard.press("Escape");
      say(["First?", "One."], ["Second?", "Two."]);
      web.gateway.heldAfter = 10;
      await web.page.reload();
      await web.page.getByText("Two.").waitFor();
      await web.page.locator(".turn").last().getByRole("button", { name: "Answer again" }).click();
      await button("Stop (Esc)").waitFor();
      await web.ask("And then?");
      await web.page.getByText("1st in line").waitFor();
      expect(await faults(web.page)).toEqual([]);
      await web.page.keyboard.press("Escape");
      await web.page.getByRole("article").getByText("Stopped.").waitFor();
      await web.page.locator(".turn").first().hover();
      await web.page
        .locator(".turn")
        .first()
        .getByRole("button", { name: "Edit question" })
        .click();
      expect(await faults(web.page)).toEqual([]);
    },
  );
  it("has a menu on phones, and nothing is too wide", async () => {
    await web.open(phone);
    await open();
    await poll(() =>
      web.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]),
    ).toEqual([390, 390]);
    say(["First?", "One."], ["Second?", "Two."]);
    web.gateway.chat.files = [
      { id: 1, title: `${"Long name ".repeat(20)}.pdf`, location: "x", token_count_estimate: 100 },
    ];
    await open("Two.");
    await web.page.getByRole("list", { name: "Attached" }).waitFor();
    await web.page
      .locator(".turn")
      .last()
      .getByRole("button", { name: "More for this answer" })
      .click();
    await web.page.getByRole("menuitem").first().waitFor();
    await poll(() => web.page.getByRole("menuitem").allTextContents()).toEqual([
      "Copy answer",
      "Answer again",
      "Edit answer",
      "Good answer",
      "Bad answer",
      "Read aloud",
      "Go on from here in a new thread",
      "How it was found",
      "Hide message",
      "Delete message",
    ]);
    await web.page.getByRole("menuitem", { name: "Good answer" }).click();
    await poll(() => sent(/chat-feedback/).map((each) => each.feedback)).toEqual([true]);
    await web.page
      .locator(".turn")
      .last()
      .getByRole("button", { name: "Menu of the question" })
      .click();
    await web.page.getByRole("menuitem", { name: "Edit question" }).click();
    await web.page.getByRole("textbox", { name: "Edit question" }).waitFor();
    await poll(() => web.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await poll(() =>
      web.page.locator(".tools").evaluate((box) => box.scrollWidth - box.clientWidth),
    ).toBeLessThanOrEqual(0);
  });
});
