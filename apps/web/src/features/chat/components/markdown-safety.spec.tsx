import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { act, cleanup, render } from "@testing-library/react";
import { hostile, small } from "../../../../test/hostile-markdown.ts";
import Markdown, { type Citations } from "./markdown.tsx";

const citations: Citations = { open: null, active: null, titles: [] };
/**
 * CPU time for one rendering, which is many times slower here than in a browser. Not elapsed time,
 * because the machine may be busy.
 */
const longestMs = 15_000;
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
/** Offsets where the stream is split: anywhere, even inside a surrogate pair. */
function cutsOf(text: string, seed: number, count: number): number[] {
  const random = seeded(seed);
  return [
    ...Array.from({ length: count }, () => 1 + Math.floor(random() * text.length)).sort(
      (a, b) => a - b,
    ),
    text.length,
  ];
}

const elements = new Set([
  "div",
  "p",
  "span",
  "a",
  "strong",
  "em",
  "del",
  "code",
  "pre",
  "ul",
  "ol",
  "li",
  "blockquote",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "br",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "sup",
  "section",
  "button",
  "header",
  "svg",
  "input",
]);
/** The elements that formulas render to. */
const mathElements = new Set([
  "span",
  "svg",
  "path",
  "line",
  "math",
  "semantics",
  "annotation",
  "mrow",
  "mi",
  "mo",
  "mn",
  "ms",
  "mtext",
  "msup",
  "msub",
  "msubsup",
  "mfrac",
  "msqrt",
  "mroot",
  "mtable",
  "mtr",
  "mtd",
  "mover",
  "munder",
  "munderover",
  "mspace",
  "mstyle",
  "mpadded",
  "mphantom",
  "menclose",
]);
const attributes = new Set([
  "class",
  "href",
  "target",
  "rel",
  "dir",
  "lang",
  "tabindex",
  "role",
  "type",
  "checked",
  "disabled",
  "start",
  "align",
  "title",
  "aria-hidden",
  "aria-label",
  "aria-describedby",
  "id",
  "style",
  "colspan",
  "data-footnotes",
  "data-footnote-ref",
  "data-footnote-backref",
]);

/**
 * Describes everything below the element that is not on the lists above. Walks from
 * sibling to sibling: selectors and live collections are slow in jsdom.
 */
function faultsOf(root: Element, inMath = false): string[] {
  const faults: string[] = [];
  for (
    let element = root.firstElementChild;
    element !== null;
    element = element.nextElementSibling
  ) {
    const name = element.localName;
    const { classList } = element;
    const isMath = inMath || classList.contains("katex") || classList.contains("katex-error");
    if (name === "svg" && classList.contains("lucide")) continue; // an icon
    faults.push(...faultsOf(element, isMath));
    if (!(isMath ? mathElements : elements).has(name)) faults.push(`<${name}>`);
    if (
      name === "input" &&
      (element.getAttribute("type") !== "checkbox" || !element.hasAttribute("disabled"))
    )
      faults.push("an input that can be used");
    for (const { name: attribute, value } of element.attributes) {
      if (
        attribute.startsWith("on") ||
        /^(src|srcset|srcdoc|action|formaction|poster|background|data|xlink:href|ping)$/.test(
          attribute,
        )
      )
        faults.push(`${name} ${attribute}="${value}"`);
      if (!isMath && !attributes.has(attribute)) faults.push(`${name} ${attribute}`);
      if (
        attribute === "style" &&
        (/url\(|expression|position:\s*(fixed|sticky)|@import|behavior/i.test(value) ||
          (!isMath && !/^(text-align: ?\w+;?)?$/.test(value)))
      )
        faults.push(`style ${value}`);
      if (
        attribute === "id" &&
        !/^user-content-fn|^footnote-label$|^user-content-footnote-label$/.test(value)
      )
        faults.push(`id ${value}`);
      if (
        attribute === "href" &&
        (name !== "a" || isMath || !/^(https?:\/\/|mailto:)/i.test(value))
      )
        faults.push(`${name} href="${value}"`);
    }
    if (
      name === "a" &&
      (element.getAttribute("target") !== "_blank" ||
        !/noopener/.test(element.getAttribute("rel") ?? "") ||
        !/noreferrer/.test(element.getAttribute("rel") ?? ""))
    )
      faults.push(`a link that stays on the page: ${element.outerHTML.slice(0, 120)}`);
  }
  return faults;
}

beforeAll(async () => {
  await Promise.all([import("./math-plugin.ts"), import("./highlight-plugin.ts")]);
});
afterEach(() => {
  cleanup();
  expect((globalThis as { broken?: unknown }).broken).toBeUndefined();
});

describe("Markdown from a hostile model", () => {
  it("has enough samples", () =>
    expect([
      hostile.length >= 100,
      small.length >= 100,
      new Set(hostile.map(({ name }) => name)).size === hostile.length,
    ]).toEqual([true, true, true]));

  it.each(hostile.map(({ name, text }, seed) => [name, text, seed] as const))(
    "runs nothing, loads nothing and never navigates on its own, however the stream is split: %s",
    async (_name, text, seed) => {
      const isLarge = text.length > 2_000;
      const cuts = cutsOf(text, seed + 1, isLarge ? 4 : 12);
      let longest = 0;
      const faults: string[] = [];
      const view = render(<Markdown text="" growing citations={citations} count={null} />);
      for (const at of cuts) {
        const growing = at < text.length;
        const begun = cpuMs();
        // Formulas and highlighted code render asynchronously.
        await act(async () => {
          view.rerender(
            <Markdown
              text={text.slice(0, at)}
              growing={growing}
              citations={citations}
              count={growing ? null : 2}
            />,
          );
          await Promise.resolve();
        });
        longest = Math.max(longest, cpuMs() - begun);
        faults.push(...faultsOf(view.container).map((fault) => `at ${at}: ${fault}`));
      }
      await act(
        () =>
          new Promise<void>((done) => {
            setTimeout(done, 0);
          }),
      );
      faults.push(...faultsOf(view.container));
      expect(faults).toEqual([]);
      expect(longest).toBeLessThan(longestMs);
    },
    60_000,
  );

  it("shows an external image as a link that opens in a new tab", () => {
    const { container } = render(
      <Markdown
        text="![A plan](https://evil.test/p.png)"
        growing={false}
        citations={citations}
        count={0}
      />,
    );
    const link = container.querySelector("a")!;
    expect([
      link.textContent,
      link.getAttribute("href"),
      link.target,
      link.rel,
      container.querySelector("img"),
    ]).toEqual(["A plan", "https://evil.test/p.png", "_blank", "noreferrer noopener", null]);
  });

  it("keeps emphasis as text only where there are too many markers to resolve in time", () => {
    const strong = (text: string): number => {
      const { container } = render(
        <Markdown text={text} growing={false} citations={citations} count={0} />,
      );
      return container.querySelectorAll("strong").length;
    };
    expect(strong("- **An item** of a long list\n".repeat(700))).toBe(700);
    expect(strong("- **An item** of an absurd list\n".repeat(1_100))).toBe(0);
    expect(strong(`${"*_".repeat(5_000)}\n\nThen **one**.`)).toBe(1);
  });
});
