// Takes the screenshots to review after a change: node --import ../../tools/swc-hook.mjs
// --conditions=@carrel/source test/screens.ts <folder>
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { settled } from "@carrel/testing";
import { chromium, type Page } from "@playwright/test";
import { findChromium } from "../../../tools/chromium.ts";
import { accountScreens } from "./account-screens.ts";
import { adminScreens } from "./admin-screens.ts";
import { agentScreens } from "./agent-screens.ts";
import { chatScreens } from "./chat-screens.ts";
import { documentsScreens } from "./documents-screens.ts";
import { FakeGateway } from "./fake-gateway.ts";
import { flowScreens } from "./flow-screens.ts";
import { hubScreens } from "./hub-screens.ts";
import { makePdf } from "./make-pdf.ts";
import { memoriesScreens } from "./memories-screens.ts";
import { onboardingScreens } from "./onboarding-screens.ts";
import { scheduleScreens } from "./schedule-screens.ts";
import { shareScreens } from "./share-screens.ts";
import { shellScreens } from "./shell-screens.ts";
import { sourcesScreens } from "./sources-screens.ts";
import { viewerScreens } from "./viewer-screens.ts";
import { workspaceScreens } from "./workspace-screens.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../../.cache/web-screens");
const only = process.argv[3];
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox"],
});

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");

function fresh(): FakeGateway {
  const gateway = new FakeGateway(
    process.env.CARREL_WEB_DIST ?? join(import.meta.dirname, "../dist"),
  );
  gateway.pdf = makePdf();
  gateway.serve(server);
  return gateway;
}
const ask = async (page: Page): Promise<void> => {
  await page
    .getByLabel("Message", { exact: true })
    .fill(
      "What flow temperature should we design for in the 1970s blocks, and what does it save over today’s 55 °C?",
    );
  await page.keyboard.press("Enter");
};
const screens: Record<string, (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>> =
  {
    ...accountScreens,
    ...adminScreens,
    ...agentScreens,
    ...chatScreens,
    ...documentsScreens,
    ...flowScreens,
    ...hubScreens,
    ...memoriesScreens,
    ...onboardingScreens,
    ...scheduleScreens,
    ...shareScreens,
    ...sourcesScreens,
    ...viewerScreens,
    ...workspaceScreens,
    ...shellScreens,
    home: async (page, gateway) => {
      gateway.workspaces = [];
      await page.goto(gateway.url);
      await page.getByText("Create your first workspace").waitFor();
    },
    "chat-empty": async (page, gateway) => {
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit`);
      await page.getByText("What would you like to know?").waitFor();
    },
    "chat-writing": async (page, gateway) => {
      gateway.pace = 60;
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page.getByText("Balance the risers").waitFor();
    },
    chat: async (page, gateway) => {
      gateway.pace = 1;
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page.getByText("412 tokens").waitFor();
      await settled(page);
    },
    viewer: async (page, gateway) => {
      gateway.pace = 1;
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page
        .getByRole("button", { name: /Source 1/ })
        .first()
        .click();
      await page.locator(".pdf-mark").first().waitFor();
      await settled(page);
    },
    "viewer-text": async (page, gateway) => {
      gateway.pace = 1;
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page
        .getByRole("button", { name: /Source 3/ })
        .first()
        .click();
      await page.locator(".text-hit").waitFor();
      await settled(page);
    },
    passages: async (page, gateway) => {
      gateway.pace = 1;
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page.getByRole("button", { name: /Read 4 passages/ }).click();
      await page.locator("#panel-passages").waitFor();
    },
    failed: async (page, gateway) => {
      gateway.pace = 1;
      gateway.failWith = { abort: "Could not reach http://127.0.0.1:11434. Is Ollama running?" };
      gateway.answer = "At 48 °C, most radiators";
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await ask(page);
      await page.getByText("Is Ollama running?").waitFor();
    },
    documents: async (page, gateway) => {
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
      await page.getByText("Retrofit survey 2024.pdf").waitFor();
    },
    "settings-llm": async (page, gateway) => {
      await page.goto(`${gateway.url}/settings/llm-preference`);
      await page.getByText("Quotes, not generated text.").waitFor();
    },
    "settings-openai": async (page, gateway, phone) => {
      gateway.settings = {
        LLMProvider: "openai",
        OpenAiKey: true,
        OpenAiModelPref: "gpt-4.1-nano",
      };
      await page.goto(`${gateway.url}/settings/llm-preference`);
      await page.getByText("Leaves this server:").waitFor();
      if (!phone) {
        await page.getByRole("button", { name: "Test connection" }).click();
        await page.getByText(/Connected\./).waitFor();
      }
    },
    security: async (page, gateway) => {
      await page.goto(`${gateway.url}/settings/security`);
      await page.getByText("Anyone who can reach").waitFor();
    },
    login: async (page, gateway) => {
      gateway.password = "longenough";
      await page.goto(gateway.url);
      await page.getByLabel("Password", { exact: true }).fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("The password is incorrect.").waitFor();
    },
    nav: async (page, gateway, phone) => {
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await page.getByText("What would you like to know?").waitFor();
      if (phone) await page.getByRole("button", { name: "Open sidebar" }).click();
      await settled(page);
    },
    palette: async (page, gateway) => {
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/t/flow`);
      await page.getByText("What would you like to know?").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Search workspaces").waitFor();
      await settled(page);
    },
    delete: async (page, gateway) => {
      await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
      await page.getByText("Retrofit survey 2024.pdf").waitFor();
      await page.getByRole("button", { name: "Menu for Retrofit survey 2024.pdf" }).click();
      await settled(page);
    },
  };
for (const [size, viewport] of [
  ["desk", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const) {
  for (const theme of (process.env.CARREL_SCREEN_THEME?.split(",") ?? ["default", "light"]) as (
    | "default"
    | "light"
  )[]) {
    for (const [name, draw] of Object.entries(screens)) {
      if (only && !only.split(",").includes(name)) continue;
      const gateway = fresh();
      const context = await browser.newContext({
        viewport,
        deviceScaleFactor: size === "phone" ? 2 : 1,
        colorScheme: theme === "light" ? "light" : "dark",
        hasTouch: size === "phone",
        isMobile: size === "phone",
      });
      context.setDefaultTimeout(8000);
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error" && !/401/.test(message.text()))
          console.log(`${name} ${size} ${theme}: ${message.text()}`);
      });
      page.on("pageerror", (error) => console.log(`${name} ${size} ${theme}: ${error.message}`));
      try {
        await draw(page, gateway, size === "phone");
      } catch (error) {
        console.log(
          `${name} ${size} ${theme}: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
        );
      }
      await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
      await context.close();
      gateway.stop();
    }
  }
}
await browser.close();
server.close();
