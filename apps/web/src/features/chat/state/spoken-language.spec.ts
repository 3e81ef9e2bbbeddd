import { afterEach, expect, it, jest } from "@jest/globals";
import { languageOf, voiceTag } from "./spoken-language.ts";

function speak(tag: string, ...preferred: string[]): void {
  document.documentElement.lang = tag;
  jest.spyOn(navigator, "languages", "get").mockReturnValue(preferred);
}
afterEach(() => {
  jest.restoreAllMocks();
  document.documentElement.lang = "en";
});

it("takes the interface's language, in the region that the browser prefers", () => {
  speak("es", "en-US", "es-MX", "es");
  expect(voiceTag()).toBe("es-MX");
  speak("zh-TW", "zh-CN");
  expect(voiceTag()).toBe("zh-TW");
});

it.each([
  ["Die Wärmepumpe steht hinter dem Schuppen.", "de", "de"],
  ["熱泵在棚屋後面，幾乎聽不到聲音。", "de", "zh"],
  ["热泵在棚屋后面。", "zh-TW", "zh-TW"],
  ["ヒートポンプは小屋の裏にあります。", "zh", "ja"],
  ["پمپ حرارتی پشت انبار است و صدای آن به سختی شنیده می‌شود.", "en", "fa"],
  ["مضخة الحرارة خلف السقيفة.", "fa", "ar"],
  ["Тепловой насос Vitocal 250 стоит за сараем.", "en", "ru"],
  ["Máy bơm nhiệt ở phía sau nhà kho.", "en", "vi"],
  ["The heat pump is behind the shed.", "he", "en"],
  ["Das Wort „насос“ heißt auf Deutsch Pumpe, und die steht hinter dem Schuppen.", "de", "de"],
  ["42", "ko", "ko"],
])("reads a text in the language of its letters: %s", (text, own, tag) => {
  speak(own);
  expect(languageOf(text)).toBe(tag);
});
