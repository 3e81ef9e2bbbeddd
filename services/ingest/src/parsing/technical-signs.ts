/*
 * Signs of measures and sums: "21.5 °C", "±5 µm", "3 m²". They are rare in any language but common
 * in lists of figures, so they count as likely where such signs stand, and only there.
 */

interface Place {
  before: RegExp;
  after: RegExp;
}
/** The start and the end of a text count as a space. */
const places = new Map<string, Place>();
const add = (signs: string, before: RegExp, after: RegExp): void => {
  for (const sign of signs) places.set(sign, { before, after });
};
const afterAmount = /[\d\s([{/;,:"']/;
add("°", afterAmount, /[^a-zà-ÿ]/);
add("ºª", /[\dNn\s]/, /[^a-zà-ÿ]/);
add("±×÷", /[\w\s([{=;,:"'²³°]/, /[\d\s.]/);
add("µ", afterAmount, /[A-Za-z-]/);
add("½¼¾", afterAmount, /\P{L}/u);
add("²³", /[\dmx]/, /\P{L}/u);
add("¹", /\d/, /\P{L}/u);
add("·", /\s/, /\s/);
add("£¥", afterAmount, /[\d\s]/);
add("¢", /\d/, /\P{L}/u);

export const isTechnical = (character: string): boolean => places.has(character);

/** Whether a sign stands where it does in figures. */
export function isInPlace(sign: string, before = " ", after = " "): boolean {
  const place = places.get(sign);
  return place !== undefined && place.before.test(before) && place.after.test(after);
}
