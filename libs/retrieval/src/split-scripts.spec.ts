import { describe, expect, it } from "@jest/globals";
import { splitText } from "./split-text.ts";

/**
 * Prose in many scripts: some without spaces, some with combining characters, some right-to-left.
 */
const scripts: Record<string, string[]> = {
  English: [
    "The harbour crane was painted turquoise in spring.",
    "Nobody knew who had ordered it, or why.",
    "It cost $1,234.50, said Mr. Smith — and e-mails to info@example.org went unanswered!",
  ],
  German: [
    "Die Donaudampfschifffahrtsgesellschaft fährt täglich außer montags.",
    "Wer hätte das gedacht?",
    "Größere Übungsräume stehen ab 1. März bereit.",
  ],
  Thai: [
    "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอนหรือวรรณยุกต์เช่นเดียวกับภาษาจีน",
    "ออกเสียงแยกคำต่อคำ",
    "เป็นที่ลำบากของชาวต่างชาติเนื่องจากการออกเสียงวรรณยุกต์ที่เป็นเอกลักษณ์ของแต่ละคำ",
  ],
  Chinese: [
    "我们每年在春天把港口的起重机漆成绿松石色。",
    "没有人知道是谁下的订单，也不知道为什么。",
    "中华人民共和国国务院总理今天下午在北京会见了来访的客人。",
  ],
  Japanese: [
    "港のクレーンは春にターコイズ色に塗られました。",
    "誰が注文したのか、なぜなのかは誰も知りませんでした。",
    "東京特許許可局の局長は今日急遽許可を却下した。",
  ],
  Korean: [
    "항구의 크레인은 봄에 청록색으로 칠해졌습니다.",
    "누가 주문했는지 아무도 몰랐습니다.",
    "대한민국의 수도는 서울특별시입니다.",
  ],
  Arabic: [
    "تم طلاء رافعة الميناء باللون الفيروزي في الربيع.",
    "لم يكن أحد يعرف من طلبها، ولا لماذا؟",
    "وَٱلْكِتَابُ عَلَى ٱلطَّاوِلَةِ.",
  ],
  Hebrew: ["המנוף בנמל נצבע בטורקיז באביב.", "איש לא ידע מי הזמין אותו, ומדוע?", "שָׁלוֹם עֲלֵיכֶם."],
  Hindi: [
    "बंदरगाह की क्रेन को वसंत में फ़िरोज़ी रंग से रंगा गया था।",
    "किसी को नहीं पता था कि इसका आदेश किसने दिया था।",
    "क्षत्रिय धर्म की रक्षा करते हैं।",
  ],
  Khmer: ["ភាសាខ្មែរគឺជាភាសាកំណើតរបស់ជនជាតិខ្មែរនិងជាភាសាផ្លូវការរបស់ប្រទេសកម្ពុជា។", "វាជាភាសាដែលមានអ្នកនិយាយច្រើន។"],
  emoji: ["Family 👩‍👩‍👧‍👦 and 👍🏽 flags 🇩🇪🇫🇷🇯🇵 hearts ❤️‍🔥❤️‍🔥❤️‍🔥.", "🧑🏿‍🚀🧑🏿‍🚀🧑🏿‍🚀🧑🏿‍🚀🧑🏿‍🚀🧑🏿‍🚀🧑🏿‍🚀", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  "old and rare": ["𐍈𐌰𐌹𐍂𐌷𐌰𐌽 𐌲𐌿𐍄𐌹𐍃𐌺 𠀀𠀁𠀂𠀃 𝔘𝔫𝔦𝔠𝔬𝔡𝔢.", "Z̷̧̢̛͖̭̈́a̵͇͎͋l̸̠̈́g̶̡͌o̷̗͝ speaks."],
};
const signs = new Intl.Segmenter("en", { granularity: "grapheme" });
const words = new Intl.Segmenter("en", { granularity: "word" });
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
};

/** Paragraphs of sentences in one script, or in all of them mixed. */
function write(next: () => number, from: string[], length: number): string {
  let text = "";
  while (text.length < length)
    text +=
      from[Math.floor(next() * from.length)]! +
      (next() < 0.15 ? "\n\n" : next() < 0.1 ? "\n" : next() < 0.8 ? " " : "");
  return text;
}
const edgesOf = (text: string, segmenter: Intl.Segmenter): Set<number> =>
  new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));

