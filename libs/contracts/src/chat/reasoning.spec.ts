import type { OpenReasoningSpan } from "./reasoning-spans.ts";
import { splitOwnTags } from "./reasoning-tags.ts";
import { recordReasoning, ReasoningSplitter, splitReasoning } from "./reasoning.ts";

const split = (text: string): [string, string[]] => {
  const { answer, reasoning } = splitReasoning(text, null);
  return [answer, reasoning.map((block) => block.text)];
};

describe("reasoning in an answer without spans", () => {
  it.each<[string, string, string[]]>([
    ["Four.", "Four.", []],
    ["<think>Hm.</think>Four.", "Four.", ["Hm."]],
    [" \n<think>\nHm.\n</think>\n\nFour.", "Four.", ["Hm."]],
    ["<THINK>Hm.</Think>Four.", "Four.", ["Hm."]],
    ["<thinking>Hm.</thinking>Four.", "Four.", ["Hm."]],
    ["<thought>Hm.</thought>\nFour.", "Four.", ["Hm."]],
    ["<reasoning>Hm.</reasoning>Four.", "Four.", ["Hm."]],
    // Not one of the provider's tags, so all of it is the answer.
    ["<reflection>It is 5.</reflection>", "<reflection>It is 5.</reflection>", []],
    ["<|channel>thought\nHm.<channel|>Four.", "Four.", ["Hm."]],
    ["<|inner_prefix|>Hm.<|inner_suffix|>Four.", "Four.", ["Hm."]],
    ["[THINK]Hm.[/THINK]Four.", "Four.", ["Hm."]],
    ["◁think▷Hm.◁/think▷Four.", "Four.", ["Hm."]],
    ["<|begin_of_thought|>Hm.<|end_of_thought|>Four.", "Four.", ["Hm."]],
    ["<|START_THINKING|>Hm.<|END_THINKING|>Four.", "Four.", ["Hm."]],
    [
      "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.<|return|>",
      "Four.",
      ["Hm."],
    ],
    ["<|channel|>analysis<|message|>Hm.", "", ["Hm."]],
    ["<|channel|>final<|message|>Four.", "Four.", []],
    ["analysisHm.assistantfinalFour.", "Four.", ["Hm."]],
    ["analysis of the data", "analysis of the data", []],
    ["<think>One.</think>\n<think>Two.</think>Four.", "Four.", ["One.", "Two."]],
    ["<think>never ends", "", ["never ends"]],
    ["<think></think>Four.", "Four.", []],
    ["Hm.\n</think>\n\nFour.", "Four.", ["Hm."]],
    ["Hm.</think>Four.", "Four.", ["Hm."]],
    ["Look.\n<think>Hm.</think>Four.", "Look.\n\nFour.", ["Hm."]],
    ["I'll look.<think>Hm.</think>Four.", "I'll look.\n\nFour.", ["Hm."]],
    ["<think>A.</think>Look.<think>B.</think>Four.", "Look.\n\nFour.", ["A.", "B."]],
    ["Use `<think>` and `</think>`.", "Use `<think>` and `</think>`.", []],
    ["```\n<think>Hm.</think>\n```", "```\n<think>Hm.</think>\n```", []],
    ["The tag <think> opens, </think> closes.", "The tag <think> opens, </think> closes.", []],
    ["The tag <think> opens it.", "The tag <think> opens it.", []],
    ["Well.\n<think> opens it.", "Well.\n<think> opens it.", []],
    ["`` ` `` is a tick.\n\nHm.</think>Four.", "Four.", ["`` ` `` is a tick.\n\nHm."]],
    ["<thinker>Hm.</thinker>", "<thinker>Hm.</thinker>", []],
  ])("%j", (text, answer, reasoning) => {
    expect(split(text)).toEqual([answer, reasoning]);
  });
});

describe("reasoning that this server wrote", () => {
  it.each([
    ["<think>Hm.</think>Four.", "Four."],
    ["<think>A.</think>Look.\n<think>B.</think>Four.", "Look.\n\nFour."],
    ["<think>never ends", ""],
    ["<reasoning>Two and two.</reasoning>42", "<reasoning>Two and two.</reasoning>42"],
    ["<thought>Buy milk.", "<thought>Buy milk."],
    ["Hm.\n</think>\n\nFour.", "Hm.\n</think>\n\nFour."],
    ["Use `<think>` first.", "Use `<think>` first."],
  ])("is all that is taken from %j", (text, answer) => {
    expect(splitOwnTags(text).answer).toBe(answer);
  });
});

describe("reasoning that is known", () => {
  const text = "<think>Hm.</think>Use `<think>`. <think>B</think>Done.";
  const spans = [
    { start: 0, end: 18, milliseconds: 3_000 },
    { start: 33, end: 49, milliseconds: 1_000 },
  ];

  it("is where its spans say", () => {
    expect(splitReasoning(text, recordReasoning(text, spans))).toEqual({
      answer: "Use `<think>`.\n\nDone.",
      reasoning: [
        { at: 0, text: "Hm.", milliseconds: 3_000 },
        { at: 14, text: "B", milliseconds: 1_000 },
      ],
    });
    const none = recordReasoning(text, []);
    expect(splitReasoning(text, none)).toEqual({ answer: text, reasoning: [] });
    // The client that rewrote it doesn't know about spans.
    expect(splitReasoning("<think>Hm.</think>Four.", none).answer).toBe("Four.");
  });

  it.each([1, 7, 8, 1_000])(
    "is separated while the text arrives, %d characters at a time",
    (size) => {
      const splitter = new ReasoningSplitter();
      const shown = { text: "", reasoning: "" };
      const known: OpenReasoningSpan[] = [...spans];
      // Tags arrive whole.
      for (const [index, whole] of text.split(/(<\/?think>)/).entries())
        for (let from = 0; from < whole.length; from += index % 2 === 1 ? whole.length : size) {
          while (known.length > 0) splitter.announce(known.shift()!);
          const piece = index % 2 === 1 ? whole : whole.slice(from, from + size);
          for (const { type, text: part } of splitter.push(piece)) shown[type] += part;
        }
      expect(shown).toEqual({ text: "Use `<think>`. Done.", reasoning: "Hm.B" });
    },
  );

  it("splits a piece in which reasoning begins or ends", () => {
    const splitter = new ReasoningSplitter();
    splitter.announce({ start: 0, end: null, milliseconds: 0 });
    expect(splitter.push("<think>Let me")).toEqual([{ type: "reasoning", text: "Let me" }]);
    splitter.announce({ start: 0, end: 26, milliseconds: 2_000 });
    expect(splitter.push(" see.</think>Four.")).toEqual([
      { type: "reasoning", text: " see." },
      { type: "text", text: "Four." },
    ]);
  });

  it("drops the closing tag of text that turned out to be reasoning", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.push("Hm.")).toEqual([{ type: "text", text: "Hm." }]);
    splitter.announce({ start: 0, end: 11, milliseconds: 900 });
    expect(splitter.push("</think>Four.")).toEqual([{ type: "text", text: "Four." }]);
  });
});
