import { expectScreensAccessible } from "./accessibility.ts";
import { dialog, menu } from "./admin-page.ts";
import { FakeCredentials } from "./fake-credentials.ts";
import { FakeFlows, clientSteps } from "./fake-flows.ts";
import { expect, phone, test } from "./fixtures.ts";
import {
  addFrom,
  builderPath,
  button,
  condition,
  dragByTouch,
  head,
  loop,
  open,
  outline,
  plain,
  status,
} from "./flow-page.ts";
import { flowScreens } from "./flow-screens.ts";

test.describe("building a flow", () => {
  test("works with the keyboard alone", async ({ page, gateway }) => {
    await page.goto(builderPath);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("Weather");
    await page.getByLabel("Variables, row 1: Name").focus();
    await page.keyboard.type("city");
    await button(page, "Add block").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "API call" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(head(page, "API call")).toBeFocused();
    await page.getByLabel("Address", { exact: true }).focus();
    await page.keyboard.type("https://weather.example/${ci");
    await expect(page.getByRole("option", { name: "city" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Address", { exact: true })).toHaveValue(
      "https://weather.example/${city}",
    );
    await page.getByLabel("Save the result as").focus();
    await page.keyboard.type("weather");
    await expect(status(page)).toHaveText("Unsaved changes");
    await button(page, "Save flow").focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${builderPath}/1111`));
    await expect(status(page)).toHaveText("Saved");
    await expect
      .poll(() => gateway.flows.sent.at(-1)?.body.steps)
      .toMatchObject([
        { type: "start", config: { variables: [{ name: "city" }] } },
        {
          type: "apiCall",
          config: { url: "https://weather.example/${city}", responseVariable: "weather" },
        },
      ]);
  });

  test("moves blocks with Alt and arrows, and says where to", async ({ page, gateway }) => {
    await open(page, gateway, [plain("a", "First"), loop(), plain("b", "Second")]);
    await head(page, "First").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => outline(page)).toEqual(["Loop", "First", "Second"]);
    await expect(page.getByRole("main").getByRole("status").last()).toHaveText(
      "Moved First to position 2 of 3 in the flow.",
    );
    await expect(head(page, "First")).toBeFocused();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => outline(page)).toEqual(["Loop", "-First", "Second"]);
    await expect(head(page, "First")).toBeFocused();
    await expect(
      page.getByText("Moved First to position 1 of 1 in For each item of Loop."),
    ).toBeAttached();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(page.getByText("First can't be moved further.")).toBeAttached();
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => outline(page)).toEqual(["Loop", "First", "Second"]);
    await menu(page, "Second", "Move up");
    await expect.poll(() => outline(page)).toEqual(["Loop", "Second", "First"]);
    await page.keyboard.press("Control+z");
    await expect.poll(() => outline(page)).toEqual(["Loop", "First", "Second"]);
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => outline(page)).toEqual(["Loop", "Second", "First"]);
  });

  test("drags blocks, also into others", async ({ page, gateway }) => {
    await page.setViewportSize({ width: 1280, height: 1300 });
    await open(page, gateway, [plain("a", "First"), plain("b", "Second"), loop()]);
    const drag = async (name: string, to: { x: number; y: number }, cancel = false) => {
      const handle = (await button(page, `Drag ${name}`).boundingBox())!;
      await page.mouse.move(handle.x + 8, handle.y + 8);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y - 10);
      await page.mouse.move(to.x, to.y);
      await expect(page.locator("[data-drop]")).toHaveCount(1);
      if (cancel) await page.keyboard.press("Escape");
      await page.mouse.up();
    };
    const above = async (name: string) => {
      const box = (await head(page, name).boundingBox())!;
      return { x: box.x + 40, y: box.y - 12 };
    };
    await drag("Second", await above("First"), true);
    await expect.poll(() => outline(page)).toEqual(["First", "Second", "Loop"]);
    await drag("Second", await above("First"));
    await expect.poll(() => outline(page)).toEqual(["Second", "First", "Loop"]);
    await head(page, "Loop").click();
    const inside = (await button(page, "Add block to For each item of Loop").boundingBox())!;
    await drag("First", { x: inside.x + 20, y: inside.y });
    await expect.poll(() => outline(page)).toEqual(["Second", "Loop", "-First"]);
    await button(page, "Undo (Ctrl Z)").click();
    await expect.poll(() => outline(page)).toEqual(["Second", "First", "Loop"]);
  });

  test("has blocks between others, copies and deletes them", async ({ page, gateway }) => {
    await open(page, gateway, [plain("a", "First"), plain("b", "Second")]);
    await addFrom(page, "Add a block after First", "Condition");
    await addFrom(page, "Add block to Then of Condition", "Approval");
    await page.getByLabel("Question", { exact: true }).fill("Really?");
    await expect.poll(() => outline(page)).toEqual(["First", "Condition", "-Approval", "Second"]);
    await menu(page, "Condition", "Duplicate");
    await expect
      .poll(() => outline(page))
      .toEqual(["First", "Condition", "-Approval", "Condition", "Second"]);
    await menu(page, "First", "Delete block");
    await expect(head(page, "Condition").first()).toBeFocused();
    await menu(page, "Second", "Rename");
    await dialog(page).getByLabel("Title").fill("Last");
    await dialog(page).getByRole("button", { name: "Rename" }).click();
    await expect(head(page, "Last")).toBeVisible();
  });

  test("shows problems at blocks and before saving", async ({ page, gateway }) => {
    await open(page, gateway, [plain("a", "First")]);
    await addFrom(page, "Add block", "Workspace search");
    await page.getByLabel("What to search for", { exact: true }).fill("${nothing}");
    await expect(head(page, "Workspace search.*1 problem")).toBeVisible();
    await page.getByRole("button", { name: "Workspace search" }).first().focus();
    await button(page, "Collapse all").or(button(page, "Expand all")).click();
    await button(page, "Save flow").click();
    await expect(dialog(page)).toContainText("No block before this one defines “nothing”.");
    await dialog(page)
      .getByRole("button", { name: /^Workspace search/ })
      .click();
    await expect(head(page, "Workspace search")).toBeFocused();
    await button(page, "Save flow").click();
    await dialog(page).getByRole("button", { name: "Save anyway" }).click();
    await expect(status(page)).toHaveText("Saved");
    await page.getByLabel("Name", { exact: true }).fill("");
    await button(page, "Save flow").click();
    await expect(dialog(page)).toContainText("Correct this before you save the flow.");
    await expect(dialog(page).getByRole("button", { name: "Save anyway" })).toHaveCount(0);
  });

  test("leaves flows of other clients as they are", async ({ page, gateway }) => {
    const flow = await open(page, gateway, clientSteps());
    await expect(button(page, "Save flow")).toBeDisabled();
    await page.getByLabel("Description").fill("What the weather is like");
    await button(page, "Save flow").click();
    await expect(status(page)).toHaveText("Saved");
    await expect
      .poll(() => gateway.flows.sent.at(-1)?.body)
      .toEqual({
        name: "Weather report",
        description: "What the weather is like",
        steps: clientSteps(),
        version: 1,
      });
    expect(flow.version).toBe(2);
  });

  test("keeps what was typed when the page is left", async ({ page, gateway }) => {
    await open(page, gateway, clientSteps());
    await head(page, "LLM instruction").click();
    await page.getByLabel("Instruction", { exact: true }).fill("Something else");
    await expect(status(page)).toHaveText("Unsaved changes");
    await page.getByRole("link", { name: "Flows", exact: true }).click();
    await page.getByRole("link", { name: "Weather report" }).click();
    await expect(page.getByText("Restored your unsaved changes")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Restored your unsaved changes")).toBeVisible();
    await head(page, "LLM instruction").click();
    await expect(page.getByLabel("Instruction", { exact: true })).toHaveValue("Something else");
    // What was written the moment before a reload is kept too.
    await button(page, "Discard changes").evaluate((discard: HTMLElement) => {
      discard.click();
      location.reload();
    });
    await expect(status(page)).toHaveText("Saved");
    await head(page, "LLM instruction").click();
    await expect(page.getByLabel("Instruction", { exact: true })).not.toHaveValue("Something else");
  });
});

test("a new flow stays open once it is saved, with what can be undone", async ({
  page,
  gateway,
}) => {
  await page.goto(builderPath);
  await page.getByLabel("Name", { exact: true }).fill("Weather");
  await addFrom(page, "Add block", "Approval");
  await page.getByLabel("Question", { exact: true }).fill("Really?");
  const typed = Promise.withResolvers<void>();
  await page.route("**/api/flows", async (route) => {
    if (route.request().method() === "POST") await typed.promise;
    await route.continue();
  });
  await button(page, "Save flow").click();
  await expect(button(page, "Saving")).toBeVisible();
  await page.getByLabel("Description", { exact: true }).fill("Typed meanwhile");
  typed.resolve();
  await expect(page).toHaveURL(new RegExp(`${builderPath}/1111`));
  await expect(status(page)).toHaveText("Unsaved changes");
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("Typed meanwhile");
  await button(page, "Undo (Ctrl Z)").click();
  await expect(status(page)).toHaveText("Saved");
  await button(page, "Undo (Ctrl Z)").click();
  await expect(page.getByLabel("Question", { exact: true })).toHaveValue("");
  await button(page, "Save flow").click();
  await dialog(page).getByRole("button", { name: "Save anyway" }).click();
  await expect(status(page)).toHaveText("Saved");
  await expect.poll(() => gateway.flows.flows).toMatchObject([{ name: "Weather", version: 2 }]);
  await page.goto(builderPath);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
});

test.describe("on a phone", () => {
  test.use(phone);
  test("blocks are added, and moved with a finger", async ({ page, gateway }) => {
    await open(page, gateway, [plain("a", "First"), plain("b", "Second")]);
    await expect(page.getByText("Building flows is easier on a wide screen.")).toBeVisible();
    await addFrom(page, "Add block", "Web scraping");
    await expect.poll(() => outline(page)).toEqual(["First", "Second", "Web scraping"]);
    await dragByTouch(page, "Second", button(page, "Add a block at the start"));
    await expect.poll(() => outline(page)).toEqual(["Second", "First", "Web scraping"]);
  });

  test("blocks are nested with a finger, into lists and out of them", async ({ page, gateway }) => {
    await open(page, gateway, [plain("a", "First"), plain("b", "Second"), loop([condition()])]);
    await head(page, "Loop").tap();
    await head(page, "Condition").tap();
    await dragByTouch(page, "Second", button(page, "Add block to Otherwise of Condition"));
    await expect.poll(() => outline(page)).toEqual(["First", "Loop", "-Condition", "--Second"]);
    await dragByTouch(page, "First", button(page, "Add block to Then of Condition"));
    await expect.poll(() => outline(page)).toEqual(["Loop", "-Condition", "--First", "--Second"]);
    await dragByTouch(page, "Second", button(page, "Add block to For each item of Loop"));
    await expect.poll(() => outline(page)).toEqual(["Loop", "-Condition", "--First", "-Second"]);
    await dragByTouch(page, "First", button(page, "Add block"));
    await expect.poll(() => outline(page)).toEqual(["Loop", "-Condition", "-Second", "First"]);
  });

  test("blocks are nested with a keyboard", async ({ page, gateway }) => {
    await open(page, gateway, [condition(), plain("a", "First"), plain("b", "Second")]);
    await head(page, "First").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => outline(page)).toEqual(["Condition", "-First", "Second"]);
    await expect(head(page, "First")).toBeFocused();
    await expect(head(page, "First")).toBeInViewport();
    await head(page, "Second").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(() => outline(page)).toEqual(["Condition", "-Second", "-First"]);
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => outline(page)).toEqual(["Condition", "-First", "Second"]);
  });
});

test("flows and their builder are accessible", async ({ page, gateway }) => {
  await expectScreensAccessible(
    page,
    Object.entries(flowScreens).map(([name, draw]) => [
      name,
      async () => {
        gateway.flows = new FakeFlows();
        gateway.credentials = new FakeCredentials();
        await draw(page, gateway, false);
      },
    ]),
  );
});
