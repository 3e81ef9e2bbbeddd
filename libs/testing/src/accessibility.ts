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

/**
 * Accessibility violations that axe finds on the page once all animations have ended. axe is loaded
 * once per page and runs in it: with @axe-core/playwright, each check would load it twice and open
 * a second page, which takes longer than the check.
 */
export async function accessibilityViolations(
  page: Page,
  strictness: Strictness = {},
): Promise<Violation[]> {
  await settled(page); // colours are measured, and elements that fade in don't have their final ones yet
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe());
  const runOnly = strictness.rules ?? (strictness.bestPractices ? undefined : wcag);
  const options = { resultTypes: ["violations"], ...(runOnly && { runOnly }) };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        elements: nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)),
      })))`,
  )) as (Violation & { impact: string })[];
  return violations
    .filter(({ impact }) => strictness.minor || impact === "serious" || impact === "critical")
    .map(({ id, elements }) => ({ id, elements }));
}
