export const vocabulary =
  "harbour crane paint turquoise spring order ledger captain crew cargo manifest inspection weather report delay permit customs warehouse shelf inventory engine repair schedule rope anchor signal lamp buoy channel depth tide current bridge quay pier ferry tug barge container seal number stamp clerk office letter reply meeting budget invoice contract supplier tender audit".split(
    " ",
  );
/** Text of exactly this many characters, in paragraphs, deterministic for a seed. */
export function prose(seed: number, length: number): string {
  let state = seed + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
  let text = "";
  for (let sentence = 0; text.length < length; sentence++) {
    const words = Array.from({ length: 8 + next(14) }, () => vocabulary[next(vocabulary.length)]!);
    text += `${words[0]![0]!.toUpperCase()}${words.join(" ").slice(1)} ${next(100_000)}.${sentence % 6 === 5 ? "\n\n" : " "}`;
  }
  return text.slice(0, length);
}
