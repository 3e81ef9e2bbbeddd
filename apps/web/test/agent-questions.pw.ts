import type { Locator, Page } from "@playwright/test";
import { approvalStep, formStep } from "./agent-scripts.ts";
import { button, open } from "./chat-page.ts";
import { ask, expect, test } from "./fixtures.ts";

const turn = (page: Page): Locator => page.getByRole("article", { name: "Answer" });
const approval = (page: Page): Locator => page.getByRole("group", { name: /^Approval needed/ });
const form = (page: Page): Locator => page.getByRole("form", { name: "Questions for you" });

test.describe("what an agent asks", () => {
  test("keeps what was entered in a form, whose Escape doesn't stop it", async ({
    page,
    gateway,
  }) => {
    Object.assign(gateway, { script: [formStep(1), "Done."], pace: 1 });
    await open(page);
    await ask(page, "Write");
    const input = form(page).getByLabel("Who is the report for?");
    await input.fill("The owners");
    await input.press("Escape");
    await expect(form(page)).toBeVisible();
    await expect(input).toHaveValue("The owners");
    await button(page, "Skip").click();
    await expect(turn(page)).toContainText("Done.");
    await expect.poll(() => gateway.steps.sent).toMatchObject([{ answers: [null, null] }]);
  });

  test("shows no approval beside what an allowed call asks", async ({ page, gateway }) => {
    const { approval: asked, ...call } = approvalStep(1);
    const allowed = { ...asked!, decision: "once" as const };
    const { form: asks } = formStep(1);
    Object.assign(gateway, {
      script: [{ ...call, approval: allowed, form: asks }, "Sent."],
      pace: 1,
    });
    await open(page);
    await ask(page, "Send it");
    await expect(form(page)).toBeVisible();
    await expect(approval(page)).toHaveCount(0);
    await button(page, "Skip").click();
    await expect(turn(page)).toContainText("Sent.");
  });
});
