import type { FlowBlock, FlowFilterOperator, FlowTransform } from "@carrel/contracts";
import { blockFault, type BlockContext } from "./block.ts";
import { pick, readValue, showValue, substitute, type Variables } from "./substitute.ts";

type Row = Record<string, unknown>;

const numberOf = (value: unknown): number =>
  typeof value === "number"
    ? value
    : typeof value === "string" && value.trim() !== ""
      ? Number(value)
      : NaN;

/** By number if both are numbers, otherwise by text. */
function order(left: unknown, right: unknown): number {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return showValue(left ?? "").localeCompare(showValue(right ?? ""), "en", { numeric: true });
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (typeof value === "object" && Object.keys(value).length === 0);

const isEqual = (left: unknown, right: unknown): boolean => {
  const [a, b] = [numberOf(left), numberOf(right)];
  return (!Number.isNaN(a) && a === b) || showValue(left ?? "") === showValue(right ?? "");
};

const contains = (left: unknown, right: unknown): boolean =>
  Array.isArray(left)
    ? left.some((item) => isEqual(item, right))
    : showValue(left ?? "").includes(showValue(right ?? ""));

/** Whether a comparison holds, as conditions and filters make it. */
function compare(left: unknown, operator: FlowFilterOperator, right: unknown): boolean {
  switch (operator) {
    case "equals":
      return isEqual(left, right);
    case "not-equals":
      return !isEqual(left, right);
    case "contains":
      return contains(left, right);
    case "not-contains":
      return !contains(left, right);
    case "greater":
      return !isEmpty(left) && order(left, right) > 0;
    case "less":
      return !isEmpty(left) && order(left, right) < 0;
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
  return compare(left, config.operator, right);
}

export function runTransform(
  { config }: FlowBlock<"carrel-transform">,
  { title, variables }: Pick<BlockContext, "title" | "variables">,
): unknown {
  let value = readValue(config.input, variables);
  if (value === undefined) throw blockFault(title, `There is no value for ${config.input}.`);
  for (const operation of config.operations) value = apply(title, value, operation, variables);
  return value;
}

function apply(
  title: string,
  value: unknown,
  operation: FlowTransform,
  variables: Variables,
): unknown {
  const fill = (text: string): string => substitute(text, variables);
  switch (operation.kind) {
    case "pick": {
      const found = pick(value, fill(operation.path));
      if (found === undefined) throw blockFault(title, `There is nothing at ${operation.path}.`);
      return found;
    }
    case "filter": {
      const wanted = readValue(operation.value, variables);
      const column = fill(operation.column);
      return listOf(title, value).filter((row) =>
        compare(pick(row, column), operation.operator, wanted),
      );
    }
    case "sort": {
      const column = fill(operation.column);
      const sign = operation.descending ? -1 : 1;
      return listOf(title, value).toSorted(
        (a, b) => sign * order(pick(a, column), pick(b, column)),
      );
    }
    case "columns":
      return listOf(title, value).map((row) =>
        Object.fromEntries(
          operation.names.map(fill).map((name) => [name, pick(row, name) ?? null]),
        ),
      );
    case "limit":
      return listOf(title, value).slice(0, operation.count);
    case "format":
      return format(title, value, operation.as);
  }
}

function listOf(title: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw blockFault(title, "This needs a list of rows.");
  return value;
}

function format(title: string, value: unknown, as: "json" | "csv" | "markdown"): string {
  if (as === "json") return JSON.stringify(value, null, 2);
  const rows = listOf(title, value).map((row): Row =>
    typeof row === "object" && row !== null ? (row as Row) : { value: row },
  );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => showValue(row[name] ?? "")))];
  if (as === "csv") return cells.map((line) => line.map(csvCell).join(",")).join("\r\n");
  const [head, ...lines] = cells.map((line) => `| ${line.map(markdownCell).join(" | ")} |`);
  return [head, `|${" --- |".repeat(names.length)}`, ...lines].join("\n");
}

const csvCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const markdownCell = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
