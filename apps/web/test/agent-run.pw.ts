import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import {
  approvalStep,
  chartStep,
  fileStep,
  manySteps,
  mixedRun,
  tableStep,
} from "./agent-scripts.ts";
import { button, field, open, slug } from "./chat-page.ts";
import { fakeStep } from "./fake-steps.ts";
import { ask, expect, phone, test, threadPath } from "./fixtures.ts";

const turn = (page: Page): Locator => page.getByRole("article", { name: "Answer" });
const approval = (page: Page): Locator => page.getByRole("group", { name: /^Approval needed/ });
const decision = (page: Page, name: string): Locator =>
  approval(page).getByRole("button", { name });
const form = (page: Page): Locator => page.getByRole("form", { name: "Questions for you" });
const chart = (page: Page): Locator => page.getByRole("img", { name: /^Bar chart/ });
const generationId = "00000000-0000-4000-9000-000000000001";

test.describe("an agent's run", () => {
  test("asks, draws, writes a file and waits for approval, all by keyboard", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway, { script: mixedRun(), pace: 1 });
    await open(page);
    await ask(page, "Write the report");
    await expect(form(page)).toBeVisible();
    // The field keeps the focus, and what is typed there.
    await expect(field(page)).toBeFocused();
    await expect(page).toHaveTitle(/^Waiting for you/);
    await form(page).getByRole("radio", { name: "Only block C" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.type("The owners' meeting");
    await page.keyboard.press("Enter");
    await expect(approval(page)).toBeVisible();
    await expect
      .poll(() => gateway.steps.sent)
      .toMatchObject([{ answers: ["Only block C", "The owners' meeting"] }]);
    await expect(chart(page)).toBeVisible();
    // What waits for the person is below what earlier steps have added.
    await expect
      .poll(async () => (await approval(page).boundingBox())!.y)
      .toBeGreaterThan((await chart(page).boundingBox())!.y);
    await expect(approval(page).locator("bdo")).toHaveText("mieter@bücher.example");
    await expect(approval(page)).toContainText("xn--bcher-kva.example");
    await expect(approval(page)).toContainText("U+202E");
    await expectAccessible(page);
    await expect(decision(page, "Allow for this answer")).toBeEnabled();
    await decision(page, "Allow for this answer").press("Enter");
    await expect.poll(() => gateway.steps.sent.slice(1)).toMatchObject([{ decision: "run" }]);
    await expect(approval(page)).toHaveCount(0);
    await expect(turn(page)).toContainText("I've sent it to the tenants.");
    await expect(page).not.toHaveTitle(/^Waiting for you/);
    const saved = page.waitForEvent("download");
    await button(page, /^Retrofit report.docx.*Download$/).press("Enter");
    expect((await saved).suggestedFilename()).toBe("Retrofit report.docx");
  });

  test("is the same after a reload, with inputs and results", async ({ page, gateway }) => {
    const steps = [fakeStep(1), tableStep(2), chartStep(3), fileStep(4)];
    gateway.addTurn(slug, "flow", {
      question: "Which?",
      answer: "Look.\n\nIt is 48 °C.",
      steps: steps.map((step, index) => ({ ...step, at: index === 3 ? 19 : 5 })),
      generationId,
    });
    await page.goto(threadPath);
    await expect(turn(page)).toHaveText(
      /^Look\.Searched documents.*Queried database.*Created chart.*It is 48 °C\.Created Word/s,
    );
    await expect(field(page)).toBeFocused(); // otherwise it might take the key
    const line = button(page, /^Queried database/);
    await line.press("Enter");
    await expect(line).toHaveAttribute("aria-expanded", "true");
    await expect(page.getByRole("group", { name: "query" })).toHaveText(
      "SELECT region, total\nFROM orders",
    );
    await expect(page.getByRole("group", { name: "Result" })).toHaveText(
      "4 passages of 2 documents",
    );
    await expect(page.getByRole("row")).toHaveCount(11);
    await button(page, "Show 14 more rows").click();
    await expect(page.getByRole("row")).toHaveCount(25);
    await button(page, "Show as table").click();
    await expect(page.getByRole("row", { name: "Block C 530 318" })).toBeVisible();
    await expectAccessible(page);
  });

  test("says what became of steps that didn't succeed", async ({ page, gateway }) => {
    const steps = [
      fakeStep(1, { state: "failed", fault: { code: "access.forbidden" } }),
      fakeStep(2, { state: "unknown" }),
      approvalStep(3, {
        state: "denied",
        approval: { ...approvalStep(3).approval!, decision: "timed-out" },
      }),
      fakeStep(4, { state: "denied", fault: { code: "tool.forbidden" } }),
    ];
    gateway.addTurn(slug, "flow", { question: "Which?", answer: "No.", steps, generationId });
    await page.goto(threadPath);
    await button(page, /^Search documents.*Failed/).click();
    await button(page, /^Search documents.*Outcome unknown/).click();
    await button(page, /^Send email.*Not allowed/).click();
    await button(page, /^Search documents.*Not allowed/).click();
    for (const text of [
      "may or may not have been done",
      "The approval timed out",
      "An admin doesn't allow this tool.",
    ])
      await expect(turn(page)).toContainText(text);
    await expectAccessible(page);
  });

  test("shows the passages that a search found without the marks for models", async ({
    page,
    gateway,
  }) => {
    const header = "<document_metadata>\nsourceDocument: survey.pdf\n</document_metadata>";
    const result = `[CONTEXT 1]:\n${header}\n\nAt 48 °C most do.\n[END CONTEXT 1]\n\nCite it.`;
    const steps = [fakeStep(1, { result })];
    gateway.addTurn(slug, "flow", { question: "Which?", answer: "It is.", steps, generationId });
    await page.goto(threadPath);
    await button(page, /^Searched documents/).click();
    await expect(page.getByRole("group", { name: "survey.pdf" })).toHaveText("At 48 °C most do.");
    await expect(turn(page)).not.toContainText(/CONTEXT|document_metadata|Cite it/);
    await expectAccessible(page);
  });

  test("reads the rest of a long result on demand", async ({ page, gateway }) => {
    const result = "line\n".repeat(400);
    Object.assign(gateway, { script: [fakeStep(1, { result }), "Done."], pace: 1 });
    await open(page);
    await ask(page, "Which?");
    await button(page, /^Searched documents/).click();
    await button(page, "Show all").click();
    await expect(page.getByRole("group", { name: "Result" })).toContainText("… and the rest");
    await expect(button(page, "Show all")).toHaveCount(0);
  });

  test("is taken up after a lost connection, and writes a lost part again", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway, {
      script: [
        "I'll look. ",
        fakeStep(1),
        "It is 47.",
        fakeStep(2, { object: "a lost question" }),
        { rewind: 11 },
        "It is 48 °C.",
      ],
      pace: 20,
      cutAfter: 7,
    });
    await open(page);
    await ask(page, "Which?");
    await expect(page.getByText("412 tokens")).toBeVisible();
    const whole = /^(Read \d passages)?I'll look\.Searched documents.*It is 48 °C\./s;
    await expect(turn(page)).toHaveText(whole);
    await expect(turn(page)).not.toContainText("It is 47");
    await expect(turn(page)).not.toContainText("a lost question");
    await page.reload();
    await expect(turn(page)).toHaveText(whole);
  });

  test("is retried from a step, which keeps the steps before it, by keyboard", async ({
    page,
    gateway,
  }) => {
    const failed = { state: "failed", fault: { code: "access.forbidden" } } as const;
    const steps = [fakeStep(1), fakeStep(2, { object: "the wrong pump", ...failed }), fakeStep(3)];
    gateway.addTurn(slug, "flow", { question: "Which?", answer: "No.", steps, generationId });
    await page.goto(threadPath);
    const line = button(page, /^Search documents.*the wrong pump.*Failed/);
    await expect(field(page)).toBeFocused(); // otherwise it might take the key
    await line.press("Enter");
    await expectAccessible(page);
    Object.assign(gateway, {
      script: [fakeStep(2, { object: "the right pump" }), "It is 48 °C."],
      pace: 1,
      heldAfter: 6,
    });
    await button(page, "Retry from here").press("Enter");
    await expect(button(page, /^Searched documents.*flow temperature/)).toHaveCount(1);
    await expect(line).toHaveCount(0);
    // Not while it is being written.
    await button(page, /^Searched documents.*flow temperature/).press("Enter");
    await expect(page.getByRole("group", { name: "Result" })).toBeVisible();
    await expect(button(page, "Retry from here")).toHaveCount(0);
    gateway.heldAfter = null;
    await expect(turn(page)).toContainText("It is 48 °C.");
    await expect(button(page, /^Searched documents.*the right pump/)).toBeVisible();
    await expect(button(page, "Retry from here")).toBeVisible();
    await expect
      .poll(() => gateway.asked)
      .toMatchObject([{ message: "Which?", replaces: expect.any(Number), fromStep: 2 }]);
    await page.getByRole("button", { name: "Previous answer" }).click();
    await expect(line).toBeVisible();
  });

  test("of forty steps is one line, and light", async ({ page, gateway }) => {
    const steps = manySteps(40, "A long result. ".repeat(500));
    gateway.addTurn(slug, "flow", { question: "All?", answer: "It is.", steps, generationId });
    await page.goto(threadPath);
    const group = button(page, /^40 steps 5 failed/);
    await expect(group).toBeVisible();
    await expect(page.locator("[data-step]")).toHaveCount(0);
    await group.click();
    await expect(page.locator("[data-step]")).toHaveCount(40);
    await button(page, /question 1\b/).click();
    await expect(page.getByRole("group", { name: "Result" })).toHaveCount(1);
    await field(page).focus();
    // Typing changes nothing in the conversation.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => document.body.setAttribute("data-changed", ""));
      const log = document.querySelector('[role="log"]')!;
      observer.observe(log, { subtree: true, childList: true, attributes: true });
    });
    await page.keyboard.type("a question typed meanwhile");
    await expect(field(page)).toHaveValue("a question typed meanwhile");
    await expect(page.locator("body[data-changed]")).toHaveCount(0);
    await group.click();
    await expect(page.locator("[data-step]")).toHaveCount(0);
  });

  test("folds its finished steps while it goes on", async ({ page, gateway }) => {
    const running = fakeStep(41, {
      state: "running",
      skill: "document-summarizer",
      tool: "summarize-document",
      progress: { done: 3, total: 8 },
    });
    Object.assign(gateway, {
      script: [...manySteps(40), running, "Done."],
      pace: 1,
      heldAfter: 45,
    });
    await open(page);
    await ask(page, "All?");
    await expect(button(page, /^38 steps/)).toBeVisible();
    await expect(page.locator("[data-step]")).toHaveCount(3);
    await expect(page.getByRole("progressbar", { name: /Summarizing document/ })).toHaveAttribute(
      "aria-valuenow",
      "38",
    );
    await expectAccessible(page);
  });

  test("can be stopped while it waits", async ({ page, gateway }) => {
    Object.assign(gateway, { script: [approvalStep(1), "Done."], pace: 1 });
    await open(page);
    await ask(page, "Send it");
    await expect(approval(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(turn(page)).toContainText("Stopped.");
    await expect(approval(page)).toHaveCount(0);
    await expect(button(page, /^Send email.*Stopped/)).toBeVisible();
    await expect.poll(() => gateway.steps.sent).toEqual([]);
  });

  test("is approved by nothing that was meant for something else", async ({ page, gateway }) => {
    Object.assign(gateway, { script: [approvalStep(1), "Done."], pace: 1 });
    await open(page);
    await ask(page, "Send it");
    await expect(approval(page)).toBeVisible();
    await page.keyboard.type("and another thing");
    await expect(field(page)).toHaveValue("and another thing");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1st in line")).toBeVisible();
    // A key that is held down repeats.
    await expect(decision(page, "Allow once")).toBeEnabled();
    await page.keyboard.down("Enter");
    await decision(page, "Allow once").focus();
    await page.keyboard.down("Enter");
    await expect.poll(() => gateway.steps.sent).toEqual([]);
    await page.keyboard.up("Enter");
    await decision(page, "Deny").click();
    await expect.poll(() => gateway.steps.sent).toMatchObject([{ decision: "denied" }]);
    await expect(button(page, /^Send email.*Not allowed/)).toBeVisible();
  });

  test("has no lasting approval where there must be none", async ({ page, gateway }) => {
    const step = approvalStep(1);
    Object.assign(gateway, {
      script: [{ ...step, approval: { ...step.approval!, canBeLasting: false } }, "Done."],
      pace: 1,
    });
    await open(page);
    await ask(page, "Send it");
    await expect(approval(page).getByRole("button")).toHaveText([
      "Allow once",
      "Allow for this answer",
      "Deny",
    ]);
  });

  test("saves a chart as a picture", async ({ page, gateway }) => {
    gateway.addTurn(slug, "flow", { question: "Draw", answer: "So.", steps: [chartStep(1)] });
    await page.goto(threadPath);
    await expect(chart(page)).toBeVisible();
    for (const format of ["PNG", "SVG"]) {
      const saved = page.waitForEvent("download");
      await button(page, "Download chart").click();
      await page.getByRole("menuitem", { name: `Download as ${format}` }).click();
      expect((await saved).suggestedFilename()).toBe(
        `Heat demand by block.${format.toLowerCase()}`,
      );
    }
  });

  test("opens cited web pages in a tab of their own", async ({ page, gateway }) => {
    const source = { ...gateway.sources[0]!, documentId: "", title: "Heat pumps" };
    gateway.addTurn(slug, "flow", {
      question: "Which?",
      answer: "It is 48 °C [1].",
      sources: [{ ...source, chunkSource: "link://https://example.com/heat?a=1" }],
    });
    await page.goto(threadPath);
    const link = turn(page).getByRole("link", { name: /Heat pumps/ });
    await expect(link).toContainText("example.com");
    await expect(link).toHaveAttribute("href", "https://example.com/heat?a=1");
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    await expect(link).toHaveAttribute("target", "_blank");
  });
});

