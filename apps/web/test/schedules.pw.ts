import type { Page } from "@playwright/test";
import { expectScreensAccessible } from "./accessibility.ts";
import { signedIn } from "./account-screens.ts";
import { dialog, menu } from "./admin-page.ts";
import { weatherFlow } from "./fake-schedules.ts";
import { expect, phone, test } from "./fixtures.ts";

const form = (page: Page) => page.locator("form");
const preview = (page: Page) => page.getByRole("region", { name: "Next runs" });
const create = (page: Page) => page.getByRole("button", { name: "Create schedule" });
const idOf = (part: number): string => `5c4ed01e-0000-4000-8000-00000000000${part}`;
const briefing = `/schedules/${idOf(1)}`;

/** What the browser has kept of forms, as JSON. */
const keptDrafts = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const all = await indexedDB.databases();
    if (!all.some(({ name }) => name === "carrel")) return "";
    return new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open("carrel");
      opening.addEventListener("error", () => reject(opening.error));
      opening.addEventListener("success", () => {
        const reading = opening.result.transaction("kept").objectStore("kept").getAll();
        reading.addEventListener("error", () => reject(reading.error));
        reading.addEventListener("success", () => {
          opening.result.close();
          resolve(JSON.stringify(reading.result));
        });
      });
    });
  });

test.use({ timezoneId: "Europe/Berlin" });

