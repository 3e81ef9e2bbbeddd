import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { localProvider } from "./fake-local-models.ts";

type Draw = (page: Page, gateway: FakeGateway) => Promise<void>;

const open = async (page: Page, gateway: FakeGateway, step: string): Promise<void> => {
  gateway.isNew = true;
  gateway.workspaces = [];
  await page.goto(`${gateway.url}/onboarding${step}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
};

/** The first-run wizard, and the settings that repeat what it says about data. */
export const onboardingScreens: Record<string, Draw> = {
  "onboarding-home": (page, gateway) => open(page, gateway, ""),
  "onboarding-model": async (page, gateway) => {
    await open(page, gateway, "/llm-preference");
    await page.getByLabel("API key").fill("sk-good");
    await page.getByText(/^Connected/).waitFor();
  },
  "onboarding-model-fault": async (page, gateway) => {
    await open(page, gateway, "/llm-preference");
    await page.getByRole("radio", { name: "Ollama" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await settled(page);
  },
  "onboarding-local-model": async (page, gateway) => {
    gateway.localModels.turnOn();
    gateway.furtherProviders = [localProvider];
    await open(page, gateway, "/llm-preference");
    await page.getByRole("radio", { name: "Built-in model" }).check();
    await settled(page);
  },
  "local-models": async (page, gateway) => {
    gateway.localModels.turnOn();
    gateway.localModels.finish("qwen3-1.7b");
    gateway.localModels.download("qwen3-4b", { doneBytes: 900e6 });
    gateway.furtherProviders = [localProvider];
    gateway.settings = { LLMProvider: "local-gguf", LocalGgufModelPref: "qwen3-1.7b.gguf" };
    await page.goto(`${gateway.url}/settings/llm-preference`);
    await page.getByRole("progressbar").waitFor();
    await settled(page);
  },
  "onboarding-me": async (page, gateway) => {
    await open(page, gateway, "/user-setup");
    await page.getByRole("radio", { name: "Just me" }).check();
    await page.getByRole("radio", { name: "Yes" }).check();
    await settled(page);
  },
  "onboarding-team": async (page, gateway) => {
    await open(page, gateway, "/user-setup");
    await page.getByRole("radio", { name: "My team" }).check();
    await page.getByLabel("Admin username").fill("mira_k");
    await settled(page);
  },
  "onboarding-data": async (page, gateway) => {
    gateway.settings = { LLMProvider: "openai", OpenAiKey: true };
    await open(page, gateway, "/data-handling");
  },
  "onboarding-survey": (page, gateway) => open(page, gateway, "/survey"),
  privacy: async (page, gateway) => {
    gateway.settings = { LLMProvider: "openai", OpenAiKey: true };
    await page.goto(`${gateway.url}/settings/privacy`);
    await page.getByRole("table").waitFor();
    await settled(page);
  },
  "onboarding-workspace": (page, gateway) => open(page, gateway, "/create-workspace"),
};
