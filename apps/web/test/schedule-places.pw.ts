import { expectAccessible } from "./accessibility.ts";
import { dialog } from "./admin-page.ts";
import { scheduleApproval, scheduleStep } from "./agent-scripts.ts";
import { open } from "./chat-page.ts";
import { weatherFlow, weatherRun } from "./fake-schedules.ts";
import { ask, expect, test } from "./fixtures.ts";

const idOf = (part: number): string => `5c4ed01e-0000-4000-8000-00000000000${part}`;

test.use({ timezoneId: "Europe/Berlin" });

test.describe("schedules", () => {
  test.beforeEach(({ gateway }) => gateway.schedules.fill());

  test("are shown where agents created them, and named where they asked and in notices", async ({
    page,
    gateway,
  }) => {
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Send me news twice a week",
      answer: "I've scheduled it.",
      steps: [scheduleStep(1, idOf(9)), scheduleStep(2, idOf(4))],
      generationId: "00000000-0000-4000-9000-000000000001",
    });
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "What changed?",
      answer: "Nothing.",
      scheduleId: idOf(1),
    });
    gateway.notices.add({
      kind: "schedule.paused",
      title: "What changed in the offers",
      fault: { code: "schedule.paused-failures", params: { count: 5 } },
      documentId: null,
      scheduleId: idOf(3),
    });
    await page.goto("/workspace/heat-pump-retrofit/t/flow");
    const cards = page.locator("[data-outputs]");
    // It was deleted.
    await expect(cards.first()).toContainText("Every Monday and Thursday at 7:30 AM");
    await expect(cards.first()).toContainText("This schedule doesn't exist.");
    await expect(cards.first().getByRole("link")).toHaveCount(0);
    // It was changed since.
    const card = cards.last().getByRole("link", { name: "Open schedule" });
    await expect(card).toContainText("Once on Mar 1, 2027 at 9:30 AM");
    await expect(card).toContainText("Next run Mon, Mar 1, 2027, 9:30 AM GMT+1");
    await expectAccessible(page);
    await card.click();
    const title = page.getByRole("heading", { name: "Checklist before the hand-over" });
    await expect(title.last()).toBeVisible();
    await page.goBack();
    // No model can write a flow's result again.
    await expect(page.getByRole("button", { name: "Regenerate" })).toHaveCount(1);
    await page.getByRole("link", { name: "Asked by the schedule Morning briefing" }).click();
    await expect(page.getByRole("heading", { name: "Morning briefing" }).last()).toBeVisible();
    await page.getByRole("button", { name: "1 unread notice" }).click();
    await expect(dialog(page)).toContainText("Paused because the last 5 runs failed.");
    await dialog(page).getByRole("link", { name: "Open schedule" }).click();
    await expect(page.getByText("This schedule is paused")).toBeVisible();
  });

  test("that agents ask for are approved in words", async ({ page, gateway }) => {
    const script = [scheduleApproval(1), scheduleStep(1, idOf(4)), "It's scheduled."];
    Object.assign(gateway, { script, pace: 1 });
    await open(page);
    await ask(page, "Send me news twice a week");
    const approval = page.getByRole("group", { name: /^Approval needed/ });
    await expect(approval).toContainText("30 7 * * MON,THU (Europe/Berlin)");
    await expect(approval.getByText("Every Monday and Thursday at 7:30 AM")).toBeVisible();
    await expectAccessible(page);
    await approval.getByRole("button", { name: "Allow once" }).click();
    await expect(page.getByRole("link", { name: "Open schedule" })).toBeVisible();
  });

  test("of flows lead to the flow's run, and say what it was denied", async ({ page, gateway }) => {
    gateway.flowRuns.addWeatherFlow(weatherFlow);
    gateway.flowRuns.addRun({ id: weatherRun, trigger: "schedule", state: "denied" });
    await page.goto(`/schedules/${idOf(2)}`);
    await page.getByRole("button", { name: /1 call denied/ }).click();
    const denied = page.locator("[data-denied]");
    await expect(denied).toContainText("POST https://chat.example.com/hooks/7");
    await expect(denied.getByRole("button", { name: /^Allow from now on/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Open the flow's run" }).click();
    await expect(page).toHaveURL(new RegExp(`/flows\\?run=${weatherRun}$`));
    await expect(page.getByRole("main").getByRole("status").locator("[data-run]")).toBeVisible();
  });
});