test.describe("the form of a schedule", () => {
  test("schedules a prompt from an example, and keeps what was typed", async ({
    page,
    gateway,
  }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Scheduled work" }).click();
    await page.getByRole("link", { name: /Summarize what changed in Heat-pump retrofit/ }).click();
    await expect(page.getByLabel("Prompt")).toHaveValue(/^Summarize what has changed/);
    await expect(page.getByLabel("Time zone")).toHaveValue("Europe/Berlin");
    await expect(preview(page)).toContainText("Every weekday at 8:00 AM");
    await page.getByLabel("Prompt").fill("What is new?");
    await expect.poll(() => keptDrafts(page)).toContain("What is new?");
    await page.goto("/schedules/new");
    await expect(page.getByText("Draft restored.")).toBeVisible();
    await expect(page.getByLabel("Prompt")).toHaveValue("What is new?");
    await page.getByLabel("Answers from").selectOption("Documents only");
    await create(page).click();
    await expect(page.getByRole("heading", { name: "What changed" }).last()).toBeVisible();
    await expect.poll(() => keptDrafts(page)).not.toContain("What is new?");
    await expect
      .poll(() => gateway.schedules.sent)
      .toEqual([
        {
          method: "POST",
          path: "/workspace/heat-pump-retrofit/schedules",
          body: {
            name: "What changed",
            work: { kind: "prompt", prompt: "What is new?", mode: "query", model: null },
            timing: { kind: "cron", cron: "0 8 * * MON-FRI", timeZone: "Europe/Berlin" },
            missed: "once",
            delivery: { thread: "new", webhook: null, onlyWhenChanged: true },
            approvals: [],
          },
        },
      ]);
    await page.goto("/schedules/new");
    await expect(page.getByLabel("Prompt")).toHaveValue("");
    await expect(page.getByText("Draft restored.")).toHaveCount(0);
  });

  test("schedules an agent with approvals and a webhook, whose secret is shown once", async ({
    page,
    gateway,
  }) => {
    await page.goto("/schedules/new?workspace=tenant-handbook");
    await page.getByRole("radio", { name: "Agent" }).check();
    await page.getByLabel("Name").fill("Report");
    await page.getByLabel("Prompt").fill("Write the report and send it");
    await page.getByLabel("Repeats").selectOption("Every month");
    await page.getByLabel("Day of the month").selectOption("31");
    await expect(preview(page)).toContainText("On the 31st of every month at 8:00 AM");
    await expect(page.getByText("Months without this day are skipped.")).toBeVisible();
    await page.getByRole("radio", { name: "No thread" }).click();
    await create(page).click();
    await expect(page.getByText("Choose a thread or enter a webhook")).toBeVisible();
    await page.getByLabel("Webhook").fill("https://ci.example.com/hook");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await dialog(page).getByLabel("Tool").selectOption({ label: "Send email" });
    await dialog(page).getByLabel("Destination").fill("team@example.com");
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Send email to team@example.com")).toBeVisible();
    await create(page).click();
    await expect(dialog(page).getByLabel("Signing secret")).toHaveValue(/^whsec_/);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("Webhook at ci.example.com")).toBeVisible();
    await expect
      .poll(() => gateway.schedules.sent.map(({ body }) => body))
      .toMatchObject([
        {
          work: { kind: "agent", prompt: "Write the report and send it", model: null },
          timing: { kind: "cron", cron: "0 8 31 * *" },
          delivery: { thread: "none", webhook: "https://ci.example.com/hook" },
          approvals: [{ tool: "gmail-send", destination: "team@example.com" }],
        },
      ]);
  });

  test("schedules a flow with its variables and where it sends requests", async ({
    page,
    gateway,
  }) => {
    gateway.flowRuns.addWeatherFlow(weatherFlow);
    const variable = { name: "city", value: "", description: "Where", required: true };
    gateway.flowRuns.flows.at(-1)!.variables = [variable];
    gateway.flowRuns.requests.approvals = [
      { id: "warn", title: "Warn", question: "Warn all tenants?" },
    ];
    await page.goto("/schedules/new?workspace=heat-pump-retrofit");
    await page.getByRole("radio", { name: "Flow" }).check();
    await page.getByLabel("Name").fill("Weather");
    await page.getByLabel("Flow", { exact: true }).selectOption("Weather report");
    await expect(page.getByText("Required")).toBeVisible();
    await create(page).click();
    await expect(page.getByLabel("city")).toHaveAccessibleDescription("This is required.");
    await page.getByLabel("city").fill("Kiel");
    await page.getByRole("checkbox", { name: "Send requests to https://weather.example" }).check();
    await page.getByRole("checkbox", { name: "Continue at “Warn”" }).check();
    await expect(page.getByText("Warn all tenants?")).toBeVisible();
    await page.getByLabel("Another address").fill("Backup.example/v1");
    await page.getByLabel("Another address").press("Enter");
    const added = page.getByRole("checkbox", { name: "Send requests to https://backup.example" });
    await added.click();
    await expect(added).toHaveCount(0);
    await page.getByLabel("Repeats").selectOption("Every week");
    await page.getByRole("button", { name: "Monday" }).click();
    await create(page).click();
    await expect(page.getByText("Choose at least one day.")).toBeVisible();
    await page.getByRole("button", { name: "Thursday" }).click();
    await page.getByRole("radio", { name: "Skip" }).click();
    await create(page).click();
    await expect(page.getByRole("heading", { name: "Weather" }).last()).toBeVisible();
    await expect
      .poll(() => gateway.schedules.sent.map(({ body }) => body))
      .toMatchObject([
        {
          work: { kind: "flow", flowId: weatherFlow, inputs: { city: "Kiel" } },
          timing: { cron: "0 8 * * THU" },
          missed: "skip",
          approvals: [
            { tool: `@@flow_${weatherFlow}`, destination: "https://weather.example" },
            { tool: "carrel-approval", destination: "warn" },
          ],
        },
      ]);
    await expect(page.getByText("Continue at “Warn”")).toBeVisible();
  });

  test("shows a cron expression in words and the next runs in its time zone", async ({
    page,
    gateway,
  }) => {
    // Clocks change on March 28.
    gateway.schedules.nextRuns = [
      "2027-03-26T07:00:00.000Z",
      "2027-03-27T07:00:00.000Z",
      "2027-03-28T06:00:00.000Z",
    ];
    await page.goto("/schedules/new?example=week");
    await page.getByLabel("Repeats").selectOption("Custom (cron)");
    await expect(page.getByLabel("Cron expression")).toHaveValue("30 7 * * MON");
    await page.getByLabel("Cron expression").fill("*/15 9-17 * * MON-FRI");
    await expect(preview(page)).toContainText(
      "Every 15 minutes, between 9:00 AM and 5:59 PM, Monday through Friday",
    );
    await expect(preview(page).getByRole("listitem").locator("time")).toHaveText([
      "Fri, Mar 26, 2027, 8:00 AM GMT+1",
      "Sat, Mar 27, 2027, 8:00 AM GMT+1",
      "Sun, Mar 28, 2027, 8:00 AM GMT+2",
    ]);
    await page.getByLabel("Time zone").fill("new york");
    await page.getByRole("option", { name: /America\/New_York/ }).click();
    await expect(preview(page).getByRole("listitem").first()).toContainText("3:00 AM EDT");
    await page.getByLabel("Cron expression").fill("x y z");
    await expect(preview(page)).toContainText("This isn't a valid cron expression.");
    await page.getByRole("combobox", { name: "Workspace" }).selectOption("Heat-pump retrofit");
    gateway.schedules.refusal = "This schedule would never run.";
    await create(page).click();
    await expect(page.getByRole("alert")).toHaveText("This schedule would never run.");
    await expect(page.getByLabel("Cron expression")).toBeFocused();
  });

  test("is filled in with the keyboard and leads to what is missing", async ({ page, gateway }) => {
    await page.goto("/schedules/new");
    await expect(page.getByRole("option", { name: "Tenant handbook" })).toBeAttached();
    await create(page).press("Enter");
    await expect(page.getByText("3 fields to correct")).toBeVisible();
    await expect(page.getByLabel("Name")).toBeFocused();
    await page.keyboard.type("Once");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Tenant");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Check the offers");
    await page.getByLabel("Repeats").focus();
    await page.keyboard.type("Once");
    await page.getByLabel("Date").fill("2020-01-01");
    await page.getByLabel("Date").press("Enter");
    await expect(page.getByText("This time has passed.")).toBeVisible();
    await expect(page.getByLabel("Date")).toBeFocused();
    await page.getByLabel("Date").fill("2030-07-01");
    await expect(preview(page)).toContainText("Once on Jul 1, 2030 at 8:00 AM");
    await page.getByLabel("Date").press("Enter");
    await expect(page.getByRole("heading", { name: "Once" }).last()).toBeVisible();
    await expect
      .poll(() => gateway.schedules.sent.map(({ path, body }) => ({ path, timing: body.timing })))
      .toEqual([
        {
          path: "/workspace/tenant-handbook/schedules",
          timing: {
            kind: "once",
            at: "2030-07-01T08:00:00.000+02:00",
            timeZone: "Europe/Berlin",
          },
        },
      ]);
  });
});

