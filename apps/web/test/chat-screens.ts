import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const slug = "heat-pump-retrofit";
const fill = (gateway: FakeGateway): void => {
  gateway.addTurn(slug, "flow", {
    question: "Which radiators have to be replaced?",
    answer:
      "About 22 %, nearly all in **top-floor corner rooms** where two outside walls meet the roof.",
    feedback: true,
  });
  gateway.addTurn(slug, "flow", {
    question: "And what does the night tariff save?",
    answer: "Heating the hot water at night saves about 9 % of its cost.",
  });
};
const go = async (page: Page, gateway: FakeGateway, wait: string): Promise<void> => {
  await page.goto(`${gateway.url}/workspace/${slug}/t/flow`);
  await page.getByText(wait).first().waitFor();
};

/** The chat window: empty with welcome messages, commands, files, editing, branches and a queue. */
export const chatScreens: Record<string, Draw> = {
  "chat-welcome": async (page, gateway) => {
    gateway.chat.welcome = [
      { user: "Who are you?", response: "I know the **retrofit** documents and answer from them." },
    ];
    gateway.chat.suggestions = [
      { heading: "Summarise the survey", message: "Summarise the retrofit survey on one page." },
      { heading: "", message: "Which offers are open?" },
      { heading: "Write to the tenants", message: "What changes in block C, and when?" },
    ];
    await go(page, gateway, "I know the");
  },
  "chat-slash": async (page, gateway) => {
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByLabel("Message", { exact: true }).pressSequentially("/");
    await page.getByRole("option").nth(3).waitFor();
  },
  "chat-prompts": async (page, gateway) => {
    gateway.mcp.fillPrompts();
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByLabel("Message", { exact: true }).pressSequentially("/t");
    await page.getByRole("option", { name: "today" }).waitFor();
  },
  "chat-prompt": async (page, gateway) => {
    gateway.mcp.fillPrompts();
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByLabel("Message", { exact: true }).pressSequentially("/rev");
    await page.getByRole("option", { name: "Review a ticket" }).click();
    await page.getByRole("dialog").waitFor();
    await settled(page);
  },
  "chat-presets": async (page, gateway) => {
    await go(page, gateway, "What would you like to know?");
    await page.getByRole("button", { name: "Commands" }).click();
    await page.getByRole("option", { name: "Manage commands" }).click();
    await page.getByRole("dialog").waitFor();
    await settled(page);
  },
  "chat-files": async (page, gateway) => {
    fill(gateway);
    gateway.chat.files = [
      { id: 1, title: "Retrofit survey 2024.pdf", location: "", token_count_estimate: 7_100 },
    ];
    await go(page, gateway, "night saves");
    const png = await page.screenshot();
    await page.locator("form input[type=file]").setInputFiles([
      { name: "plan.png", mimeType: "image/png", buffer: png },
      { name: "tool.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
    ]);
    await page.getByText("Files of this type cannot be read.").waitFor();
    await page.getByRole("img", { name: "plan.png" }).waitFor();
  },
  "chat-branch": async (page, gateway) => {
    fill(gateway);
    gateway.pace = 1;
    gateway.answer = "About a tenth: 9 % of the cost of hot water.";
    await go(page, gateway, "night saves");
    await page.getByLabel("Message", { exact: true }).press("ArrowUp");
    await page
      .getByRole("textbox", { name: "Edit question" })
      .fill("What does the night tariff save, in per cent?");
    await page.keyboard.press("Enter");
    await page.getByText("About a tenth").waitFor();
    await page.getByLabel("Version 2 of 2").waitFor();
    await settled(page);
  },
  "chat-edit": async (page, gateway) => {
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByLabel("Message", { exact: true }).press("ArrowUp");
    await page.getByRole("textbox", { name: "Edit question" }).waitFor();
  },
  "chat-queue": async (page, gateway) => {
    fill(gateway);
    gateway.pace = 80;
    await go(page, gateway, "night saves");
    for (const question of [
      "What flow temperature should we design for?",
      "And in the 1990s blocks?",
      "What does it cost?",
    ]) {
      await page.getByLabel("Message", { exact: true }).fill(question);
      await page.keyboard.press("Enter");
      await page.getByText(question).last().waitFor();
    }
    await page.getByText("2nd in line").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("One more");
  },
  "chat-text-size": async (page, gateway) => {
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByRole("button", { name: "Text size" }).click();
    await page.getByRole("menu").waitFor();
    await settled(page);
  },
  "chat-menu": async (page, gateway) => {
    fill(gateway);
    await go(page, gateway, "night saves");
    await page.getByRole("button", { name: "More actions for this answer" }).last().click();
    await page.getByRole("menu").waitFor();
    await settled(page);
  },
};
