import { describe, expect, it } from "@jest/globals";
import { titleFromQuestion } from "./thread-title.ts";

describe("titleFromQuestion", () => {
  it.each([
    ["What is the flow temperature of the pump?", "What is the flow temperature of the pump?"],
    ["  a\n b ", "a"],
    ["Hi there! What does a wash cost? And a dryer?", "Hi there! What does a wash cost?"],
    ["Summarise the report. Then translate it.", "Summarise the report"],
    ["Who is Dr. Smith? Where does he live?", "Who is Dr. Smith?"],
    ["# **Heat pumps**\n\n- first\n- second", "Heat pumps"],
    [
      "> *Quoted* text with `code` and [a link](https://a.example/x)",
      "Quoted text with code and a link",
    ],
    ["Explain this:\n```ts\nconst x = 1;\n```", "Explain this"],
    ["```sql\nSELECT name FROM pump\n```", "SELECT name FROM pump"],
    [
      "snake_case_name and 2 * 3 * 4 stay as they are",
      "snake_case_name and 2 * 3 * 4 stay as they are",
    ],
    ["<b>Bold</b> words if 3 < 4", "Bold words if 3 < 4"],
    ["@agent search the web for prices", "search the web for prices"],
    ["/summary the newest report", "/summary the newest report"],
    [
      "Which of the documents in this workspace describes how the heating is set up in winter?",
      "Which of the documents in this workspace describes how the…",
    ],
    ["熱ポンプの温度は何度ですか。冬はどうですか。", "熱ポンプの温度は何度ですか"],
    ["ポ".repeat(80), `${"ポ".repeat(59)}…`],
    ["👩‍👩‍👧".repeat(20), `${"👩‍👩‍👧".repeat(7)}…`],
    ["Pumps\u0000 and\u202e more", "Pumps and more"],
    ["?!", "?!"],
  ])("%j becomes %j", (question, title) => expect(titleFromQuestion(question)).toBe(title));
  it.each(["   ", "", "\n\n", "\u200e"])("%j has no title", (question) =>
    expect(titleFromQuestion(question)).toBeNull(),
  );
});
