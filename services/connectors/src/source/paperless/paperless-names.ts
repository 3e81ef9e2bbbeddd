import { z } from "zod";
import type { JsonApi } from "../../connector/json-api.ts";
import { nullIfOutOfReach } from "../../connector/json-api.ts";
import { Memo } from "../../connector/memo.ts";

const pageSize = 1_000;
const maxPages = 20;

const named = z.looseObject({ id: z.number(), name: z.string().catch("") });
const namesPage = z.object({ results: z.array(named), next: z.string().nullish() });
const fieldOptions = z
  .object({
    select_options: z.array(
      z.union([
        // Before version 2.14, a choice was its place in the list.
        z.string().transform((label) => ({ id: null, label })),
        z.object({ id: z.coerce.string(), label: z.string() }),
      ]),
    ),
  })
  .catch({ select_options: [] });

type List = "tags" | "correspondents" | "document_types" | "custom_fields";
type Named = z.output<typeof named>;

/** What is called how: documents only have ids. */
export class PaperlessNames {
  private readonly lists = new Memo<Map<number, Named>>();

  constructor(private readonly api: JsonApi) {}

  /** Empty if it isn't known, or the token may not see it. */
  async nameOf(list: List, id: number | null | undefined): Promise<string> {
    return id == null ? "" : ((await this.read(list)).get(id)?.name ?? "");
  }

  /** A custom field as people read it; null if it says nothing. */
  async describe(
    id: number,
    value: unknown,
  ): Promise<readonly [name: string, text: string] | null> {
    const field = (await this.read("custom_fields")).get(id);
    if (field === undefined) return null;
    const { select_options: options } = fieldOptions.parse(field["extra_data"]);
    const option =
      options.length === 0
        ? undefined
        : options.find((each, place) => (each.id ?? String(place)) === String(value));
    const text = option?.label ?? writeValue(value);
    return text === "" ? null : [field.name, text];
  }

  private read(list: List): Promise<Map<number, Named>> {
    return this.lists.get(list, async () => {
      const known = new Map<number, Named>();
      for (let page = 1; page <= maxPages; page += 1) {
        const path = `/api/${list}/?page=${page}&page_size=${pageSize}`;
        const found = await this.api.get(path, namesPage).catch(nullIfOutOfReach);
        for (const each of found?.results ?? []) known.set(each.id, each);
        if (!found?.next) break;
      }
      return known;
    });
  }
}

function writeValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
