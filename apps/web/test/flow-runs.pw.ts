import type { FlowStep } from "@carrel/contracts";
import type { Page } from "@playwright/test";
import { dialog, menu } from "./admin-page.ts";
import { clientSteps } from "./fake-flows.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, test } from "./fixtures.ts";
import {
  addFrom,
  builderPath,
  button,
  head,
  loop,
  open,
  outline,
  plain,
  status,
} from "./flow-page.ts";

test.describe("a flow that was saved elsewhere", () => {
  const conflict = async (page: Page, gateway: FakeGateway) => {
    const flow = await open(page, gateway, clientSteps());
    await page.getByLabel("Description").fill("Mine");
    gateway.flows.change(flow.id, { description: "Theirs" });
    await button(page, "Save flow").click();
    await expect(dialog(page)).toContainText("This flow was changed elsewhere");
    return flow;
  };
  test("can be looked at and overwritten", async ({ page, gateway }) => {
    const flow = await conflict(page, gateway);
    await dialog(page).getByRole("button", { name: "Look at theirs" }).click();
    await expect(dialog(page).getByText("Theirs", { exact: true })).toBeVisible();
    await dialog(page).getByRole("button", { name: "Overwrite theirs" }).click();
    await expect(status(page)).toHaveText("Saved");
    expect(flow).toMatchObject({ description: "Mine", version: 3 });
  });
  test("can be left, with a copy of this one", async ({ page, gateway }) => {
    const flow = await conflict(page, gateway);
    await dialog(page).getByRole("button", { name: "Save mine as a copy" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Weather report (copy)");
    expect(flow.description).toBe("Theirs");
    await expect.poll(() => gateway.flows.flows.at(-1)).toMatchObject({ description: "Mine" });
  });
});

test.describe("a test run", () => {
  test("shows what each block did and offers it as variables", async ({ page, gateway }) => {
    const { id } = await open(page, gateway, clientSteps());
    await page.getByLabel("Name", { exact: true }).fill("Unsaved");
    await button(page, "Test").click();
    await page.getByLabel("city").fill("Oslo");
    await page
      .getByRole("complementary", { name: "Test run" })
      .getByLabel("Workspace")
      .selectOption("tenant-handbook");
    await page.getByRole("switch", { name: "Approve when asked" }).click();
    await button(page, "Run test").click();
    await expect(page.getByText("The flow finished.")).toBeVisible();
    const { path, body } = gateway.flows.sent.at(-1)!;
    // With its ID, for the flow's own credentials.
    expect(path).toBe(`/workspace/tenant-handbook/flows/${id}/test`);
    expect(body).toMatchObject({ inputs: { city: "Oslo" }, approve: false });
    await expect(head(page, "LLM instruction")).toContainText("Done");
    await head(page, "LLM instruction").click();
    await expect(page.getByRole("region", { name: "Result of LLM instruction" })).toHaveText(
      "Sunny, 24 °C.",
    );
    const text = page.getByLabel("Instruction", { exact: true });
    await text.fill("");
    await text.pressSequentially("It is ${weather.te");
    await expect(page.getByRole("option", { name: "weather.temperature" })).toContainText("24");
    await page.keyboard.press("Tab");
    await expect(text).toHaveValue("It is ${weather.temperature}");
    await menu(page, "LLM instruction", "Run from here");
    await expect(page.getByText("Started from LLM instruction")).toBeVisible();
    const again = gateway.flows.sent.at(-1)!.body;
    expect(again.from).toBe((again.steps as FlowStep[]).at(-1)!.id);
    expect(again.variables).toMatchObject({ weather: { temperature: 24 } });
    await expect(head(page, "API call")).toContainText("Skipped");
  });

  test("starts from a block in a branch, and from the loop around a block", async ({
    page,
    gateway,
  }) => {
    const steps: FlowStep[] = [
      {
        id: "condition",
        type: "carrel-condition",
        config: {
          left: "1",
          operator: "equals",
          right: "1",
          then: [],
          otherwise: [plain("b", "In the branch")],
        },
      },
      loop([plain("c", "In the loop")]),
    ];
    await open(page, gateway, steps);
    await button(page, "Expand all").click();
    await button(page, "Test").click();
    await button(page, "Run test").click();
    await expect(page.getByText("The flow finished.")).toBeVisible();
    await button(page, "Close test run").click();
    await menu(page, "In the branch", "Run from here");
    await expect(page.getByText("Started from In the branch")).toBeVisible();
    await expect.poll(() => gateway.flows.sent.at(-1)?.body.from).toBe("b");
    await menu(page, "In the loop", "Run from the start of Loop");
    await expect(page.getByText("Started from Loop")).toBeVisible();
    await expect.poll(() => gateway.flows.sent.at(-1)?.body.from).toBe("loop");
  });

  test("says where and why a flow failed", async ({ page, gateway }) => {
    gateway.flows.run = (steps) => ({
      ok: false,
      steps: steps.slice(0, 2).map((step, index) => ({
        id: step.id ?? null,
        type: step.type,
        title: null,
        state: index === 1 ? "failed" : "done",
        milliseconds: 5,
        result: "",
        fault:
          index === 1
            ? { code: "flow.block-failed", params: { block: "API call", reason: "no reply" } }
            : null,
      })),
      variables: {},
      omitted: ["page"],
      output: null,
      fault: { code: "flow.block-failed", params: { block: "API call", reason: "no reply" } },
    });
    await open(page, gateway, clientSteps());
    await button(page, "Test").click();
    await button(page, "Run test").click();
    await expect(page.getByText("The flow failed.")).toBeVisible();
    await expect(
      page.getByText("Too large to keep for a run from a later block: page."),
    ).toBeVisible();
    await expect(page.getByText("API call failed: no reply").first()).toBeVisible();
    await expect(head(page, "API call")).toContainText("Failed");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("complementary", { name: "Test run" })).toHaveCount(0);
    await expect(button(page, "Test")).toBeFocused();
  });

  test("works before a flow is saved", async ({ page, gateway }) => {
    await page.goto(builderPath);
    await addFrom(page, "Add block", "LLM instruction");
    await page.getByLabel("Instruction", { exact: true }).fill("Say hello");
    await button(page, "Test").click();
    await button(page, "Run test").click();
    await expect(page.getByText("The flow finished.")).toBeVisible();
    const { path, body } = gateway.flows.sent.at(-1)!;
    expect(path).toBe("/flows/test");
    expect(body.steps).toMatchObject([
      { type: "start" },
      { type: "llmInstruction", config: { instruction: "Say hello" } },
    ]);
    await expect.poll(() => gateway.flows.flows).toEqual([]);
  });
});

test("versions are shown and restored", async ({ page, gateway }) => {
  const flow = gateway.flows.add("Weather report", clientSteps());
  gateway.flows.change(flow.id, { steps: [plain("a", "Only one")] });
  await page.goto(`${builderPath}/${flow.id}`);
  await button(page, "Versions").click();
  await button(page, "View version 1").click();
  await expect(page.getByText("https://weather.example/v1")).toBeVisible();
  await button(page, "Restore version 1").click();
  await expect(page.getByText("Restored version 1 as a new version.")).toBeVisible();
  await expect.poll(() => outline(page)).toEqual(["Start", "API call", "LLM instruction"]);
  await expect(page.getByText("Version 3")).toBeVisible();
  expect(flow).toMatchObject({ version: 3, steps: clientSteps() });
});
