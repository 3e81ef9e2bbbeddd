import type { Page } from "@playwright/test";
import { dialog, menu } from "./admin-page.ts";
import { clientSteps } from "./fake-flows.ts";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, phone, test } from "./fixtures.ts";
import { builderPath, button, open } from "./flow-page.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const openPanel = async (page: Page, gateway: FakeGateway, { onPhone = false } = {}) => {
  const flow = await open(page, gateway, clientSteps());
  gateway.flowRuns.addWeatherFlow(flow.id);
  gateway.flowRuns.requests.approvals = [
    { id: "warn", title: "Warn", question: "Warn all tenants?" },
  ];
  if (onPhone) {
    await button(page, "More for this flow").tap();
    await page.getByRole("menuitem", { name: "API and webhooks" }).tap();
  } else await button(page, "API and webhooks").click();
  await expect(page.getByText("Let other programs start this flow.")).toBeVisible();
  return flow.id;
};

test.describe("what starts a flow", () => {
  test("is the API, with what its runs may do and an example to copy", async ({
    page,
    context,
    gateway,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const id = await openPanel(page, gateway);
    const api = section(page, "API");
    await api.getByRole("button", { name: "Set up the API" }).click();
    await expect(api).toContainText("Fetch and Warn aren't allowed yet, so a run that reaches");
    await api.getByRole("checkbox", { name: "Send requests to https://weather.example" }).check();
    await expect(api).toContainText("Warn isn't allowed yet, so a run that reaches it ends there.");
    await api.getByRole("button", { name: "Turn on the API" }).click();
    await expect(page.getByText("Other programs can start this flow now.")).toBeVisible();
    await expect(api.getByLabel("Address", { exact: true })).toHaveValue(
      `${gateway.url}/api/v1/flows/${id}/run`,
    );
    const example = api.getByRole("region", { name: "Example" });
    await expect(example).toContainText('-d \'{"inputs":{"city":"Rome"}}\'');
    await api.getByRole("radio", { name: "Follow the run" }).click();
    await api.getByRole("button", { name: "Copy", exact: true }).last().click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain('"stream":true');
    await api.getByRole("checkbox", { name: "Continue at “Warn”" }).check();
    await expect(api.getByText("allowed yet")).toHaveCount(0);
    await api.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Saved what runs may do.")).toBeVisible();
    await expect(api.getByRole("button", { name: "Save changes" })).toHaveCount(0);
    const requests = { tool: `@@flow_${id}`, destination: "https://weather.example" };
    const path = `/flows/${id}/triggers/api`;
    await expect
      .poll(() => gateway.flowTriggers.sent)
      .toEqual([
        { method: "PUT", path, body: { approvals: [requests], workspaceId: null } },
        {
          method: "PUT",
          path,
          body: {
            approvals: [requests, { tool: "carrel-approval", destination: "warn" }],
            workspaceId: null,
          },
        },
      ]);
    await api.getByRole("button", { name: "Turn off the API" }).click();
    await dialog(page).getByRole("button", { name: "Turn off the API" }).click();
    await expect(api.getByRole("button", { name: "Set up the API" })).toBeVisible();
  });

  test("is a webhook, whose secret is shown once and can be replaced", async ({
    page,
    gateway,
  }) => {
    const id = await openPanel(page, gateway);
    const webhook = section(page, "Webhook");
    await webhook.getByRole("button", { name: "Set up a webhook" }).click();
    await webhook.getByRole("button", { name: "Add webhook" }).click();
    const shown = dialog(page).getByLabel("Signing secret");
    await expect(shown).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(shown).toHaveValue(/^whsec_/);
    await expect(dialog(page).getByRole("region", { name: "Example" })).toContainText(
      `SECRET='${await shown.inputValue()}'`,
    );
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(webhook.getByLabel("Address", { exact: true })).toHaveValue(
      `${gateway.url}/api/flow-hooks/${gateway.flowTriggers.triggers[0]!.id}`,
    );
    await expect(webhook.getByRole("region", { name: "Example" })).toContainText(
      "webhook-signature: v1,$SIGNATURE",
    );
    await webhook.getByRole("button", { name: "Replace secret" }).click();
    await dialog(page).getByRole("button", { name: "Replace secret" }).click();
    await expect(dialog(page).getByLabel("Signing secret")).toHaveValue(/^whsec_YW5v/);
    await dialog(page).getByRole("button", { name: "Done" }).click();
    await webhook.getByRole("button", { name: "Remove webhook" }).click();
    await dialog(page).getByRole("button", { name: "Remove webhook" }).click();
    await expect(webhook.getByRole("button", { name: "Set up a webhook" })).toBeVisible();
    await expect
      .poll(() => gateway.flowTriggers.sent.map(({ method, path }) => `${method} ${path}`))
      .toEqual([
        `PUT /flows/${id}/triggers/webhook`,
        `POST /flows/${id}/triggers/webhook/secret`,
        `DELETE /flows/${id}/triggers/webhook`,
      ]);
  });

  test("says what stands in its way, and whose rights runs have", async ({ page, gateway }) => {
    await page.goto(builderPath);
    await button(page, "API and webhooks").click();
    await expect(page.getByText("Save the flow first.")).toBeVisible();
    gateway.flows.fill();
    const { id } = gateway.flows.flows[1]!;
    gateway.flowTriggers.add(id, "api", { owner: { id: 7, username: "mira" }, workspaceId: 2 });
    gateway.flowRuns.requests.requests = [
      { title: "Order", address: "https://${shop}/v1", origin: null, text: "" },
    ];
    await page.goto("/settings/agents?view=flows");
    await menu(page, "File a ticket", "API and webhooks");
    await expect(page.getByText("This flow is turned off,")).toBeVisible();
    const api = section(page, "API");
    await expect(api.getByText("Runs have the rights of mira.")).toBeVisible();
    await expect(api.getByLabel("Workspace", { exact: true })).toHaveValue("2");
    await expect(api.getByRole("link", { name: "API keys" })).toBeVisible();
    await expect(api.getByText("Order: where this sends to is only known")).toBeVisible();
    await api.getByLabel("Another address").fill("no address");
    await api.getByLabel("Another address").press("Enter");
    await expect(api.getByText("Enter an address such as")).toBeVisible();
    await api.getByLabel("Another address").fill("shop.example:8443/v1");
    await api.getByRole("button", { name: "Add", exact: true }).click();
    await expect(
      api.getByRole("checkbox", { name: "Send requests to https://shop.example:8443" }),
    ).toBeChecked();
    await expect(api.getByText("Once you save, they will have yours.")).toBeVisible();
    await api.getByRole("button", { name: "Discard" }).click();
    await expect(api.getByRole("checkbox")).toHaveCount(0);
  });
});

test.describe("on a phone", () => {
  test.use(phone);
  test("a webhook is added", async ({ page, gateway }) => {
    await openPanel(page, gateway, { onPhone: true });
    const webhook = section(page, "Webhook");
    await webhook.getByRole("button", { name: "Set up a webhook" }).tap();
    await webhook.getByRole("checkbox", { name: "Continue at “Warn”" }).tap();
    await webhook.getByRole("button", { name: "Add webhook" }).tap();
    await dialog(page).getByRole("button", { name: "Done" }).tap();
    await expect(webhook.getByRole("checkbox", { name: "Continue at “Warn”" })).toBeChecked();
  });
});
