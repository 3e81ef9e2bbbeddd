/** The parts of a browser window used here: this package has no DOM types. */
interface Window {
  document: {
    getAnimations(): {
      playState: string;
      effect: { getComputedTiming(): { endTime?: unknown } } | null;
    }[];
  };
}
export interface Page {
  evaluate: (expression: string) => Promise<unknown>;
  waitForFunction: (check: () => boolean) => Promise<unknown>;
}

/**
 * Waits until all finite animations on the page have ended, so that colours and positions are
 * final.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
  ); // let animations of the last action start
  // Passed as a function: a string would be evaluated on each poll, which our content security
  // policy forbids.
  await page.waitForFunction(() =>
    (globalThis as unknown as Window).document
      .getAnimations()
      .every(
        (each) =>
          each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity,
      ),
  );
}
