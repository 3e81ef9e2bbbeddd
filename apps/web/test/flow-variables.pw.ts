import type { FlowStep } from "@carrel/contracts";
import { clientSteps } from "./fake-flows.ts";
import { phone } from "./fixtures.ts";
import { expect, test } from "./fixtures.ts";
import { addFrom, button, head, open, plain } from "./flow-page.ts";

const say = (instruction: string): FlowStep => ({
  id: "say",
  type: "llmInstruction",
  config: { instruction, resultVariable: "", directOutput: false },
});
const start = (variables: object[]): FlowStep =>
  ({ id: "start", type: "start", config: { variables } }) as FlowStep;

test("variables have types, which the form of a test follows", async ({ page, gateway }) => {
  await open(page, gateway, [start([]), say("x")]);
  await head(page, "Start").click();
  const row = (number: number, label: string) =>
    page.getByLabel(`Variables, row ${number}: ${label}`);
  await button(page, "Add variable").click();
  await row(1, "Name").fill("days");
  await row(1, "Type").selectOption("Number");
  await row(1, "Default value").fill("few");
  await expect(
    page.getByText("The default value of “days” doesn't have its type.", { exact: true }),
  ).toBeVisible();
  await row(1, "Default value").fill("3");
  await button(page, "Add variable").click();
  await row(2, "Name").fill("cities");
  await row(2, "Type").selectOption("List");
  await row(2, "Required").check();
  await button(page, "Add variable").click();
  await row(3, "Name").fill("urgent");
  await row(3, "Type").selectOption("Yes/no");
  await row(3, "Default value").selectOption("No");

  await button(page, "Test").click();
  const panel = page.getByRole("complementary", { name: "Test run" });
  await panel.getByLabel("days").fill("soon");
  await button(page, "Run test").click();
  await expect(panel.getByText("Enter a number.")).toBeVisible();
  await expect(panel.getByText("Enter a value.")).toBeVisible();
  await panel.getByLabel("days").fill("4");
  await panel.getByLabel("cities").fill("Oslo\nRome");
  await panel.getByLabel("urgent").selectOption("Yes");
  await button(page, "Run test").click();
  await expect(page.getByText("The flow finished.")).toBeVisible();
  await expect
    .poll(() => gateway.flows.sent.at(-1)?.body)
    .toMatchObject({
      inputs: { days: "4", cities: "Oslo\nRome", urgent: "true" },
      steps: [
        {
          config: {
            variables: [
              { name: "days", value: "3", valueType: "number" },
              { name: "cities", valueType: "list", required: true },
              { name: "urgent", value: "false", valueType: "boolean" },
            ],
          },
        },
        {},
      ],
    });
});

const values = {
  weather: { sky: { clouds: 3 }, days: [{ high: 1 }, { high: 2 }], "wind speed": 7 },
};
const runOnce = async (
  page: import("@playwright/test").Page,
  gateway: import("./fake-gateway.ts").FakeGateway,
) => {
  gateway.flows.run = () => ({
    ok: true,
    steps: [],
    variables: values,
    omitted: [],
    output: "",
    fault: null,
  });
  await button(page, "Test").click();
  await button(page, "Run test").click();
  await expect(page.getByText("The flow finished.")).toBeVisible();
  await button(page, "Close test run").click();
};

test("paths into a value are picked with the keyboard", async ({ page, gateway }) => {
  await open(page, gateway, [...clientSteps().slice(0, 2), say("")]);
  await runOnce(page, gateway);
  await head(page, "LLM instruction").click();
  const text = page.getByLabel("Instruction", { exact: true });
  await text.pressSequentially("High: ${we");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { selected: true })).toContainText("weather.days");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("option", { selected: true })).toContainText("weather.days[0]");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(text).toHaveValue("High: ${weather.days[1].high}");
  await page.keyboard.type(" ${weather.wi");
  await page.keyboard.press("Enter");
  await expect(text).toHaveValue('High: ${weather.days[1].high} ${weather["wind speed"]}');
});

test("variables that a run may not have are marked", async ({ page, gateway }) => {
  await open(page, gateway, [
    {
      id: "if",
      type: "carrel-condition",
      config: {
        left: "1",
        operator: "equals",
        right: "1",
        then: [{ ...say("x"), id: "a", config: { ...say("x").config, resultVariable: "note" } }],
        otherwise: [],
      } as never,
    } as FlowStep,
    say(""),
  ]);
  await head(page, "LLM instruction").click();
  await page.getByLabel("Instruction", { exact: true }).pressSequentially("${");
  await expect(page.getByRole("option", { name: /^note/ })).toContainText("may be missing");
  await expect(page.getByRole("option", { name: /^note/ })).toContainText("Text");
});

test("a sub-flow asks for the variables of the chosen flow", async ({ page, gateway }) => {
  const other = gateway.flows.add("Forecast", [
    start([
      { name: "city", value: "Rome", description: "Where" },
      { name: "days", value: "", description: "", valueType: "number", required: true },
    ]),
    say("x"),
  ]);
  await open(page, gateway, [
    start([{ name: "town", value: "", description: "" }]),
    plain("a", "A"),
  ]);
  await addFrom(page, "Add block", "Sub-flow");
  await page.getByLabel("Flow", { exact: true }).selectOption("Forecast");
  await expect(page.getByLabel("city", { exact: true })).toBeVisible();
  await expect(page.getByText("Text. Where Default: Rome")).toBeVisible();
  await expect(page.getByText("Enter a value.")).toBeVisible();
  await page.getByLabel("days", { exact: true }).fill("5");
  await expect(page.getByText("Enter a value.")).toHaveCount(0);
  await page.getByLabel("city", { exact: true }).fill("${to");
  await page.keyboard.press("Enter");
  await button(page, "Save flow").click();
  await expect
    .poll(() => gateway.flows.sent.at(-1)?.body.steps)
    .toMatchObject([
      {},
      {},
      {
        config: {
          flowId: other.id,
          inputs: [
            { name: "days", value: "5" },
            { name: "city", value: "${town}" },
          ],
        },
      },
    ]);
});

test.describe("on a phone", () => {
  test.use(phone);
  test("paths into a value are picked with a finger", async ({ page, gateway }) => {
    await open(page, gateway, [...clientSteps().slice(0, 2), say("")]);
    await runOnce(page, gateway);
    await head(page, "LLM instruction").tap();
    const text = page.getByLabel("Instruction", { exact: true });
    await button(page, "Insert a variable into Instruction").tap();
    const into = (name: string) => page.getByRole("option", { name }).locator("[data-into]");
    await into("weather").tap();
    await into("weather.days").tap();
    await page.getByRole("button", { name: "Back from weather.days" }).tap();
    await into("weather.days").tap();
    await into("weather.days[1]").tap();
    await page.getByRole("option", { name: "weather.days[1].high" }).tap();
    await expect(text).toHaveValue("${weather.days[1].high}");
    await button(page, "Insert a variable into Instruction").tap();
    await into("weather").tap();
    await page.getByLabel("Name", { exact: true }).tap();
    await expect(text).toHaveValue("${weather.days[1].high}");
  });
});
