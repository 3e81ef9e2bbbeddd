import type { FlowStep } from "@carrel/contracts";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect } from "./fixtures.ts";

export const builderPath = "/settings/agents/builder";
export const head = (page: Page, name: string) =>
  page.locator("[data-block-head]").and(page.getByRole("button", { name: new RegExp(`^${name}`) }));
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const status = (page: Page) => page.locator("header").getByRole("status");
/** Titles of blocks from the top, those inside of others after a dash. */
export const outline = (page: Page): Promise<string[]> =>
  page.locator("[data-block]").evaluateAll((blocks) =>
    blocks.map((block) => {
      let depth = 0;
      for (let at = block.parentElement; at; at = at.parentElement)
        if (at.dataset.block) depth += 1;
      return "-".repeat(depth) + (block.querySelector("[data-block-title]")?.textContent ?? "");
    }),
  );
export const addFrom = async (page: Page, name: string, block: string): Promise<void> => {
  await button(page, name).click();
  await page.getByRole("menuitem", { name: block }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
};
export const open = async (
  page: Page,
  gateway: FakeGateway,
  steps: FlowStep[],
  name = "Weather report",
) => {
  const flow = gateway.flows.add(name, steps);
  await page.goto(`${builderPath}/${flow.id}`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  return flow;
};
export const plain = (id: string, title: string): FlowStep => ({
  id,
  title,
  type: "llmInstruction",
  config: { instruction: "Go on", resultVariable: "", directOutput: false },
});
export const loop = (steps: FlowStep[] = []): FlowStep => ({
  id: "loop",
  type: "carrel-loop",
  config: { list: "[1]", itemVariable: "item", maxItems: 100, steps, resultVariable: "" },
});
