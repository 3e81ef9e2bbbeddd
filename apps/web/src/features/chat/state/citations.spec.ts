import { describe, expect, it } from "@jest/globals";
import { finishedSentences } from "../components/announcer.tsx";
import { quotesOf, remarkCitations, splitCitations } from "./citations.ts";
import { splitBlocks } from "./split-blocks.ts";

describe("citations", () => {
  it("finds single, multiple and joined citations, and ignores other brackets", () => {
    expect(splitCitations("Yes [1]. No [2, 3], maybe [9].", 3)).toEqual([
      "Yes",
      1,
      ". No",
      2,
      3,
      ", maybe [9].",
    ]);
    expect(splitCitations("a[1][2]", 2)).toEqual(["a", 1, 2]);
    expect(splitCitations("array[0] and [x]", 4)).toEqual(["array[0] and [x]"]);
  });
  it("are found in linear time, whatever the run of blanks before them", () => {
    const text = `a${" ".repeat(200_000)}b`;
    const before = process.cpuUsage();
    expect(splitCitations(`${text} [1]`, 3)).toEqual([text, 1]);
    // Quadratic time would be 15 s.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
  it("accepts any number while the sources are unknown", () =>
    expect(splitCitations("so [7]", null)).toEqual(["so", 7]));
});

describe("words that a citation supports", () => {
  it("reach back to the previous citation or the start of the block, across emphasis, and are shared by adjacent citations", () => {
    const text = (value: string) => ({ type: "text", value });
    const tree = {
      type: "root",
      children: [
        {
          type: "paragraph",
          children: [
            text("At "),
            { type: "strong", children: [text("48 °C")] },
            text(" all is warm [1]. So it is [2][3]."),
          ],
        },
        { type: "paragraph", children: [text("Apart [1]")] },
      ],
    };
    remarkCitations({ count: 3 })(tree);
    interface Marked {
      type: string;
      data?: { hProperties: object };
      children?: Marked[];
    }
    const marksOf = ({ type, data, children = [] }: Marked): unknown[] => [
      ...(type === "citation" ? [data!.hProperties] : []),
      ...children.flatMap(marksOf),
    ];
    expect(marksOf(tree)).toEqual([
      { number: 1, words: "At 48 °C all is warm" },
      { number: 2, words: "So it is" },
      { number: 3, words: "So it is" },
      { number: 1, words: "Apart" },
    ]);
  });
  it("never wraps a citation alone: it is in one element with the word before", () => {
    const paragraph = {
      type: "paragraph",
      children: [
        { type: "text", value: "It costs 96 euros. [1][2] 文字文字文字文字文字文字文字 [3]" },
      ],
    };
    remarkCitations({ count: 3 })({ type: "root", children: [paragraph] });
    const mark = expect.objectContaining({ type: "citation" });
    expect(paragraph.children).toMatchObject([
      { value: "It costs 96 " },
      { type: "citations", children: [{ value: "euros." }, mark, mark] },
      { value: " 文字" },
      { type: "citations", children: [{ value: "文字".repeat(6) }, mark] },
    ]);
  });
  it("are collected for a source from the whole answer", () => {
    const answer =
      "First one. [1]\n\nSecond [2], third [1, 3].\n\n- An item [1].\n- Another [2]\n\n| a | b [1] |";
    expect(quotesOf(answer, 1)).toEqual(["First one.", "third", "An item", "b"]);
    expect(quotesOf(answer, 3)).toEqual(["third"]);
    expect(quotesOf(answer, 4)).toEqual([]);
  });
});

describe("Markdown blocks", () => {
  const text =
    "# Title\n\nOne **two**\n\n- a\n\n- b\n\n```js\nconst x = 1;\n\nconst y = 2;\n```\n\n$$\na\n\nb\n$$\n\nEnd";
  it("are split at the top level: a loose list, a fence and a formula with blank lines are one block each", () =>
    expect(splitBlocks(text, null, true).blocks).toHaveLength(6));
  it("are the same when the text grows character by character, and finished ones are reused", () => {
    let blocks = splitBlocks("", null, true);
    for (let end = 1; end <= text.length; end += 1) {
      const next = splitBlocks(text.slice(0, end), blocks, true);
      expect(next.blocks.slice(0, Math.max(0, blocks.blocks.length - 1))).toEqual(
        blocks.blocks.slice(0, Math.max(0, blocks.blocks.length - 1)),
      );
      blocks = next;
    }
    expect(blocks.blocks.map((block) => block.trim())).toEqual(
      splitBlocks(text, null, true).blocks.map((block) => block.trim()),
    );
  });
  it("start over when the text changes", () =>
    expect(splitBlocks("Other", splitBlocks(text, null, true), true).blocks).toEqual(["Other"]));
});

describe("announcements", () => {
  it("are whole sentences without citations", () => {
    const first = finishedSentences("It is **48 °C** [1]. That sav", 0);
    expect(first.words).toBe("It is 48 °C .");
    expect(finishedSentences("It is **48 °C** [1]. That saves 15 %. And", first.to).words).toBe(
      "That saves 15 %.",
    );
  });
});
