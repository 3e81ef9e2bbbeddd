const scales = [
  { from: 1e12, unit: "T" },
  { from: 1e9, unit: "B" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "K" },
] as const;

const places = (step: number): number =>
  Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/**
 * Writes an axis' ticks: all with the same unit and as many decimals as tell them apart.
 *
 * @param step between two ticks
 * @param largest absolute value
 */
export function tickFormat(step: number, largest: number): (value: number) => string {
  if (largest >= 1e15 || (largest > 0 && largest < 1e-6))
    return (value) => (value === 0 ? "0" : value.toExponential(1).replace("e+", "e"));
  const scale = largest >= 1e4 ? scales.find(({ from }) => largest >= from) : undefined;
  const divisor = scale?.from ?? 1;
  const digits = step > 0 ? places(step / divisor) : 0;
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (value) => {
    const text = format.format(value / divisor);
    // -0 is written as "-0".
    return value === 0 ? format.format(0) : `${text}${scale?.unit ?? ""}`;
  };
}

const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A value beside its shape: short from a million on. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(2).replace("e+", "e");
  return size >= 1e6 ? compact.format(value) : plain.format(value);
}

export const percent = (share: number): string =>
  share > 0 && share < 0.001
    ? "<0.1%"
    : `${(share * 100).toLocaleString("en", { maximumFractionDigits: share < 0.1 ? 1 : 0 })}%`;
