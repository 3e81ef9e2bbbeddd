import { flowLimits, type FlowBlock, type FlowTransform } from "@carrel/contracts";
import { blockFault } from "./block-flow.ts";
import { tooLarge, type BlockContext } from "./block.ts";
import { compare, order, toComparable } from "./compare.ts";
import { pick, readValue, showValue, substitute } from "./substitute.ts";
import { readCsv, writeCsv, writeMarkdown, type MapInTurns } from "./table.ts";

type Context = Pick<BlockContext, "title" | "variables" | "turns" | "signal">;

/** UTF-16 units of what operations come to before the last one, as JSON. */
const mostBetween = 5 * flowLimits.variables;

/** Operations on data from anywhere, which give way to other work. */
export async function runTransform(
  { config }: FlowBlock<"carrel-transform">,
  context: Context,
): Promise<unknown> {
  const { title, variables } = context;
  let value = readValue(config.input, variables);
  if (value === undefined) throw blockFault(title, `There is no value for ${config.input}.`);
  for (const operation of config.operations) value = await apply(value, operation, context);
  return value;
}

async function apply(value: unknown, operation: FlowTransform, context: Context): Promise<unknown> {
  const { title, variables } = context;
  const fill = (text: string): string => substitute(text, variables);
  const map: MapInTurns = (items, make) => mapInTurns(items, make, context);
  switch (operation.kind) {
    case "csv":
      return readCsv(title, showValue(value), operation.delimiter, map);
    case "pick": {
      const found = pick(value, fill(operation.path));
      if (found === undefined) throw blockFault(title, `There is nothing at ${operation.path}.`);
      return found;
    }
    case "filter": {
      const wanted = toComparable(readValue(operation.value, variables));
      const column = fill(operation.column);
      const rows = listOf(title, value);
      const isKept = await map(rows, (row) =>
        compare(pick(row, column), operation.operator, wanted),
      );
      return rows.filter((_, at) => isKept[at]);
    }
    case "sort": {
      const column = fill(operation.column);
      const sign = operation.descending ? -1 : 1;
      const rows = listOf(title, value);
      const keys = await map(rows, (row) => toComparable(pick(row, column)));
      const places = [...rows.keys()];
      const sorted = await sortInTurns(
        places,
        (one, other) => sign * order(keys[one]!, keys[other]!),
        context,
      );
      return sorted.map((place) => rows[place]);
    }
    case "columns": {
      const names = operation.names.map(fill);
      return map(listOf(title, value), (row) =>
        Object.fromEntries(names.map((name) => [name, pick(row, name) ?? null])),
      );
    }
    case "limit":
      return listOf(title, value).slice(0, operation.count);
    case "format": {
      if (operation.as === "json") return JSON.stringify(value, null, 2);
      const write = operation.as === "csv" ? writeCsv : writeMarkdown;
      return write(title, listOf(title, value), map);
    }
  }
}

function listOf(title: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw blockFault(title, "This needs a list of rows.");
  return value;
}

async function giveTurn({ turns, signal }: Context): Promise<void> {
  await turns.give();
  signal.throwIfAborted();
}

/** Throws ToolError if what is made gets too large. */
async function mapInTurns<Item, Made>(
  items: Iterable<Item> | AsyncIterable<Item>,
  make: (item: Item) => Made,
  context: Context,
): Promise<Made[]> {
  const made: Made[] = [];
  let size = 0;
  for await (const item of items) {
    await giveTurn(context);
    const each = make(item);
    size += showValue(each).length;
    if (size > mostBetween) throw tooLarge(context.title, mostBetween);
    made.push(each);
  }
  return made;
}

/** Items that are sorted at once. */
const longestRun = 500;

/** A merge sort, which gives way. */
async function sortInTurns<Item>(
  items: readonly Item[],
  compareItems: (one: Item, other: Item) => number,
  context: Context,
): Promise<Item[]> {
  await giveTurn(context);
  if (items.length <= longestRun) return items.toSorted(compareItems);
  const middle = items.length >> 1;
  const left = await sortInTurns(items.slice(0, middle), compareItems, context);
  const right = await sortInTurns(items.slice(middle), compareItems, context);
  const merged: Item[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (merged.length % longestRun === 0) await giveTurn(context);
    merged.push(compareItems(left[l]!, right[r]!) <= 0 ? left[l++]! : right[r++]!);
  }
  return merged.concat(left.slice(l), right.slice(r));
}
