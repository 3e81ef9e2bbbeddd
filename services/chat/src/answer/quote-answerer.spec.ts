import { findTexts } from "@carrel/texts";
import { formatQuotation, sayNothingFound } from "./quote-answerer.ts";
import type { Quotation } from "./quote-passages.ts";

const say = findTexts(null);
const written = (kind: Quotation["kind"], ...texts: string[]): string =>
  [
    ...formatQuotation(
      {
        kind,
        passages: [],
        quotes: texts.map((text, index) => ({ text, passage: index + 1 })),
      },
      say,
    ),
  ].join("");
const heading = "No sentence answers this directly. The closest passages:\n\n";
const excerpt = (text: string): string => written("closest-passages", text).slice(heading.length);

describe("quotes", () => {
  it("are cited at their end, and after a table or code", () => {
    const table = "| Part | Price |\n| --- | --- |\n| Filter | 4 euros |";
    expect(written("answer", "One.", "- two\n- three", table, "Run:\n\n```sh\nls\n```")).toBe(
      `One. [1]\n\n- two\n- three [2]\n\n${table}\n\n[3]\n\nRun:\n\n\`\`\`sh\nls\n\`\`\`\n\n[4]`,
    );
  });

  it("are excerpts below a heading where no sentence answers", () => {
    expect(
      written("closest-passages", "Open daily.\nClosed in May.", "See [MIT](./LICENSE)."),
    ).toBe(`${heading}> Open daily.\\\n> Closed in May. [1]\n\n> See [MIT](./LICENSE). [2]`);
  });

  it("keep the lines of lists, tables and code in their block quote", () => {
    expect(excerpt("Steps:\n\n1. Open\n2. Shut")).toBe("> Steps:\n>\n> 1. Open\n> 2. Shut [1]");
    expect(excerpt("| a | b |\n| - | - |\n| 1 | 2 |")).toBe(
      "> | a | b |\n> | - | - |\n> | 1 | 2 |\n>\n> [1]",
    );
    expect(excerpt("def rows(name):\n    return name.__doc__")).toBe(
      "> ```\n> def rows(name):\n>     return name.__doc__\n> ```\n>\n> [1]",
    );
  });

  it("can't bring tags or definitions into the answer, which code may contain", () => {
    expect(excerpt("**Now** <script>alert(1)</script>\n<img src=x onerror=alert(1)>")).toBe(
      "> **Now** \\<script>alert(1)\\</script>\n> \\<img src=x onerror=alert(1)> [1]",
    );
    expect(excerpt("- `<i>` and <https://a.example>\n\n[1]: javascript:alert(1)")).toBe(
      "> - `<i>` and <https://a.example>\n>\n> \\[1]: javascript:alert(1) [1]",
    );
    expect(excerpt("Run:\n\n~~~\n<b>\n~~~")).toBe("> Run:\n>\n> ~~~\n> <b>\n> ~~~\n>\n> [1]");
  });

  it("keep the words of wrapped lines together", () => {
    const line = "The ferry leaves the harbour every morning at";
    expect(excerpt(`${line}\nnoon, and comes back at night.`)).toMatch(`> ${line} noon, and`);
  });
});

it("an answer without sources says where nothing was found, or names the store", () => {
  const state = { documentCount: 3, waitsForStore: null, places: null };
  expect(sayNothingFound({ ...state, documentCount: 0, waitsForStore: "Qdrant" }, say)).toMatch(
    /^Qdrant isn't available, so the documents/,
  );
  expect(sayNothingFound({ ...state, documentCount: 0 }, say)).toMatch(
    /^This workspace has no documents yet/,
  );
  expect(sayNothingFound(state, say)).toMatch(
    /^I found nothing in the documents of this workspace/,
  );
  expect(
    sayNothingFound({ ...state, places: { documentIds: [], folders: ["Harbour"] } }, say),
  ).toMatch(/^I found nothing in the documents you chose/);
});
