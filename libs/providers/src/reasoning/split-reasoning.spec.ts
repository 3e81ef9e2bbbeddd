import { describe, expect, it } from "@jest/globals";
import { ReasoningSplitter } from "./split-reasoning.ts";

interface Split {
  reasoning: string;
  text: string;
}
type Piece = string | { apart: string };

/** What a reader ends up with that moves text when it turns out to be reasoning. */
function split(pieces: readonly Piece[]): Split {
  const got: Split = { reasoning: "", text: "" };
  const splitter = new ReasoningSplitter({
    text: (piece) => (got.text += piece),
    reasoning: (piece) => (got.reasoning += piece),
    textWasReasoning: () => {
      expect(got.reasoning).toBe("");
      got.reasoning = got.text;
      got.text = "";
    },
  });
  for (const piece of pieces)
    if (typeof piece === "string") splitter.addText(piece);
    else splitter.addReasoning(piece.apart);
  splitter.flush();
  return got;
}

const harmony =
  "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>";

/** In one piece; cut anywhere they mean the same. */
const cases: [name: string, whole: string, reasoning: string, text: string][] = [
  ["plain text", "Hello < 5 and [this] too", "", "Hello < 5 and [this] too"],
  ["blanks before text", "\n Hello", "", "\n Hello"],
  ["a piece of a mark alone", "<th", "", "<th"],
  ["a word like a mark", "<this> is", "", "<this> is"],
  ["think", "<think>Hm.</think>\n\nYes.", "Hm.", "Yes."],
  ["blanks before it", "\n <think>Hm.</think>Yes.", "Hm.", "Yes."],
  ["capitals", "<THINK>Hm.</Think>Yes.", "Hm.", "Yes."],
  ["thinking", "<thinking>Hm </think> so</thinking>Yes.", "Hm </think> so", "Yes."],
  ["thought", "<thought>Hm.</thought>Yes.", "Hm.", "Yes."],
  ["reasoning", "<reasoning>Hm.</reasoning>Yes.", "Hm.", "Yes."],
  ["Seed", "<seed:think>Hm.</seed:think>Yes.", "Hm.", "Yes."],
  ["Magistral", "[THINK]Hm.[/THINK]Yes.", "Hm.", "Yes."],
  ["Kimi", "◁think▷Hm.◁/think▷Yes.", "Hm.", "Yes."],
  ["Gemma 4", "<|channel>thought\nHm.<channel|>Yes.", "\nHm.", "Yes."],
  [
    "Command A",
    "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>",
    "Hm.",
    "Yes.",
  ],
  [
    "OpenThinker",
    "<|begin_of_thought|>\nHm.\n<|end_of_thought|>\n\n<|begin_of_solution|>\nYes.<|end_of_solution|>",
    "\nHm.\n",
    "Yes.",
  ],
  [
    "an ordinary beginning",
    "Here is my thought process: Hm.",
    "",
    "Here is my thought process: Hm.",
  ],
  [
    "tags that the user asked for",
    "<think>Hm.</think>\n<response><status>ok</status></response>",
    "Hm.",
    "<response><status>ok</status></response>",
  ],
  ["a wrapper alone", "<answer>Yes.</answer>", "", "<answer>Yes.</answer>"],
  ["an empty block", "<think>\n\n</think>\n\nYes.", "\n\n", "Yes."],
  ["several blocks", "<think>A.</think>\n<think>B.</think>\nYes.", "A.B.", "Yes."],
  ["no end", "<think>Hm </thi", "Hm </thi", ""],
  ["no answer", "<think>Hm.</think>\n", "Hm.", ""],
  ["marks after the beginning", "Use <think>x</think>.", "", "Use <think>x</think>."],
  ["marks after reasoning", "<think>a < b</think>Yes </think>", "a < b", "Yes </think>"],
  ["harmony", harmony, "Hm.", "Yes."],
  ["harmony with its beginning", `<|start|>assistant${harmony}`, "Hm.", "Yes."],
  [
    "harmony's commentary",
    "<|channel|>commentary<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
    "<|channel|>commentary to=functions.f<|message|>{}",
    "Let me look.",
  ],
  ["harmony cut off", "<|channel|>analysis<|message|>Hm <|e", "Hm <|e", ""],
  [
    "harmony's token in a sentence",
    "<|start|> begins a message.",
    "",
    "<|start|> begins a message.",
  ],
  [
    "harmony's tokens in a long text",
    `<|channel|> and <|end|> are tokens. ${"So it goes. ".repeat(40)}<|end|>`,
    "",
    `<|channel|> and <|end|> are tokens. ${"So it goes. ".repeat(40)}<|end|>`,
  ],
  ["harmony cut off at once", "<|start|>assistant<|channel|>ana", "", ""],
  ["the word analysis", "Analysis of the case", "", "Analysis of the case"],
  ["a bare end", "Okay.\nI say it.\n</think>\n\nYes.", "Okay.\nI say it.\n", "Yes."],
  ["a bare end in a line", "Okay, I say it.</think>Yes.", "Okay, I say it.", "Yes."],
  ["a bare end after a blank", "I say it. </think> \nYes.", "I say it. ", "Yes."],
  ["a bare end of Magistral", "Hm.[/THINK]Yes.", "Hm.", "Yes."],
  ["a bare end of Kimi", "Hm.◁/think▷Yes.", "Hm.", "Yes."],
  ["a bare end of Seed", "Hm.</seed:think>Yes.", "Hm.", "Yes."],
  ["a bare end at once", "</think>\n\nYes.", "", "Yes."],
  ["a bare end at last", "Okay.\n</think>", "Okay.\n", ""],
  ["a block after a bare end", "A.\n</think>\n<think>B.</think>Yes.", "A.\nB.", "Yes."],
  ["a second bare end", "A.\n</think>\nYes.\n</think>\nNo.", "A.\n", "Yes.\n</think>\nNo."],
  ["an end in code", "Write `</think>` there.", "", "Write `</think>` there."],
  ["an end in quotes", 'cut(text, "</think>")', "", 'cut(text, "</think>")'],
  ["an end in a sentence", "The tag </think> ends it.", "", "The tag </think> ends it."],
  [
    "an element called like a mark",
    'Here:\n```tsx\n<Reasoning className="w-full">\n  …\n</Reasoning>\n```\nDone.',
    "",
    'Here:\n```tsx\n<Reasoning className="w-full">\n  …\n</Reasoning>\n```\nDone.',
  ],
  [
    "an element with attributes",
    '<thought id="1">Buy milk</thought>',
    "",
    '<thought id="1">Buy milk</thought>',
  ],
  [
    "think with attributes",
    'So <think at="1">\n</think>\nYes.',
    "",
    'So <think at="1">\n</think>\nYes.',
  ],
  ["an end in other letters", "So\n</Think>\nYes.", "", "So\n</Think>\nYes."],
  ["an end that no template opens", "So.\n</thought>\nYes.", "", "So.\n</thought>\nYes."],
  [
    "an end in a block of code",
    "So:\n```\n</think>\n```\nYes.",
    "",
    "So:\n```\n</think>\n```\nYes.",
  ],
  [
    "an end in a listed block",
    "- ~~~xml\n  </think>\n  ~~~\n",
    "",
    "- ~~~xml\n  </think>\n  ~~~\n",
  ],
  ["an end within code", "Write `a </think>\n", "", "Write `a </think>\n"],
  [
    "a bare end after code",
    "Hm:\n```js\n1\n```\nand `2`.\n</think>\nYes.",
    "Hm:\n```js\n1\n```\nand `2`.\n",
    "Yes.",
  ],
  [
    "an end in a line of a sentence",
    "DeepSeek ends its thoughts with\n</think>\nand then answers.",
    "",
    "DeepSeek ends its thoughts with\n</think>\nand then answers.",
  ],
  ["a bare end after words", "Say it\n</think>\n\nyes", "Say it\n", "yes"],
  ["a bare end between words", "Say it</think>yes", "Say it", "yes"],
  ["other marks", "a </b> [/x] <i> b", "", "a </b> [/x] <i> b"],
];

