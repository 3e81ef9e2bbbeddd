import { findFormulaBlocks, formulaAt, mathSyntax } from "@carrel/contracts/math-syntax";
import { describe, expect, it } from "@jest/globals";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { mathFromMarkdown, splitBlocks } from "./split-blocks.ts";

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hProperties?: { className?: string[] } };
}

/** Formulas inline as ⟨x⟩, set apart within text as ⟪x⟫, and as blocks as ⟦x⟧. */
function written(node: Node): string {
  const { type, value = "", children = [] } = node;
  const isDisplay = node.data?.hProperties?.className?.[0] === "math-display";
  if (type === "math") return `⟦${value}⟧`;
  if (type === "inlineMath") return isDisplay ? `⟪${value}⟫` : `⟨${value}⟩`;
  if (type === "inlineCode") return `\`${value}\``;
  if (type === "code") return `code(${value})`;
  const inner = children.map(written);
  if (type === "root" || type === "list" || type === "listItem" || type === "blockquote")
    return inner.join(" | ");
  if (type === "tableRow") return inner.join(" ¦ ");
  if (type === "table") return inner.join(" | ");
  if (type === "emphasis") return `<em>${inner.join("")}</em>`;
  if (type === "strong") return `<b>${inner.join("")}</b>`;
  return value + inner.join("");
}

const parse = (text: string, growing: boolean): string =>
  written(
    fromMarkdown(text, {
      extensions: [gfm(), mathSyntax(text, growing)],
      mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown],
    }) as Node,
  );
/** Block by block, as answers are rendered. */
const read = (text: string, growing = false): string => {
  const { blocks } = splitBlocks(text, null, growing);
  return blocks
    .map((block, index) => parse(block, growing && index === blocks.length - 1))
    .join(" | ");
};

const formulas: [text: string, expected: string][] = [
  // In a line
  ["So \\(x^2\\) is", "So ⟨x^2⟩ is"],
  ["So \\( x \\), then", "So ⟨x⟩, then"],
  ["So $x^2$ is", "So ⟨x^2⟩ is"],
  ['the $n$th of ($k$), "$m$": $a$-b', 'the ⟨n⟩th of (⟨k⟩), "⟨m⟩": ⟨a⟩-b'],
  ["$a$ and $b$", "⟨a⟩ and ⟨b⟩"],
  ["$a_1 * b_1 * c_1$ and $d^*$", "⟨a_1 * b_1 * c_1⟩ and ⟨d^*⟩"],
  ["**$x$** and *\\(y\\)*", "<b>⟨x⟩</b> and <em>⟨y⟩</em>"],
  ["$x\n= y$", "⟨x\n= y⟩"],
  ["10$\\mu$m", "10⟨\\mu⟩m"],
  ["$2 \\text{ and } 3$", "⟨2 \\text{ and } 3⟩"],
  ["$3 x$", "⟨3 x⟩"],
  ["$5\\$ + x$", "⟨5\\$ + x⟩"],
  ["\\(a \\\\ b\\)", "⟨a \\\\ b⟩"],
  ["# About \\(\\pi\\)", "About ⟨\\pi⟩"],
  ["[see $x$](https://example.org)", "see ⟨x⟩"],
  // Set apart
  ["\\[x = 1\\]", "⟦x = 1⟧"],
  ["\\[\nx = 1\n\\]", "⟦x = 1⟧"],
  ["$$x = 1$$", "⟦x = 1⟧"],
  ["$$\nx = 1\n$$", "⟦x = 1⟧"],
  ["$$ x = 1\n+ 2 $$", "⟦x = 1\n+ 2⟧"],
  [
    "$$\\begin{aligned}\na &= b\\\\[2pt]\n- c\n\\end{aligned}$$",
    "⟦\\begin{aligned}\na &= b\\\\[2pt]\n- c\n\\end{aligned}⟧",
  ],
  ["\\[\na\n\nb\n\\]", "⟦a\n\nb⟧"],
  ["Then:\n\\[\na\n= b\n\\]\nholds.", "Then: | ⟦a\n= b⟧ | holds."],
  ["Then:\n$$a$$\nholds.", "Then: | ⟦a⟧ | holds."],
  ["Since $$a$$ holds", "Since ⟪a⟫ holds"],
  ["Since \\[a\\], \\[b\\].", "Since ⟪a⟫, ⟪b⟫."],
  ["$$a$$.", "⟪a⟫."],
  ["It is: $$\na\n$$\n\nAnd $$b$$", "It is: ⟪a⟫ | And ⟪b⟫"],
  ["$$a$$\n\n$$b$$", "⟦a⟧ | ⟦b⟧"],
  ["$$\\text{costs $5$}$$", "⟦\\text{costs $5$}⟧"],
  ["```math\nx\n```", "code(x)"],
  // In lists, quotations and tables
  ["- \\(a\\)\n- $$b$$\n- \\[\n  c\n  \\]", "⟨a⟩ | ⟦b⟧ | ⟦c⟧"],
  ["1. So:\n\n   \\[\n   a\n   - b\n   \\]\n\n2. $c$", "So: | ⟦a\n- b⟧ | ⟨c⟩"],
  ["> $$\n> a\n> + b\n> $$\n>\n> $c$", "⟦a\n+ b⟧ | ⟨c⟩"],
  ["| $a$ | \\(b\\) |\n| - | - |\n| $$c$$ | $\\|x\\|$ |", "⟨a⟩ ¦ ⟨b⟩ | ⟪c⟫ ¦ ⟨|x|⟩"],
  ["| Price | Left |\n| - | - |\n| $5 | $7 |", "Price ¦ Left | $5 ¦ $7"],
];

