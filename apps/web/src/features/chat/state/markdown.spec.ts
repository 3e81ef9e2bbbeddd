import { describe, expect, it } from "@jest/globals";
import { quotesOf, remarkCitations, splitCitations } from "./citations.ts";
import { finishedSentences } from "./sentences.ts";
import { splitBlocks } from "./split-blocks.ts";

describe("source marks", () => {
  it("finds single, several and joined marks, and leaves what is no source", () => {
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
  it("takes any number while the sources are not known", () =>
    expect(splitCitations("so [7]", null)).toEqual(["so", 7]));
});

describe("the words that a mark ends", () => {
  it("reach back to the mark before or the beginning of the block, over emphasis, and are shared by marks side by side", () => {
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
    const marks = JSON.parse(JSON.stringify(tree)) as {
      children: { children: { data?: { hProperties: object } }[] }[];
    };
    expect(
      marks.children.flatMap((block) =>
        block.children.flatMap((node) => (node.data ? [node.data.hProperties] : [])),
      ),
    ).toEqual([
      { number: 1, words: "At 48 °C all is warm" },
      { number: 2, words: "So it is" },
      { number: 3, words: "So it is" },
      { number: 1, words: "Apart" },
    ]);
  });
  it("are gathered for a source from the whole answer", () => {
    const answer =
      "First one. [1]\n\nSecond [2], third [1, 3].\n\n- An item [1].\n- Another [2]\n\n| a | b [1] |";
    expect(quotesOf(answer, 1)).toEqual(["First one.", "third", "An item", "b"]);
    expect(quotesOf(answer, 3)).toEqual(["third"]);
    expect(quotesOf(answer, 4)).toEqual([]);
  });
});

describe("blocks", () => {
  const text =
    "# Title\n\nOne **two**\n\n- a\n\n- b\n\n```js\nconst x = 1;\n\nconst y = 2;\n```\n\n$$\na\n\nb\n$$\n\nEnd";
  it("cuts at top-level blocks: a loose list, a fence and a formula with blank lines are one each", () =>
    expect(splitBlocks(text, null).blocks).toHaveLength(6));
  it("gives the same when the text grows character by character, and keeps finished blocks as they are", () => {
    let blocks = splitBlocks("", null);
    for (let end = 1; end <= text.length; end += 1) {
      const next = splitBlocks(text.slice(0, end), blocks);
      expect(next.blocks.slice(0, Math.max(0, blocks.blocks.length - 1))).toEqual(
        blocks.blocks.slice(0, Math.max(0, blocks.blocks.length - 1)),
      );
      blocks = next;
    }
    expect(blocks.blocks.map((block) => block.trim())).toEqual(
      splitBlocks(text, null).blocks.map((block) => block.trim()),
    );
  });
  it("starts over when the text is another one", () =>
    expect(splitBlocks("Other", splitBlocks(text, null)).blocks).toEqual(["Other"]));
});

describe("what is announced", () => {
  it("is whole sentences, without marks", () => {
    const first = finishedSentences("It is **48 °C** [1]. That sav", 0);
    expect(first.words).toBe("It is 48 °C .");
    expect(finishedSentences("It is **48 °C** [1]. That saves 15 %. And", first.to).words).toBe(
      "That saves 15 %.",
    );
  });
});