describe("reasoning in the text", () => {
  it.each(cases)("%s", (_name, whole, reasoning, text) => {
    expect(split([whole])).toEqual({ reasoning, text });
    expect(split([...whole])).toEqual({ reasoning, text });
    for (let at = 1; at < whole.length; at++)
      expect(split([whole.slice(0, at), whole.slice(at)])).toEqual({ reasoning, text });
  });

  it.each<[string, Piece[], Split]>([
    ["apart", [{ apart: "Hm." }, "Yes."], { reasoning: "Hm.", text: "Yes." }],
    [
      "apart, with its end in the text",
      [{ apart: "Hm." }, "</think>\n", "Yes."],
      { reasoning: "Hm.", text: "Yes." },
    ],
    [
      "apart, with its marks",
      [{ apart: "<think>" }, { apart: "Hm." }, { apart: "</think>" }, "Yes."],
      { reasoning: "Hm.", text: "Yes." },
    ],
    [
      "apart and repeated in the text",
      [{ apart: "\nHm, " }, "<think>\nHm, ", { apart: "so." }, "so.", "</think>\nYes."],
      { reasoning: "\nHm, so.", text: "Yes." },
    ],
    [
      "apart, and more in the text",
      [{ apart: "Hm. " }, "<think>", "H", "a.</think>", "Yes."],
      { reasoning: "Hm. Ha.", text: "Yes." },
    ],
    [
      "apart, and a mark later in the text",
      [{ apart: "Hm." }, "Yes.\n</think>\n", "No."],
      { reasoning: "Hm.", text: "Yes.\n</think>\nNo." },
    ],
  ])("%s", (_name, pieces, expected) => {
    expect(split(pieces)).toEqual(expected);
  });

  it("takes linear time for reasoning apart", () => {
    const splitter = new ReasoningSplitter({
      text: () => undefined,
      reasoning: () => undefined,
      textWasReasoning: () => undefined,
    });
    // CPU time, because the machine may be busy with something else.
    const before = process.threadCpuUsage();
    for (let count = 0; count < 100_000; count++) splitter.addReasoning("Hm, ");
    splitter.addText("<think>");
    for (let count = 0; count < 100_000; count++) splitter.addText("Hm, ");
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2_000);
  });

  it("holds nothing of an ordinary answer back", () => {
    const shown: string[] = [];
    const splitter = new ReasoningSplitter({
      text: (piece) => shown.push(piece),
      reasoning: () => undefined,
      textWasReasoning: () => undefined,
    });
    const pieces = ["Yes", ", it", " is", " 4.", "\n\n- a", " b"];
    for (const piece of pieces) splitter.addText(piece);
    expect(shown).toEqual(pieces);
  });
});