test.describe("schedules", () => {
  test.beforeEach(({ gateway }) => gateway.schedules.fill());

  test("run now, show it live and can be cancelled", async ({ page, gateway }) => {
    gateway.schedules.isHeld = true;
    await page.goto(briefing);
    await page.getByRole("button", { name: "Run now" }).click();
    const latest = page.getByRole("list", { name: "Runs" }).getByRole("listitem").first();
    await expect(latest).toContainText("Running");
    await expect(page.getByRole("button", { name: "Run now" })).toBeDisabled();
    await latest.getByRole("button").click();
    await latest.getByRole("button", { name: "Cancel run" }).click();
    await expect(latest).toContainText("Canceled");
    await page.getByRole("button", { name: "Run now" }).click();
    await expect(latest).toContainText("Running");
    gateway.schedules.endRuns();
    await expect(latest).toContainText("Done");
    await latest.getByRole("button").click();
    await expect(latest.getByText("Three documents have changed.")).toBeVisible();
    await latest.getByRole("link", { name: "Open thread" }).click();
    await expect(page).toHaveURL(/\/workspace\/heat-pump-retrofit\/t\/flow$/);
  });

  test("tell what a run was denied and missed, and allow it from then on", async ({
    page,
    gateway,
  }) => {
    await page.goto(briefing);
    await page.getByRole("button", { name: /1 call denied/ }).click();
    const denied = page.locator("[data-denied]");
    await expect(denied).toContainText("prices fell by 4 %.");
    await denied.getByRole("button", { name: /^Allow from now on: Send email/ }).click();
    await expect(denied.getByText("Allowed from now on")).toBeVisible();
    await expect(page.getByText("Send email to board@example.com").last()).toBeVisible();
    await expect(page.getByText("1 call denied")).toHaveCount(0);
    await expect
      .poll(() => gateway.schedules.sent.map(({ path, body }) => ({ path, body })))
      .toEqual([{ path: `${briefing}/runs/${idOf(1).slice(0, -4)}1000/allow`, body: { call: 0 } }]);
    await page.getByRole("button", { name: /Made up for missed runs/ }).click();
    await expect(page.getByText("4 runs were missed")).toBeVisible();
    await page.getByRole("button", { name: /^Skipped/ }).click();
    await expect(page.getByText("The previous run hadn't ended yet.")).toBeVisible();
  });

  test("are found, paused, resumed, copied, and deleted", async ({ page, gateway }) => {
    gateway.schedules.pageLength = 2;
    await page.goto("/schedules");
    const list = page.getByRole("list", { name: "Schedules" });
    const row = (name: string) => list.getByRole("listitem").filter({ hasText: name });
    await expect(list.locator("[data-schedule]")).toHaveCount(2);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect(row("What changed in the offers")).toContainText("the last 5 runs failed");
    await page.reload();
    await expect(list.locator("[data-schedule]")).toHaveCount(2);
    // Filters look at all pages.
    await page.getByRole("radio", { name: "Active" }).click();
    await expect(list.locator("[data-schedule]")).toHaveCount(3);
    await page.getByLabel("Search schedules").fill("tenant");
    await expect(list.locator("[data-schedule]")).toHaveCount(1);
    await page.getByRole("switch", { name: "Pause Weather for the site" }).click();
    await expect(page.getByText("No matching schedules")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("switch", { name: "Resume What changed in the offers" }).click();
    await expect(row("What changed in the offers")).not.toContainText("Paused");
    await menu(page, "Morning briefing", "Replace webhook secret");
    await dialog(page).getByRole("button", { name: "Replace secret" }).click();
    await expect(dialog(page).getByLabel("Signing secret")).toHaveValue(/^whsec_/);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await menu(page, "Weather for the site", "Delete schedule");
    await dialog(page).getByRole("button", { name: "Delete schedule" }).click();
    await expect(row("Weather for the site")).toHaveCount(0);
    await menu(page, "Morning briefing", "Duplicate");
    await expect(page.getByLabel("Name")).toHaveValue("Morning briefing");
    await expect
      .poll(() => gateway.schedules.sent.map(({ method, path }) => `${method} ${path}`))
      .toEqual([
        `PUT /schedules/${idOf(2)}/active`,
        `PUT /schedules/${idOf(3)}/active`,
        `POST ${briefing}/secret`,
        `DELETE /schedules/${idOf(2)}`,
      ]);
  });

  test("are changed, and a draft of the change is kept", async ({ page, gateway }) => {
    await page.goto(briefing);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Time", { exact: true }).fill("06:15");
    await expect.poll(() => keptDrafts(page)).toContain("06:15");
    await page.reload();
    await expect(page.getByText("Draft restored.")).toBeVisible();
    await expect(page.getByLabel("Time", { exact: true })).toHaveValue("06:15");
    await form(page).getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Every weekday at 6:15 AM")).toBeVisible();
    await expect
      .poll(() => gateway.schedules.sent)
      .toMatchObject([{ method: "PUT", path: briefing, body: { name: "Morning briefing" } }]);
  });

  test("are switched off for everybody and listed with their owners by admins only", async ({
    page,
    gateway,
  }) => {
    gateway.admin.fill();
    const owner = gateway.accounts.find("olu")!.user.id;
    gateway.schedules.fill(owner);
    gateway.schedules.ownerId = 0;
    await signedIn(page, gateway, "mira_kowalska");
    await page.goto("/settings/scheduled-work");
    const list = page.getByRole("list", { name: "Schedules" });
    await expect(list.getByText("By olu").first()).toBeVisible();
    await expect(page.getByRole("switch", { name: /^Resume/ })).toBeDisabled();
    await page.getByRole("switch", { name: "Let people schedule work" }).click();
    await expect(page.getByText("Scheduled work turned off")).toBeVisible();
    await expect.poll(() => gateway.schedules.enabled).toBe(false);
    await page.getByLabel("Schedules per person").fill("5");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Limit of schedules saved.")).toBeVisible();
    await expect.poll(() => gateway.schedules.limit).toBe(5);
  });
});

test.describe("on a phone", () => {
  test.use(phone);
  test("a schedule is created and run", async ({ page }) => {
    await page.goto("/workspace/heat-pump-retrofit");
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await page.getByRole("link", { name: "Scheduled work" }).click();
    await page.getByRole("link", { name: /List the deadlines/ }).click();
    await create(page).tap();
    await expect(page.getByRole("heading", { name: "Week ahead" }).last()).toBeVisible();
    await page.getByRole("button", { name: "Run now" }).tap();
    await page
      .getByRole("button", { name: /Run by hand/ })
      .first()
      .tap();
    await expect(page.getByText("Three documents have changed.")).toBeVisible();
  });
});

test("schedules are accessible", async ({ page, gateway }) => {
  gateway.schedules.fill();
  await expectScreensAccessible(page, [
    [
      "list",
      async () => {
        await page.goto("/schedules");
        await expect(page.getByText("Morning briefing")).toBeVisible();
      },
    ],
    [
      "run",
      async () => {
        await page.goto(briefing);
        await page.getByRole("button", { name: /1 call denied/ }).click();
        await expect(page.getByText("Three documents have changed.")).toBeVisible();
      },
    ],
    [
      "form",
      async () => {
        await page.goto("/schedules/new?example=news");
        await expect(preview(page).getByRole("listitem").first()).toBeVisible();
        await create(page).click();
        await expect(page.getByText("1 field to correct")).toBeVisible();
      },
    ],
  ]);
});
