import { textsOffPage } from "./document-view.tsx";

const line = { page: 1, x: 0, y: 0, width: 9, height: 9 };
const passage = {
  text: "On the cover. In the memo.",
  quotes: [
    { start: 0, end: 13 },
    { start: 14, end: 26 },
  ],
  position: 0,
};
const whole = { ...passage, quotes: [] };

test.each([
  ["every quote is on the page", passage, [line], [[line], [line]], []],
  ["a quote isn't", passage, [line], [[line], []], ["In the memo."]],
  ["places couldn't be loaded", passage, [line], [], []],
  ["the passage is partly on the page", whole, [line], [], []],
  ["nothing of the passage is", whole, [], [], ["On the cover. In the memo."]],
  ["there is no passage", { ...whole, text: "" }, [], [], []],
])("lists what pages don't show if %s", (_, shown, rectangles, places, texts) => {
  const found = places.map((each) => ({ rectangles: each }));
  expect(textsOffPage(shown, rectangles, found)).toEqual(texts);
});
