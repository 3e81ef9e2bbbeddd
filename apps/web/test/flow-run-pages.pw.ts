import { flowBlock } from "./fake-flow-runs.ts";
import { expect, phone, test } from "./fixtures.ts";
import { button } from "./flow-page.ts";

const runState = (page: import("@playwright/test").Page) =>
  page.getByRole("main").getByRole("status").locator("[data-run]");

test("a flow is started with its variables, once what it sends is confirmed", async ({
  page,
  gateway,
}) => {
  gateway.flowRuns.addFlow("Order what runs out", {
    sends: true,
    variables: [{ name: "minimum", value: "", description: "Of each item" }],
  });
  gateway.flowRuns.requests = {
    requests: [
      {
        title: "Order",
        address: "https://orders.example.com/orders",
        origin: "https://orders.example.com",
        text: "POST https://orders.example.com/orders",
      },
    ],
    approvals: [{ id: null, title: "Sure?", question: "Really?" }],
  };
  await page.goto("/flows");
  await button(page, "Run Order what runs out").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("minimum").fill("3");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("POST https://orders.example.com/orders")).toBeVisible();
  await expect(dialog.getByText("The run will also ask you to approve: Sure?.")).toBeVisible();
  await expect.poll(() => gateway.flowRuns.runs).toEqual([]);
  await dialog.getByRole("button", { name: "Run flow" }).click();
  await expect(runState(page)).toHaveText("Running");
  await expect.poll(() => gateway.flowRuns.runs).toMatchObject([{ inputs: { minimum: "3" } }]);
  await expect(page.getByRole("definition")).toHaveText("3");
});

