import type { FlowBlock, FlowFilterOperator } from "@carrel/contracts";
import type { BlockContext } from "./block.ts";
import { readValue, showValue } from "./substitute.ts";

const numberOf = (value: unknown): number =>
  typeof value === "number"
    ? value
    : typeof value === "string" && value.trim() !== ""
      ? Number(value)
      : NaN;

/** Made once: `localeCompare` with options makes one for each comparison. */
const collator = new Intl.Collator("en", { numeric: true });

/** A value as it is compared. */
interface Comparable {
  number: number;
  text: string;
}

export const toComparable = (value: unknown): Comparable => ({
  number: numberOf(value),
  text: showValue(value ?? ""),
});

/** By number if both are numbers, otherwise by text. */
export const order = (left: Comparable, right: Comparable): number =>
  Number.isNaN(left.number) || Number.isNaN(right.number)
    ? collator.compare(left.text, right.text)
    : left.number - right.number;

const isEqual = (left: Comparable, right: Comparable): boolean =>
  (!Number.isNaN(left.number) && left.number === right.number) || left.text === right.text;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (typeof value === "object" && Object.keys(value).length === 0);

const contains = (left: unknown, right: Comparable): boolean =>
  Array.isArray(left)
    ? left.some((item) => isEqual(toComparable(item), right))
    : showValue(left ?? "").includes(right.text);

/** Whether a comparison holds, as conditions and filters make it. */
export function compare(left: unknown, operator: FlowFilterOperator, right: Comparable): boolean {
  switch (operator) {
    case "equals":
      return isEqual(toComparable(left), right);
    case "not-equals":
      return !isEqual(toComparable(left), right);
    case "contains":
      return contains(left, right);
    case "not-contains":
      return !contains(left, right);
    case "greater":
      return !isEmpty(left) && order(toComparable(left), right) > 0;
    case "less":
      return !isEmpty(left) && order(toComparable(left), right) < 0;
    case "is-empty":
      return isEmpty(left);
    case "is-not-empty":
      return !isEmpty(left);
  }
}

export function runCondition(
  { config }: FlowBlock<"carrel-condition">,
  { variables }: Pick<BlockContext, "variables">,
): boolean {
  const [left, right] = [config.left, config.right].map((text) => readValue(text, variables));
  return compare(left, config.operator, toComparable(right));
}