describe("chunks of any script", () => {
  const all = Object.values(scripts).flat();
  it.each([...Object.entries(scripts), ["all of them", all] as const])(
    "%s: splits no character or word, loses nothing and exceeds no limit",
    (_name, from) => {
      const next = random(from.length * 7 + from[0]!.length);
      for (let round = 0; round < 12; round++) {
        const text = write(next, from, 1_500);
        const size = 32 + Math.floor(next() * 260);
        const overlap = Math.floor(next() * 60);
        // A sentence may end without a following space, which the word segmenter does not detect.
        const [ofSigns, ofWords] = [
          edgesOf(text, signs),
          new Set([...edgesOf(text, words), ...edgesOf(text, sentences)]),
        ];
        const chunks = splitText({ text, size, overlap });
        let covered = 0;
        for (const { start, end } of chunks) {
          expect(end - start).toBeLessThanOrEqual(size);
          expect(text.slice(start, end).isWellFormed()).toBe(true);
          expect([start, ofSigns.has(start)]).toEqual([start, true]);
          expect([end, ofSigns.has(end)]).toEqual([end, true]);
          expect(text.slice(Math.min(covered, start), start).trim()).toBe("");
          covered = Math.max(covered, end);
          for (const edge of [start, end]) {
            if (ofWords.has(edge)) continue;
            // Only a word longer than a chunk may be cut.
            const word = [...words.segment(text)].find(
              ({ index, segment }) => index < edge && edge < index + segment.length,
            )!;
            expect([word.segment, word.segment.length > size / 2]).toEqual([word.segment, true]);
          }
        }
        expect(text.slice(covered).trim()).toBe("");
      }
    },
  );

  it("cuts a word longer than several windows between characters", () => {
    const flags = "🇩🇪🇫🇷🇯🇵🇧🇷".repeat(3_000);
    const joined = "👩‍👩‍👧‍👦".repeat(2_000);
    for (const text of [
      flags,
      joined,
      "漢".repeat(20_000),
      "x".repeat(20_000),
      "ก็".repeat(9_000),
    ]) {
      const edges = edgesOf(text, signs);
      for (const { start, end } of splitText({ text, size: 500, overlap: 0 }))
        expect([edges.has(start), edges.has(end)]).toEqual([true, true]);
    }
  });

  it("repeats whole sentences if one fits into the overlap, otherwise whole words", () => {
    const text = Array.from({ length: 60 }, (_, n) => `Sentence number ${n} is short.`).join(" ");
    const starts = edgesOf(text, sentences);
    const chunks = splitText({ text, size: 300, overlap: 70 });
    for (const [n, chunk] of chunks.slice(1).entries()) {
      expect(chunk.start).toBeLessThan(chunks[n]!.end);
      expect(starts.has(chunk.start)).toBe(true);
    }
    const thai = scripts.Thai!.join("").repeat(6);
    const edges = edgesOf(thai, words);
    for (const [n, chunk] of splitText({ text: thai, size: 200, overlap: 30 }).entries()) {
      if (n > 0) expect([chunk.start, edges.has(chunk.start)]).toEqual([chunk.start, true]);
    }
  });

  it("leaves room for the headings that an embedder prepends to the text", () => {
    const title = "A heading of some length that stands above it all";
    const text = `${title}\n\n${"Words that fill the section up to its end, one after the other. ".repeat(60)}`;
    for (const chunk of splitText({
      text,
      size: 1_000,
      overlap: 0,
      maximum: 400,
      headings: [{ start: 0, path: [title, title] }],
    })) {
      expect(chunk.end - chunk.start + 2 * title.length + 4).toBeLessThanOrEqual(400);
    }
    const longest = Math.max(
      ...splitText({
        text,
        size: 1_000,
        overlap: 0,
        maximum: 60,
        headings: [{ start: 0, path: [title.repeat(9)] }],
      }).map((chunk) => chunk.end - chunk.start),
    );
    expect(longest).toBeLessThanOrEqual(30);
  });
});
