import { describe, expect, it } from "@jest/globals";
import { writtenLanguage } from "./language.ts";

describe("writtenLanguage", () => {
  it.each([
    ["en", "The keeper of the lighthouse left the tower when the lamp was replaced."],
    ["de", "Der Wärter hat den Turm verlassen, als die Lampe ersetzt wurde."],
    ["ru", "Смотритель покинул маяк, когда лампу заменили на новую."],
    ["el", "Ο φύλακας έφυγε από τον πύργο όταν αντικαταστάθηκε η λάμπα."],
    // Names in Latin letters don't decide the language.
    ["zh", "网络聘请了 Troika Design Group 设计公司来设计并制作其标识,沿用了黑黄配色。"],
    ["ja", "灯台の管理人は、ランプが交換されたときに塔を去った。"],
    ["ko", "등대지기는 램프가 교체되었을 때 탑을 떠났다."],
    ["ar", "غادر حارس المنارة البرج عندما تم استبدال المصباح في شركة Troika Design."],
    ["fa", "نگهبان چراغ دریایی هنگامی که چراغ عوض شد برج را ترک کرد."],
    ["he", "שומר המגדלור עזב את המגדל כאשר המנורה הוחלפה."],
    ["th", "ผู้ดูแลประภาคารออกจากหอคอยเมื่อเปลี่ยนตะเกียง"],
    ["hi", "दीपक बदलने पर प्रकाशस्तंभ का रखवाला मीनार छोड़ गया।"],
    [null, "4711 / 2026-11-28"],
  ])("names %s", (language, text) => {
    expect(writtenLanguage(text)).toBe(language);
  });
});