const texts: [text: string, expected: string][] = [
  ["$5 and then $7", "$5 and then $7"],
  ["from $5 to $7, or $10", "from $5 to $7, or $10"],
  ["$5-$10, $5/$6, $20,000 and $30,000", "$5-$10, $5/$6, $20,000 and $30,000"],
  ["US$5 and A$6", "US$5 and A$6"],
  ["$5 and 7$", "$5 and 7$"],
  ["$1.50 per cup (in US$)", "$1.50 per cup (in US$)"],
  ["5 $ and 7 $", "5 $ and 7 $"],
  ["a $ b$ and $x $", "a $ b$ and $x $"],
  ["\\$x\\$ and \\$5$", "$x$ and $5$"],
  ["$a$5", "$a$5"],
  ["$$$ and $$$x$$$", "$$$ and $$$x$$$"],
  ["$$ $$ and $$$$", "$$ $$ and $$$$"],
  ["\\(\\) and \\[ \\]", "() and [ ]"],
  ["\\(x and \\[y and $z and $$w", "(x and [y and $z and $$w"],
  ["`$x$` and `\\(y\\)`, $5 and `$z$`", "`$x$` and `\\(y\\)`, $5 and `$z$`"],
  ["```sh\n$$\necho $x$ \\[\n$$\n```", "code($$\necho $x$ \\[\n$$)"],
  ["In Bash $$ is the process, `$$` too", "In Bash $$ is the process, `$$` too"],
  ["- \\[x\\] done\n- \\[ \\] open, see \\[1\\]", "[x] done | [ ] open, see [1]"],
  ["\\[not a link\\](address)", "[not a link](address)"],
  ["\\\\(x\\\\)", "\\(x\\)"],
  ["$x\n\ny$", "$x | y$"],
  ["\\[\n- one\n- two\n\n> three", "[ | one | two | three"],
  ["$$\n\n# Prices\n\n- one", "$$ | Prices | one"],
];

describe("formulas", () => {
  it.each(formulas)("are found: %j", (text, expected) => expect(read(text)).toBe(expected));
  it.each(texts)("aren't what only looks like one: %j", (text, expected) =>
    expect(read(text)).toBe(expected),
  );
});

describe("a formula in a growing text", () => {
  it.each([
    ["So \\(x_1 *a", "So \\(x_1 *a"],
    ["So $x_1 *a* b", "So $x_1 *a* b"],
    ["So $$x *a* b", "So $$x *a* b"],
    ["\\[\na *b* c\n\n- d", "\\[\na *b* c\n\n- d"],
    ["$$ a\n*b* c", "$$ a\n*b* c"],
    ["> $$\n> a *b*", "$$\na *b*"],
    ["It costs $5, *really*", "It costs $5, <em>really</em>"],
    ["It is $5$", "It is $5$"],
    ["It is $a$.", "It is ⟨a⟩."],
  ])("is its source until it is closed: %j", (text, expected) =>
    expect(read(text, true)).toBe(expected),
  );

  it("never turns back into text, and appears once", () => {
    for (const [text] of [...formulas, ...texts]) {
      let seen: string[] = [];
      let blocks = splitBlocks("", null, true);
      for (let end = 1; end <= text.length; end += 1) {
        blocks = splitBlocks(text.slice(0, end), blocks, true);
        const now = blocks.blocks
          .map((block, index) => parse(block, index === blocks.blocks.length - 1))
          .join(" | ")
          .match(/[⟨⟪⟦][^⟩⟫⟧]*[⟩⟫⟧]/g);
        const found = (now ?? []).map((formula) => formula.slice(1, -1));
        expect(found.slice(0, seen.length)).toEqual(seen);
        seen = found;
      }
      const whole = ({ blocks: all }: typeof blocks): string => all.join("").replace(/\s/g, "");
      expect(whole(splitBlocks(text, blocks, false))).toBe(whole(splitBlocks(text, null, false)));
    }
  });
});

it.each([
  "$x ",
  "$$ x",
  "\\[ x\n",
  "\\[\n",
  "$$\n",
  "\\(x",
  "`$",
  "`` ` ",
  "$$\n\n",
  "- \\[\n",
  "$5 a=",
])("formulas are found in linear time: %j", (part) => {
  const text = part.repeat(200_000 / part.length);
  const before = process.cpuUsage();
  findFormulaBlocks(text, true);
  for (let at = text.search(/[$\\]/); at !== -1 && at < text.length; at += part.length)
    formulaAt(text, at, true);
  // Quadratic time would be 10 s.
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