test("a flow is found in the chat's commands, and searches its workspace", async ({
  page,
  gateway,
}) => {
  const variables = [{ name: "city", value: "Rome", description: "" }];
  const id = gateway.flowRuns.addFlow("Weather report", { searches: true, variables });
  await page.goto("/workspace/tenant-handbook");
  await page.getByRole("textbox", { name: "Message" }).pressSequentially("/weath");
  const option = page.getByRole("listbox", { name: "Commands" }).getByRole("option");
  await expect(option.first()).toHaveText(/Weather report.*Flow/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Workspace to search")).toHaveValue("tenant-handbook");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(runState(page)).toHaveText("Running");
  await expect
    .poll(() => gateway.flowRuns.sent.at(-1))
    .toEqual({
      method: "POST",
      path: `/workspace/tenant-handbook/flows/${id}/runs`,
      body: { inputs: { city: "Rome" } },
    });
});

test("runs are filtered by flow and state", async ({ page, gateway }) => {
  const [weather, orders] = ["Weather report", "Order"].map((name) =>
    gateway.flowRuns.addFlow(name),
  );
  gateway.flowRuns.addRun({ flowId: weather!, state: "done" });
  gateway.flowRuns.addRun({ flowId: weather!, state: "denied" });
  gateway.flowRuns.addRun({ flowId: orders!, name: "Order", state: "done" });
  await page.goto("/flows");
  const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect(runs).toHaveCount(3);
  await page.getByLabel("State").selectOption("Done");
  await expect(runs).toHaveText([/^Order.*Done$/, /^Weather report.*Done$/]);
  await page.getByLabel("Flow", { exact: true }).selectOption("Weather report");
  await expect(runs).toHaveText([/^Weather report.*Done$/]);
  await page.reload();
  await expect(page.getByLabel("State")).toHaveValue("done");
  await page.getByLabel("State").selectOption("Queued");
  await expect(page.getByText("No such runs.")).toBeVisible();
  await page.getByRole("link", { name: "All flows and runs" }).click();
  await expect(runs).toHaveCount(3);
});

test.describe("a run", () => {
  test("is shown live, and can be answered and cancelled", async ({ page, gateway }) => {
    gateway.flowRuns.addFlow("Weather report");
    const run = gateway.flowRuns.addRun({ blocks: [flowBlock("0", { title: "Read" })] });
    await page.goto("/flows");
    await page.getByRole("link", { name: "Weather report" }).click();
    await expect(runState(page)).toHaveText("Running");
    await expect.poll(() => gateway.flowRuns.isWatched(run)).toBe(true);
    const blocks = page.getByRole("list", { name: "Blocks" }).getByRole("listitem");
    gateway.flowRuns.sendBlock(run, flowBlock("1.then.0", { title: "Inner", state: "running" }));
    gateway.flowRuns.sendBlock(run, flowBlock("1", { title: "Outer", state: "running" }));
    await expect(blocks).toHaveText([/^Read.*Done/, /^Outer.*Running/, /^Inner.*Running/]);
    const expiry = new Date();
    expiry.setHours(14, 5);
    gateway.flowRuns.change(run, {
      state: "waiting",
      question: {
        path: "1.then.0",
        kind: "request",
        block: "Inner",
        question: "Allow it?",
        details: "POST https://new.example.com/",
        destination: "https://new.example.com",
        expiresAt: expiry.toISOString(),
      },
    });
    const question = page.getByRole("region", { name: "Question of this run" });
    await expect(question).toContainText("POST https://new.example.com/");
    await expect(question).toContainText("Without an answer by 2:05 PM, this counts as denied.");
    await question.getByRole("button", { name: "Approve for this run" }).click();
    await expect(question).toHaveCount(0);
    await expect
      .poll(() => gateway.flowRuns.sent.at(-1)?.body)
      .toEqual({ path: "1.then.0", decision: "run" });
    await button(page, "Cancel run").click();
    await expect(runState(page)).toHaveText("Canceled");
    await expect.poll(() => gateway.flowRuns.isWatched(run)).toBe(false);
  });

  test("shows the start of a long result, and all of it on request", async ({ page, gateway }) => {
    gateway.flowRuns.pieces = ["First line\n", "line\n".repeat(400), "last line"];
    const run = gateway.flowRuns.addRun({
      state: "done",
      blocks: [flowBlock("0", { title: "Read", result: "First line", isCut: true })],
    });
    await page.goto(`/flows?run=${run.id}`);
    await page.getByRole("button", { name: /^Read/ }).click();
    const result = page.getByRole("region", { name: "Result of Read" });
    await expect(result).toHaveText("First line");
    await button(page, "Show all").click();
    await expect(result).toContainText("last line");
    await expect(button(page, "Show all")).toHaveCount(0);
  });

  test("lists what its result cites", async ({ page, gateway }) => {
    const run = gateway.flowRuns.addRun({
      state: "done",
      output: "They suffice [1, 2].",
      sources: [
        { number: 1, title: "survey.pdf", page: 3, url: "file://survey.pdf" },
        { number: 2, title: "Heating", page: null, url: "https://wiki.example.com/heat" },
      ],
    });
    await page.goto(`/flows?run=${run.id}`);
    const sources = page.getByRole("list", { name: "Sources of the result" });
    await expect(sources.getByRole("listitem")).toHaveText([/survey\.pdf page 3/, /Heating/]);
    const links = sources.getByRole("link");
    await expect(links).toHaveCount(1);
    await expect(links).toHaveAttribute("href", "https://wiki.example.com/heat");
  });

  test("that failed says where and why, and runs again from there", async ({ page, gateway }) => {
    const fault = { code: "flow.block-failed", params: { block: "Order", reason: "no reply" } };
    const run = gateway.flowRuns.addRun({
      state: "failed",
      endedAt: new Date().toISOString(),
      fault,
      canContinue: true,
      blocks: [
        flowBlock("0"),
        flowBlock("1", { title: "Order", state: "failed", fault, result: "" }),
      ],
    });
    await page.goto(`/flows?run=${run.id}`);
    await expect(runState(page)).toHaveText("Failed");
    await expect(page.getByText("Order failed: no reply")).toHaveCount(2);
    await button(page, "Run again from the failed block").click();
    await expect(runState(page)).toHaveText("Running");
    await expect.poll(() => gateway.flowRuns.sent.at(-1)?.body).toEqual({ from: "end" });
    await expect(page.getByText("Run again", { exact: true })).toBeVisible();
    const { id } = gateway.flowRuns.addRun({
      ...{ state: "failed", fault, canContinue: true },
      blocks: [flowBlock("0", { type: "start", state: "failed", fault, result: "" })],
    });
    await page.goto(`/flows?run=${id}`);
    await expect(runState(page)).toHaveText("Failed");
    await expect(button(page, "Run again")).toBeVisible();
    await expect(button(page, "Run again from the failed block")).toHaveCount(0);
  });
});

test("a denied run leads admins to what may run without asking", async ({ page, gateway }) => {
  const { id: flowId } = gateway.flows.add("Weather report", []);
  const fault = { code: "flow.approval-missing", params: { block: "Approval" } };
  const run = gateway.flowRuns.addRun({ flowId, trigger: "webhook", state: "denied", fault });
  await page.goto(`/flows?run=${run.id}`);
  await page.getByRole("link", { name: "Allow in advance" }).click();
  await expect(page.getByRole("complementary", { name: "API and webhooks" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use(phone);
  test("flows are found in the user menu, and nothing is cut off", async ({ page, gateway }) => {
    gateway.flowRuns.addFlow("Weather report", { description: "Reports the weather in a city." });
    gateway.flowRuns.addRun({ state: "done", endedAt: new Date().toISOString() });
    await page.goto("/");
    await button(page, "Open sidebar").click();
    await button(page, "User menu").click();
    await page.getByRole("menuitem", { name: "Flows" }).click();
    await expect(button(page, "Run Weather report")).toBeVisible();
    await page.getByRole("link", { name: "Weather report" }).click();
    await expect(runState(page)).toHaveText("Done");
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});
