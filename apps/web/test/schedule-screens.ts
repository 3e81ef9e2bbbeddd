import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import { scheduleStep } from "./agent-scripts.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;

const at =
  (path: string, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.schedules.fill();
    await page.goto(gateway.url + path);
    await then?.(page);
    await settled(page);
  };
const briefing = "/schedules/5c4ed01e-0000-4000-8000-000000000001";
const shown =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByText(text).first().waitFor();
  };

/** Screenshots of scheduled work. */
export const scheduleScreens: Record<string, Draw> = {
  schedules: at("/schedules", shown("Morning briefing")),
  "schedules-empty": async (page, gateway) => {
    await page.goto(`${gateway.url}/schedules`);
    await page.getByText("Start with an example").waitFor();
    await settled(page);
  },
  "schedule-new": at("/schedules/new?example=news", async (page) => {
    await page.locator("[data-next-runs]").waitFor();
  }),
  "schedule-new-end": at("/schedules/new?example=news", async (page) => {
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByLabel("Destination").fill("https://api.example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
    await page.getByText("May, without asking").scrollIntoViewIfNeeded();
  }),
  "schedule-custom": at("/schedules/new?example=changes", async (page) => {
    await page.getByLabel("Repeats").selectOption("custom");
    await page.getByLabel("Cron expression").fill("*/15 9-17 * * MON-FRI");
    await page.getByText("Every 15 minutes").waitFor();
    await page.getByText("Every 15 minutes").scrollIntoViewIfNeeded();
  }),
  "schedule-errors": at("/schedules/new", async (page) => {
    await page.getByRole("button", { name: "Create schedule" }).click();
    await page.getByText("This is required.").first().waitFor();
  }),
  schedule: at(briefing, shown("1 call denied")),
  "schedule-run": at(briefing, async (page) => {
    await page.getByRole("button", { name: /1 call denied/ }).click();
    await page.getByText("Three documents have changed.").waitFor();
  }),
  "schedule-missed": at(briefing, async (page) => {
    await page.getByRole("button", { name: /Made up for/ }).click();
    await page.getByText("and 2 earlier ones").waitFor();
  }),
  "schedule-flow": at(briefing.replace(/1$/, "2"), async (page) => {
    await page.getByRole("button", { name: /1 call denied/ }).click();
    await page.locator("[data-denied]").waitFor();
  }),
  "schedule-paused": at(briefing.replace(/1$/, "3"), shown("This schedule is paused")),
  "schedule-card": async (page, gateway) => {
    gateway.schedules.fill();
    gateway.addTurn("heat-pump-retrofit", "flow", {
      question: "Check the list before the hand-over, and send me news twice a week",
      answer: "Both are scheduled.",
      steps: ["9", "4"].map((part, index) =>
        scheduleStep(index + 1, briefing.slice(-36).replace(/1$/, part)),
      ),
      generationId: "00000000-0000-4000-9000-000000000001",
    });
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
    await page.getByText("This schedule doesn't exist.").waitFor();
    await settled(page);
  },
  "schedules-admin": async (page, gateway) => {
    gateway.admin.fill();
    gateway.schedules.fill(2);
    await signedIn(page, gateway, "mira_kowalska");
    await page.goto(`${gateway.url}/settings/scheduled-work`);
    await page.getByText("Let people schedule work").waitFor();
    await settled(page);
  },
};
