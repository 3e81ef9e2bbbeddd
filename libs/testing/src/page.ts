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

/** The parts of Playwright's contexts and test results used here. */
interface Context {
  pages(): { screenshot(options: { path: string; timeout: number }): Promise<unknown> }[];
}
interface TestResult {
  status?: string;
  expectedStatus: string;
  outputPath(name: string): string;
  attachments: { name: string; path?: string; contentType: string }[];
}

/**
 * Attaches a screenshot of every page if the test failed. Playwright's `only-on-failure` also takes
 * one when a passing test ends, and discards it.
 */
export async function keepScreenshots(context: Context, test: TestResult): Promise<void> {
  if (test.status === test.expectedStatus) return;
  for (const [index, page] of context.pages().entries()) {
    const path = test.outputPath(`failed-${index + 1}.png`);
    try {
      await page.screenshot({ path, timeout: 5_000 });
    } catch {
      continue; // a page that has crashed
    }
    test.attachments.push({ name: "screenshot", path, contentType: "image/png" });
  }
}
