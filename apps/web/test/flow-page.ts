import type { FlowStep } from "@carrel/contracts";
import type { Locator, Page } from "@playwright/test";
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
export const condition = (): FlowStep => ({
  id: "condition",
  type: "carrel-condition",
  config: { left: "1", operator: "equals", right: "1", then: [], otherwise: [] },
});

/** Drags a block with a finger to the gap around a button that adds blocks, or above a block. */
export async function dragByTouch(page: Page, name: string, target: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y }],
    });
  const { height } = page.viewportSize()!;
  const placeOf = async () => {
    const box = (await target.boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const isInReach = async (): Promise<boolean> => {
    const { y } = await placeOf();
    return y > 120 && y < height - 60;
  };
  const handle = button(page, `Drag ${name}`);
  await handle.scrollIntoViewIfNeeded();
  const from = (await handle.boundingBox())!;
  await touch("touchStart", from.x + 10, from.y + 10);
  await touch("touchMove", from.x + 10, from.y - 10);
  if (!(await isInReach())) {
    // At its edges, the page scrolls.
    const isBelow = (await placeOf()).y > height / 2;
    await touch("touchMove", from.x + 20, isBelow ? height - 20 : 70);
    await expect.poll(isInReach, { intervals: [50] }).toBe(true);
    await touch("touchMove", from.x + 20, height / 2);
  }
  // Until the page has stopped and the move has arrived: moves wait for the next frame.
  const isUnder = async (): Promise<boolean> => {
    const to = await placeOf();
    await touch("touchMove", to.x, to.y);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
    return (await placeOf()).y === to.y;
  };
  await expect.poll(isUnder, { intervals: [50] }).toBe(true);
  await expect(page.locator("[data-drop]").filter({ has: target })).toHaveCount(1);
  await touch("touchEnd", 0, 0);
  await session.detach();
}
