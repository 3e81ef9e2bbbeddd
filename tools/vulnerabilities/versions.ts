/** Whether a digit. */
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= "0" && character <= "9";

/** Compares semantic versions: negative, 0 or positive; a pre-release comes before its version. */
export function compareSemver(one: string, other: string): number {
  const parse = (version: string): { numbers: number[]; pre: string[] } => {
    const [core = "", ...rest] = version
      .trim()
      .replace(/^[v=]+/, "")
      .split("+")[0]!
      .split("-");
    const pre = rest.join("-");
    return { numbers: core.split(".").map(Number), pre: pre === "" ? [] : pre.split(".") };
  };
  const [a, b] = [parse(one), parse(other)];
  for (let i = 0; i < 3; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const [x, y] = [a.pre[i], b.pre[i]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (isNumber && isOtherNumber) return Number(x) - Number(y);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/**
 * Whether a version is in a range of npm's advisories, such as `>=1.0.0 <1.2.3 || =2.0.0`. A range
 * of another kind counts as matching: better a false alarm than a missed one.
 */
export function isInRange(version: string, range: string): boolean {
  return range.split("||").some((part) => {
    const comparators = part
      .replaceAll(/([<>=]) +/g, "$1")
      .trim()
      .split(/[\s,]+/);
    return comparators.every((comparator) => {
      const [, operator, bound] =
        /^(<=?|>=?|=|)(\d+(?:\.\d+){0,2}(?:-[\w.-]+)?)$/.exec(comparator) ?? [];
      if (bound === undefined) return true;
      const order = compareSemver(version, bound);
      if (operator === "<") return order < 0;
      if (operator === "<=") return order <= 0;
      if (operator === ">") return order > 0;
      if (operator === ">=") return order >= 0;
      return order === 0;
    });
  });
}

/** dpkg's order of characters: `~` before the end, the end before letters, letters before others. */
function rank(character: string | undefined): number {
  if (character === "~") return -1;
  if (character === undefined || isDigit(character)) return 0;
  return /[A-Za-z]/.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256;
}

function compareDebianPart(one: string, other: string): number {
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    while ((i < one.length && !isDigit(one[i])) || (j < other.length && !isDigit(other[j]))) {
      const difference = rank(one[i]) - rank(other[j]);
      if (difference !== 0) return difference;
      i++;
      j++;
    }
    const [digits, others] = [/^\d*/.exec(one.slice(i))![0], /^\d*/.exec(other.slice(j))![0]];
    const difference = BigInt(digits || 0) - BigInt(others || 0);
    if (difference !== 0n) return difference > 0n ? 1 : -1;
    i += digits.length;
    j += others.length;
  }
  return 0;
}

/** Compares Debian's versions (epoch, upstream's, revision) as dpkg does: negative, 0 or positive. */
export function compareDebian(one: string, other: string): number {
  const parse = (version: string): [number, string, string] => {
    const [, epoch = "0", rest = ""] = /^(?:(\d+):)?(.*)$/.exec(version)!;
    const end = rest.lastIndexOf("-");
    return end < 0
      ? [Number(epoch), rest, ""]
      : [Number(epoch), rest.slice(0, end), rest.slice(end + 1)];
  };
  const [a, b] = [parse(one), parse(other)];
  return a[0] - b[0] || compareDebianPart(a[1], b[1]) || compareDebianPart(a[2], b[2]);
}
