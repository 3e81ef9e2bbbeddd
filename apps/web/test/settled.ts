import type { Page } from 'playwright-core';

/** Waits until nothing moves that will come to rest: colours and places are then what they stay. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))); // what was just asked for begins to move
  await page.waitForFunction(() => document.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity));
}