test("questions can be asked in automatic mode, or to the agent", async ({ page, gateway }) => {
  await open(page);
  await page.getByRole("radio", { name: "Automatic" }).click();
  await field(page).pressSequentially("@ag");
  await page.getByRole("option", { name: /^Agent/ }).click();
  await expect(field(page)).toHaveValue("@agent ");
  await expect(page.getByText("Uses tools to answer this question")).toBeVisible();
  await field(page).pressSequentially("Which?");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => gateway.asked)
    .toMatchObject([{ message: "@agent Which?", mode: "automatic" }]);
});

test.describe("an agent's run, on a phone", () => {
  test.use(phone);
  test("fits, with its approval", async ({ page, gateway }) => {
    const wide = "wide".repeat(200);
    Object.assign(gateway, {
      script: [
        fakeStep(1, { object: wide, result: wide }),
        approvalStep(2, { object: wide }),
        chartStep(3),
        tableStep(4),
        "Done.",
      ],
      pace: 1,
    });
    await open(page);
    await page.getByRole("combobox", { name: "Mode" }).selectOption("Automatic");
    await ask(page, "Send it");
    await expect(approval(page)).toBeVisible();
    await button(page, /^Searched documents/).tap();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    await decision(page, "Allow once").tap();
    await expect.poll(() => gateway.steps.sent).toMatchObject([{ decision: "once" }]);
    await expect(chart(page)).toBeVisible();
    await expect(button(page, "Retry from here")).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test("a shared conversation shows steps as lines", async ({ page, gateway }) => {
  const { id, at, skill, tool, state, object, milliseconds } = fakeStep(1);
  gateway.shares.shared["token-1"] = {
    name: "Pipes",
    audience: "anyone",
    turns: [
      {
        question: "Which?",
        answer: "It is 48 °C.",
        steps: [{ id, at, skill, tool, state, object, milliseconds }],
        sentAt: new Date(0).toISOString(),
        model: "m",
        sources: [],
      },
    ],
  };
  await page.goto("/share/token-1");
  await expect(page.getByText("Searched documents")).toBeVisible();
  await expect(
    page.getByRole("listitem").filter({ hasText: "Searched" }).getByRole("button"),
  ).toHaveCount(0);
  await expectAccessible(page);
});
