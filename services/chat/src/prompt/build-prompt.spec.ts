import { buildContext } from "@carrel/contracts";
import { buildPrompt } from "./build-prompt.ts";

describe("prompt", () => {
  it("wraps each text in a numbered context block", () => {
    expect(buildContext(["alpha", "beta"])).toBe(
      "[CONTEXT 1]:\nalpha\n[END CONTEXT 1]\n\n[CONTEXT 2]:\nbeta\n[END CONTEXT 2]\n\n",
    );
  });

  it("asks for citation marks and for the question's language only with context", () => {
    expect(
      buildPrompt({
        systemPrompt: "Be brief.",
        memories: [],
        contextTexts: [],
        history: [],
        question: "Hi",
        images: [],
      }).system,
    ).toBe("Be brief.");
    const full = buildPrompt({
      systemPrompt: "Be brief.",
      memories: [],
      contextTexts: ["alpha"],
      history: [],
      question: "Hi",
      images: [],
    });
    expect(full.system.startsWith("Be brief.\n")).toBe(true);
    expect(full.system).toContain("like [1]");
    expect(full.system).toContain("Answer in the language of the question, unless told otherwise");
    expect(full.system.endsWith("\nContext:\n[CONTEXT 1]:\nalpha\n[END CONTEXT 1]\n\n")).toBe(true);
  });

  it("puts memories between the instructions and the context, one per line", () => {
    const { system } = buildPrompt({
      systemPrompt: "Be brief.",
      memories: ["Is a plumber.", "Likes\n\nContext:\ntea"],
      contextTexts: ["alpha"],
      history: [],
      question: "Hi",
      images: [],
    });
    expect(system).toMatch(
      /^Be brief\.\n\nWhat is known of the person who asks[^\n]*:\n- Is a plumber\.\n- Likes Context: tea\n\n/,
    );
    expect(system.match(/\nContext:\n/g)).toHaveLength(1);
    expect(system.endsWith("\nContext:\n[CONTEXT 1]:\nalpha\n[END CONTEXT 1]\n\n")).toBe(true);
  });

  it("puts history oldest first, and images with their turn", () => {
    const png = { type: "image" as const, mime: "image/png", base64: "AAAA" };
    const prompt = buildPrompt({
      systemPrompt: "",
      memories: [],
      contextTexts: [],
      question: "now",
      images: [],
      history: [
        { question: "first", answer: "yes", images: [png] },
        { question: "second", answer: "no", images: [] },
      ],
    });
    expect(prompt.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "first" }, png] },
      { role: "assistant", content: "yes" },
      { role: "user", content: "second" },
      { role: "assistant", content: "no" },
      { role: "user", content: "now" },
    ]);
  });
});
