import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { hostile, small } from "../../../../test/hostile-markdown.ts";
import { markdownFaults } from "../../../../test/markdown-faults.ts";
import Markdown, { type Citations } from "./markdown.tsx";

const citations: Citations = { open: null, active: null, sources: [] };

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

  // Large ones are rendered in a browser only: test/markdown-safety.pw.ts.
  it.each(small.map(({ name, text }, seed) => [name, text, seed] as const))(
    "runs nothing, loads nothing and never navigates on its own, however the stream is split: %s",
    async (_name, text, seed) => {
      const cuts = cutsOf(text, seed + 1, 12);
      const faults: string[] = [];
      const view = render(<Markdown text="" growing citations={citations} count={null} />);
      for (const at of cuts) {
        const growing = at < text.length;
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
        faults.push(...markdownFaults(view.container).map((fault) => `at ${at}: ${fault}`));
      }
      await act(
        () =>
          new Promise<void>((done) => {
            setTimeout(done, 0);
          }),
      );
      faults.push(...markdownFaults(view.container));
      expect(faults).toEqual([]);
    },
  );

  it.each([
    [49, "renders"],
    [60, "shows the source of"],
  ])("with %i uses of a command that a formula defines %s it", async (uses) => {
    const text = `$\\def\\a{x}${"\\a".repeat(uses)}$`;
    const view = render(<Markdown text={text} growing={false} citations={citations} count={0} />);
    await waitFor(() => {
      expect(view.container.querySelector(uses > 50 ? ".katex-error" : ".katex")).not.toBeNull();
    });
  });

  it.each([
    ["a long list", "- **An item** of a long list\n".repeat(700), 700],
    ["an absurd list", "- **An item** of an absurd list\n".repeat(1_100), 0],
    ["markers", `${"*_".repeat(5_000)}\n\nThen **one**.`, 1],
  ])(
    "keeps emphasis as text only where there are too many markers to resolve in time: %s",
    async (_name, text, count) => {
      const view = render(<Markdown text={text} growing={false} citations={citations} count={0} />);
      await waitFor(() => expect(view.container.textContent).toMatch(/list|Then/));
      expect(view.container.querySelectorAll("strong")).toHaveLength(count);
    },
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
});
