import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { settled, type Page } from "./page.ts";

/** The standard whose rules are checked by default: WCAG 2.2, levels A and AA. */
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export interface Strictness {
  /** axe's best practices in addition to WCAG. */
  bestPractices?: boolean;
  /** Include minor and moderate violations, not only serious and critical ones. */
  minor?: boolean;
  /** Check only these rules. */
  rules?: string[];
}

/** A rule that the page breaks, and up to three elements that break it. */
export interface Violation {
  id: string;
  elements: string[];
}

let script: string | undefined;
const require = createRequire(import.meta.url);
const axe = (): string => (script ??= readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));

interface Measurement {
  violations: (Violation & { impact: string })[];
  /** Whether an animation began meanwhile. */
  hasMoved: boolean;
}

const measure = (options: object): string => `(async () => {
  let hasMoved = false;
  const note = () => { hasMoved = true; };
  const events = ["transitionrun", "animationstart"];
  for (const each of events) document.addEventListener(each, note, true);
  const { violations } = await axe.run(document, ${JSON.stringify(options)});
  for (const each of events) document.removeEventListener(each, note, true);
  return {
    hasMoved,
    violations: violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
    })),
  };
})()`;

/**
 * Accessibility violations that axe finds on the page once all animations have ended. axe is loaded
 * once per page and runs in it: with @axe-core/playwright, each check would load it twice and open
 * a second page, which takes longer than the check.
 */
export async function accessibilityViolations(
  page: Page,
  strictness: Strictness = {},
): Promise<Violation[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe());
  const runOnly = strictness.rules ?? (strictness.bestPractices ? undefined : wcag);
  const options = { resultTypes: ["violations"], ...(runOnly && { runOnly }) };
  let measured: Measurement;
  do {
    await settled(page); // colours are measured, and elements that fade in don't have their final ones yet
    measured = (await page.evaluate(measure(options))) as Measurement;
    // Anything that fades out meanwhile, such as a toast after its five seconds, has different
    // colours.
  } while (measured.hasMoved && measured.violations.length > 0);
  const { violations } = measured;
  return violations
    .filter(({ impact }) => strictness.minor || impact === "serious" || impact === "critical")
    .map(({ id, elements }) => ({ id, elements }));
}
