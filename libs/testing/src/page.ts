import { poll } from "./waiting.ts";

/** What is used of a browser's window: this package has no types of browsers. */
interface Window {
  document: {
    getAnimations(): {
      playState: string;
      effect: { getComputedTiming(): { endTime?: unknown } } | null;
    }[];
  };
}
interface Page {
  evaluate: (expression: string) => Promise<unknown>;
  waitForFunction: (check: () => boolean) => Promise<unknown>;
}

/**
 * Waits until nothing moves on the page (Playwright's) that will come to rest: colours and places
 * are then what they stay.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
  ); // what was just asked for begins to move
  // A function: a text would be evaluated again at each look, which our policy for scripts forbids.
  await page.waitForFunction(() =>
    (globalThis as unknown as Window).document
      .getAnimations()
      .every(
        (each) =>
          each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity,
      ),
  );
}

/** Waits until the keyboard is at this element. */
export async function focused(element: {
  evaluate: (
    check: (each: { ownerDocument: { activeElement: unknown } }) => boolean,
  ) => Promise<boolean>;
}): Promise<void> {
  await poll(() => element.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(
    true,
  ); // a text of a function would be read, not called
}
