import type { FlowStep } from "@carrel/contracts";
import type { Page } from "@playwright/test";
import { dialog, menu } from "./admin-page.ts";
import { clientSteps } from "./fake-flows.ts";
import { expect, test } from "./fixtures.ts";
import { button, head, open, status } from "./flow-page.ts";

const path = "/settings/agents?view=credentials";
const list = (page: Page) => page.getByRole("list", { name: "Credentials" });
const callWith = (config: object): FlowStep[] => {
  const [start, call] = clientSteps();
  return [start!, { ...call!, id: "call", config: { ...call!.config, ...config } } as FlowStep];
};

test.describe("credentials", () => {
  test("are created, and never shown again", async ({ page, gateway }) => {
    gateway.flows.fill();
    await page.goto("/settings/agents");
    await page.getByRole("link", { name: /^Credentials/ }).click();
    await expect(page.getByText("No credentials yet")).toBeVisible();
    await button(page, "New credential").click();
    await page.getByLabel("Name", { exact: true }).fill("CRM_TOKEN");
    await page.getByLabel("Value", { exact: true }).fill("sk-0123456789");
    await page.getByLabel("Hosts it may be sent to").fill("crm.example.com\n*.example.org");
    await page.getByLabel("Available to").selectOption({ label: "Only the flow File a ticket" });
    await button(page, "Create credential").click();
    await expect(list(page)).toContainText("CRM_TOKEN");
    await expect(list(page)).toContainText("crm.example.com, *.example.org");
    await expect(list(page)).toContainText("Only the flow File a ticket");
    await expect
      .poll(() => gateway.credentials.sent[0]?.body)
      .toMatchObject({
        name: "CRM_TOKEN",
        hosts: ["crm.example.com", "*.example.org"],
        value: "sk-0123456789",
        owner: { kind: "flow", id: gateway.flows.flows[1]!.id },
      });
    await button(page, "New credential").click();
    await page.getByLabel("Name", { exact: true }).fill("CRM_TOKEN");
    await page.getByLabel("Value", { exact: true }).fill("sk-0123456789");
    await page.getByLabel("Hosts it may be sent to").fill("crm.example.com");
    await button(page, "Create credential").click();
    await expect(dialog(page)).toContainText("There is already a credential named CRM_TOKEN here.");
  });

  test("get another value and other hosts, and are deleted with a warning", async ({
    page,
    gateway,
  }) => {
    gateway.credentials.fill();
    await page.goto(path);
    await expect(list(page)).toContainText("Can't be decrypted");
    await menu(page, "CRM_TOKEN", "Replace value");
    await page.getByLabel("Value", { exact: true }).fill("sk-new-value");
    await dialog(page).getByRole("button", { name: "Replace value" }).click();
    await expect(page.getByText("Replaced the value of “CRM_TOKEN”.")).toBeVisible();
    await menu(page, "CRM_TOKEN", "Change hosts");
    await page.getByLabel("Hosts it may be sent to").fill("crm.example.com");
    await button(page, "Save hosts").click();
    await expect(list(page)).not.toContainText("*.crm.example.com");
    await menu(page, "CRM_TOKEN", "Delete credential");
    await expect(dialog(page)).toContainText("The flow File a ticket uses it");
    await dialog(page).getByRole("button", { name: "Delete credential" }).click();
    await expect(list(page)).not.toContainText("CRM_TOKEN");
  });

  test("are offered in the fields of an API call", async ({ page, gateway }) => {
    gateway.credentials.fill();
    gateway.credentials.add("OF_ANOTHER", {
      owner: { kind: "flow", id: "99999999-1111-4111-8111-111111111111" },
    });
    await open(page, gateway, callWith({}));
    await head(page, "API call").click();
    const value = page.getByLabel("Headers, row 1: Value", { exact: true });
    await value.fill("Bearer ");
    await value.press("End");
    await value.pressSequentially("{{crm");
    await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(1);
    await value.press("Enter");
    await expect(value).toHaveValue("Bearer {{credential.CRM_TOKEN}}");
    await value.fill("{{");
    await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(3);
    await value.fill("{{credential.OF_ANOTHER}}");
    await expect(
      page.getByText("There is no credential named “OF_ANOTHER” that this flow may use.").first(),
    ).toBeVisible();
  });

  test("take the place of secrets that are written into a flow", async ({ page, gateway }) => {
    const headers = [{ key: "Authorization", value: "Bearer sk-live-0123456789" }];
    await open(page, gateway, callWith({ headers }));
    // Only a hint: it doesn't keep anybody from saving the flow.
    await expect(head(page, "API call")).toContainText("Holds a secret");
    await page.getByLabel("Description").fill("Gets it.");
    await button(page, "Save flow").click();
    await expect(status(page)).toHaveText("Saved");
    await head(page, "API call").click();
    await expect(page.getByText("This looks like a secret.").first()).toBeVisible();
    await button(page, "Store as credential").click();
    await expect(page.getByLabel("Name", { exact: true }).last()).toHaveValue("API_KEY");
    await expect(page.getByLabel("Hosts it may be sent to")).toHaveValue("weather.example");
    await expect(dialog(page)).toContainText("restoring one brings it back");
    await button(page, "Create credential").click();
    await expect(page.getByLabel("Headers, row 1: Value", { exact: true })).toHaveValue(
      "Bearer {{credential.API_KEY}}",
    );
    await expect(page.getByText("This looks like a secret.")).toHaveCount(0);
    await expect(head(page, "API call")).not.toContainText("Holds a secret");
    await expect
      .poll(() => gateway.credentials.sent[0]?.body)
      .toMatchObject({
        value: "sk-live-0123456789",
        hosts: ["weather.example"],
      });
  });

  test("are named when an imported flow lacks them", async ({ page, gateway }) => {
    gateway.credentials.add("THERE");
    await page.goto("/settings/agents?view=flows");
    const headers = [{ key: "a", value: "{{credential.THERE}} {{credential.GONE}}" }];
    await page.getByLabel("Flow to import").setInputFiles({
      name: "flow.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ name: "Weather", steps: callWith({ headers }) })),
    });
    await expect(page.getByText("It needs a credential named GONE")).toBeVisible();
  });
});
