import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import { signedIn } from "./account-screens.ts";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const tab =
  (name: string, wait: string, then?: (page: Page) => Promise<void>): Draw =>
  async (page, gateway) => {
    gateway.chat.suggestions = [
      { heading: "Explain to me", message: "what the survey found out about the top floor" },
      { heading: "Compare", message: "the seasonal factors at 48 °C and at 55 °C" },
    ];
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/settings/${name}`);
    await page.getByText(wait).first().waitFor();
    await settled(page);
    await then?.(page);
    await settled(page);
  };
const asAdmin =
  (draw: Draw): Draw =>
  async (page, gateway, phone) => {
    if (!gateway.accounts.multiUser) gateway.admin.fill();
    await signedIn(page, gateway, "mira_kowalska");
    await draw(page, gateway, phone);
  };
const down = async (page: Page): Promise<void> => {
  await page
    .locator("main form > :first-child")
    .evaluate((element) => element.scrollTo(0, element.scrollHeight));
};

/** Screenshots of workspace settings. */
export const workspaceScreens: Record<string, Draw> = {
  "ws-general": tab("general-appearance", "18,420"),
  "ws-general-end": tab("general-appearance", "18,420", down),
  "ws-general-faults": tab("general-appearance", "18,420", async (page) => {
    await page.getByLabel("Workspace name").fill(" ");
    await page.getByRole("button", { name: "Add message" }).click();
  }),
  "ws-delete": tab("general-appearance", "18,420", async (page) => {
    await page.getByRole("button", { name: "Delete workspace…" }).click();
    await page.getByLabel(/^Type/).fill("Heat-pump");
  }),
  "ws-chat": tab("chat-settings", "Uses the instance's setting"),
  "ws-chat-query": tab("chat-settings", "Uses the instance's setting", async (page) => {
    await page.getByLabel("Provider").selectOption("ollama");
    await page.getByRole("radio", { name: /^Query/ }).check();
    await page.getByLabel("Chat history").fill("60");
    await page.getByLabel("Temperature", { exact: true }).fill("-1");
  }),
  "ws-chat-end": tab("chat-settings", "Uses the instance's setting", down),
  "ws-history": tab("chat-settings", "Uses the instance's setting", async (page) => {
    await page.getByRole("button", { name: "Prompt history" }).click();
    await page.getByText("Answer in two").waitFor();
  }),
  "ws-leave": tab("chat-settings", "Uses the instance's setting", async (page) => {
    await page.getByLabel("Chat history").fill("30");
    await page.getByRole("link", { name: "Vector database" }).click();
    await page.getByText("Leave without saving?").waitFor();
  }),
  "ws-vector": tab("vector-database", "18,420"),
  "ws-vector-end": tab("vector-database", "18,420", down),
  "ws-reset": tab("vector-database", "18,420", async (page) => {
    await page.getByRole("button", { name: "Reset vector database" }).click();
    await page.getByRole("dialog").waitFor();
  }),
  "ws-members": asAdmin(tab("members", "jo-brandt")),
  "ws-members-dialog": asAdmin(
    tab("members", "jo-brandt", async (page) => {
      await page.getByRole("button", { name: "Add or remove members" }).click();
      await page.getByRole("dialog").getByText("jo-brandt").waitFor();
    }),
  ),
  "ws-members-single": tab("members", "This instance has no user accounts"),
  appearance: async (page, gateway) => {
    gateway.chat.welcome = [
      {
        user: "Who are you?",
        response:
          "I know the **retrofit** documents and answer from them:\n\n- figures with their page\n- rules with their date",
      },
      { user: "", response: "What would you like to know?" },
    ];
    await page.goto(`${gateway.url}/settings/appearance`);
    await page.getByRole("region", { name: "Preview" }).locator("strong").waitFor();
    await settled(page);
  },
  "appearance-end": async (page, gateway, phone) => {
    await workspaceScreens.appearance!(page, gateway, phone);
    await page.getByRole("button", { name: "Add user message" }).click();
    await settled(page);
  },
  variables: asAdmin(async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/system-prompt-variables`);
    await page.getByText("Harbour Housing").waitFor();
    await settled(page);
  }),
  "variable-add": asAdmin(async (page, gateway) => {
    await page.goto(`${gateway.url}/settings/system-prompt-variables`);
    await page.getByRole("button", { name: "Add variable" }).click();
    await page.getByLabel("Name").fill("time");
    await page.getByRole("dialog").getByRole("button", { name: "Add variable" }).click();
    await settled(page);
  }),
};
