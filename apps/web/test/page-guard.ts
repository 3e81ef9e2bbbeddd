import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { expect, settled, threadPath } from "./fixtures.ts";
import { markdownFaults } from "./markdown-faults.ts";

/** Records forbidden effects and forbidden elements, even of a moment, in the page. */
const watch = `(() => {
  window.violations = [];
  window.elementFaults = new Set();
  const faultsOf = ${markdownFaults.toString()};
  new MutationObserver((changes) => {
    const changed = new Set();
    for (const { target } of changes) {
      const markdown = target.closest?.('.md') ?? target.parentElement?.closest('.md');
      for (const each of markdown ? [markdown] : target.querySelectorAll?.('article .md') ?? [])
        changed.add(each);
    }
    for (const markdown of changed)
      for (const fault of faultsOf(markdown)) window.elementFaults.add(fault);
  }).observe(document, { attributes: true, childList: true, subtree: true });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    window.violations.push(violatedDirective + ' ' + blockedURI));
})()`;
interface Watched {
  violations: string[];
  elementFaults: Set<string>;
  broken?: unknown;
}

/**
 * Effects that a text could have beyond its own content: external requests, dialogs, new pages,
 * navigation.
 */
export async function guard(
  page: Page,
  gateway: FakeGateway,
): Promise<{ faults: string[]; check: () => Promise<void> }> {
  const faults: string[] = [];
  const context = page.context();
  await context.route(
    (url) => !url.href.startsWith(gateway.url) && !/^(data|blob):/.test(url.protocol),
    (route) => {
      faults.push(`request ${route.request().url()}`);
      return route.abort();
    },
  );
  await page.addInitScript(watch);
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(gateway.url) && frame.url() !== "about:blank")
      faults.push(`went to ${frame.url()}`);
  });
  page.on("frameattached", (frame) => faults.push(`frame ${frame.url()}`));
  context.on("page", (opened) => faults.push(`opened ${opened.url()}`));
  return {
    faults,
    async check() {
      await settled(page);
      const seen = await page.evaluate(() => {
        const { violations, elementFaults, broken } = window as unknown as Watched;
        return { violations, elementFaults: [...elementFaults], broken };
      });
      expect({
        faults,
        violations: seen.violations,
        elements: seen.elementFaults,
        broken: seen.broken,
        address: page.url(),
      }).toEqual({
        faults: [],
        violations: [],
        elements: [],
        broken: undefined,
        address: gateway.url + threadPath,
      });
    },
  };
}
